"""Whether two schemas may have an instance in common: what makes `oneOf` as simple as `anyOf`.

The answer is allowed to be yes when it is no, so "exactly one of" counts as "at least one of" here.
That is what keeps the question from asking itself, in schemas that contain themselves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tercet.errors import UnsupportedSchemaError
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.forms import Form
from tercet.frontends.json_schema.objects import Objects
from tercet.frontends.json_schema.place import Document
from tercet.frontends.json_schema.productive import Productive
from tercet.frontends.json_schema.schema import ALL_TYPES, ANY_VALUE, Value, conjunction, of_kinds
from tercet.frontends.json_schema.style import PLAIN, Style

Listed = frozenset[Any]


class _Look(NamedTuple):
    """What tells values apart at a glance: a None says that there is more than can be listed.

    `tags` are, for each alternative of an object, required members with listed strings.
    """

    constants: frozenset[bool | None]
    numbers: Listed | None
    strings: Listed | None
    has_arrays: bool
    tags: list[dict[str, Listed]]


class Overlaps:
    """Answers for one schema document; what is found on the way is kept."""

    def __init__(self, document: Document, style: Style = PLAIN) -> None:
        self._canonical = Canonical(document, style=style)
        self._productive = Productive(self._canonical)
        self._looks: dict[Value, _Look] = {}

    def __call__(self, one: Value, other: Value, beside: Value = ANY_VALUE) -> frozenset[str]:
        """Of which kinds a JSON value might be that matches both, and what is beside them.

        Scalars aren't told apart: all of their kinds are there if there is any.
        """
        try:
            if _are_apart(self._look(one), self._look(other)):
                return frozenset()
            both = conjunction((beside, one, other))
            return self._kinds(both) if self._productive(both) else frozenset()
        except UnsupportedSchemaError:
            return ALL_TYPES

    def _kinds(self, value: Value) -> frozenset[str]:
        """The kinds of instances of a value that has some."""
        form, kinds = self._canonical.form(value), ALL_TYPES
        for kind, alternatives in (("object", form.objects), ("array", form.arrays)):
            own = value | of_kinds(frozenset({kind}))
            is_all = len(form.kinds) == 1
            if not alternatives or not (is_all or self._productive(own)):
                kinds -= {kind}
        return kinds

    def _look(self, value: Value) -> _Look:
        look = self._looks.get(value)
        if look is None:
            form = self._canonical.form(value)
            tags = [self._tags(objects) for objects in form.objects]
            look = self._looks[value] = _Look(
                form.constants,
                _listed(form.numbers),
                _listed(form.strings),
                bool(form.arrays),
                tags,
            )
        return look

    def _tags(self, objects: Objects) -> dict[str, Listed]:
        found = {}
        for name in objects.required:
            form = self._canonical.form(objects.members[name].value)
            values = _listed(form.strings)
            if values and form == Form(strings=form.strings):
                found[name] = values
        return found


def _listed(alternatives: tuple[Any, ...]) -> Listed | None:
    """The values of some numbers or strings, None if one alternative doesn't list them."""
    if any(one.values is None for one in alternatives):
        return None
    return frozenset(value for one in alternatives for value in one.values)


def _are_apart(one: _Look, other: _Look) -> bool:
    return (
        not one.constants & other.constants
        and _are_disjoint(one.numbers, other.numbers)
        and _are_disjoint(one.strings, other.strings)
        and not (one.has_arrays and other.has_arrays)
        and all(_are_told_apart(a, b) for a in one.tags for b in other.tags)
    )


def _are_disjoint(one: Listed | None, other: Listed | None) -> bool:
    """None overlaps with all but the empty set."""
    if one is None or other is None:
        return one == frozenset() or other == frozenset()
    return one.isdisjoint(other)


def _are_told_apart(one: dict[str, Listed], other: dict[str, Listed]) -> bool:
    return any(name in other and values.isdisjoint(other[name]) for name, values in one.items())
