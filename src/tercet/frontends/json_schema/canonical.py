"""From sets of schemas to canonical forms: this is where keywords meet.

The form of a value is the intersection of the forms of its atoms, worked out when it is first asked
for. Emptiness that depends on other values is `productive`'s; texts are `lowering`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from tercet.automata.regex import ANY_TEXT, Regex
from tercet.errors import GrammarError, UnsupportedSchemaError
from tercet.frontends.json_schema import refusals
from tercet.frontends.json_schema.arrays import Arrays
from tercet.frontends.json_schema.forms import ANYTHING, NOTHING, Form, union
from tercet.frontends.json_schema.instances import exact, identity, kind_of
from tercet.frontends.json_schema.keys import language
from tercet.frontends.json_schema.numbers import Numbers
from tercet.frontends.json_schema.objects import Member, Objects
from tercet.frontends.json_schema.own_forms import own_form
from tercet.frontends.json_schema.place import ROOT, Document, Place
from tercet.frontends.json_schema.schema import (
    ALL_TYPES,
    ANY_VALUE,
    NEVER,
    NO_VALUE,
    AnyOf,
    Atom,
    Not,
    Schema,
    Undecided,
    Value,
    conjunction,
    is_plain,
    negation,
    of_kinds,
)
from tercet.frontends.json_schema.spelling import is_spellable
from tercet.frontends.json_schema.strings import Strings
from tercet.frontends.json_schema.style import PLAIN, Style

MOST_MET = 6000
"""Combinations of schemas in one document, those with many alternatives counted several times;
where schemas multiply to more, they are refused."""


MOST_EXCLUSIVE = 1500
"""Branches of one `oneOf`, each of which is compared with each."""


class Canonical:
    """The forms of the values of one schema document; remembers all of them.

    `overlap` tells of which kinds the instances may be that two values have in common. Without it
    the forms of "exactly one of" are too large, and good for nothing but answering that.
    """

    def __init__(
        self,
        document: Document,
        overlap: Callable[..., frozenset[str]] | None = None,
        style: Style = PLAIN,
    ) -> None:
        self._document = document
        self._overlap = overlap
        self.style = style
        self._forms: dict[Value, Form] = {frozenset(): ANYTHING, NO_VALUE: NOTHING}
        self._met = 0
        self._atoms: dict[Atom, Form] = {}
        self._constants: dict[Any, Schema] = {}

    def form(self, value: Value) -> Form:
        """What a value may be.

        Raises:
            UnsupportedSchemaError: the parts can't be intersected within reason.
        """
        form = self._forms.get(value)
        if form is None:
            self._met += not is_plain(value)
            if self._met > MOST_MET:
                why = f"there are over {MOST_MET} combinations of schemas to look at"
                raise self.too_complex(value, Undecided(why))
            form = self._forms[value] = self._meet_all(value)
            self._met += (len(form.objects) + len(form.arrays)) // 4
        return form

    def _meet_all(self, value: Value) -> Form:
        if NEVER in value or any(isinstance(a, Not) and a.body <= value for a in value):
            return NOTHING
        first, *rest = sorted(value, key=lambda atom: atom.rank)
        try:
            form = self._form_beside(first, value)
            for atom in rest:
                form = self._thinned(form).meet(self._form_beside(atom, value))
            if form.numbers:
                spelled = tuple(n for n in form.numbers if is_spellable(n, self.style))
                if len(spelled) < len(form.numbers):
                    form = replace(form, numbers=spelled)
            return form
        except (Undecided, GrammarError) as error:
            raise self.too_complex(value, error) from error

    def _thinned(self, form: Form) -> Form:
        """The form without the objects of which a look at their members tells that there are none.

        Many `if`s that look at one member would otherwise be multiplied out. Of alternatives that
        say the same, one stays.
        """
        if len(form.objects) < 2:
            return form
        found = {objects.content: objects for objects in form.objects if self._may_exist(objects)}
        return replace(form, objects=tuple(found.values()))

    def _may_exist(self, objects: Objects) -> bool:
        values = (member.value for member in objects.members.values() if member.is_required)
        return all(self.form(value).kinds for value in values if _is_flat(value))

    def too_complex(self, value: Value, error: Undecided | GrammarError) -> UnsupportedSchemaError:
        """The refusal of a value that can't be worked out."""
        if isinstance(error, Undecided) and error.keyword:
            delicate = [a for a in value if isinstance(a, Schema) and a.is_delicate]
            at = min(delicate or value, key=lambda atom: atom.rank).place.at(error.keyword)
            hint = refusals.HINT.get(error.keyword, "")
            return self._document.unsupported(at, error.keyword, why=error.why, hint=hint)
        first = min(value, key=lambda atom: atom.rank)
        word = (
            first.word if isinstance(first, AnyOf) else "not" if isinstance(first, Not) else "allOf"
        )
        return self._document.unsupported(
            first.place,
            word,
            why=f"the keywords that bear on it can't be merged: {error.why or error}",
        )

    def keys(self, names: Value) -> Regex:
        """The keys that match a schema, as a language."""
        return language(self.form(names).strings) if names else ANY_TEXT

    def _form_beside(self, atom: Atom, value: Value) -> Form:
        """The form of an atom, as it is among the others of a value."""
        if isinstance(atom, AnyOf) and atom.is_exclusive:
            beside = frozenset(other for other in value if isinstance(other, Schema))
            return union(map(self.form, self._exactly_one(atom, beside)))
        form = self._atoms.get(atom)
        if form is None:
            form = self._atoms[atom] = self.atom_form(atom)
        return form

    def atom_form(self, atom: Atom) -> Form:
        """What one schema's own keywords, one union or one complement allow."""
        if isinstance(atom, Not):
            return self._complement(atom)
        if isinstance(atom, AnyOf):
            return union(map(self.form, atom.cases))
        form = own_form(atom)
        if atom.values is None:
            return form
        return form.meet(self._listed(atom.values, atom.place))

    def _exactly_one(self, atom: AnyOf, beside: Value) -> list[Value]:
        """The cases, each without the others that it overlaps with where the rest matches too."""
        if len(atom.cases) > MOST_EXCLUSIVE:
            raise Undecided(f"over {MOST_EXCLUSIVE} branches would have to be compared")
        cases, others = atom.cases, [list[Value]() for _ in atom.cases]
        for (one, left), (other, right) in combinations(zip(cases, others, strict=True), 2):
            kinds = self._overlap(one, other, beside) if self._overlap else None
            if kinds:  # only of these is there anything to take out
                limit = ANY_VALUE if kinds == ALL_TYPES else of_kinds(kinds)
                left.append(negation(other | limit))
                right.append(negation(one | limit))
        return [conjunction((case, *not_)) for case, not_ in zip(cases, others, strict=True)]

    def _complement(self, atom: Not) -> Form:
        if len(atom.body) > 1:
            return union(self.form(negation(frozenset({part}))) for part in atom.body)
        (part,) = atom.body
        if not isinstance(part, AnyOf):
            return self.atom_form(part).complement()
        if self._overlap is None:
            return ANYTHING
        none = conjunction(map(negation, part.cases))
        two = [conjunction(p) for p in combinations(part.cases, 2) if self._overlap(*p)]
        return union(map(self.form, (none, *two)))

    def _listed(self, values: tuple[Any, ...], place: Place) -> Form:
        """The values of an enum; those of one scalar kind are one alternative."""
        groups: dict[str, list[Any]] = {}
        for value in values:
            groups.setdefault(kind_of(value), []).append(value)
        numbers = tuple(map(exact, groups.get("number", ())))
        strings = tuple(groups.get("string", ()))
        return Form(
            frozenset(groups.get("null", []) + groups.get("boolean", [])),
            (Numbers(values=numbers),) if numbers else (),
            (Strings(values=strings),) if strings else (),
            tuple(self._constant_array(item, place) for item in groups.get("array", ())),
            tuple(self._constant_object(item, place) for item in groups.get("object", ())),
        )

    def _constant_array(self, value: Sequence[Any], place: Place) -> Arrays:
        items = tuple(self.constant(item, place) for item in value)
        return Arrays(items, NO_VALUE, len(items), len(items))

    def _constant_object(self, value: Mapping[str, Any], place: Place) -> Objects:
        members = {
            name: Member(self.constant(item, place), is_required=True)
            for name, item in value.items()
        }
        return Objects(members, NO_VALUE)

    def constant(self, value: Any, place: Place = ROOT) -> Value:
        """The schema of a value inside a value of an enum, the same for equal values."""
        key = identity(value)
        schema = self._constants.get(key)
        if schema is None:
            schema = self._constants[key] = Schema(place, values=(value,))
            schema.atoms = frozenset({schema})
        return schema.atoms


def _is_flat(value: Value) -> bool:
    """Whether some of a few listed scalars are left, if any, so that its form is quickly told."""
    bodies = [atom.body if isinstance(atom, Not) else frozenset({atom}) for atom in value]
    is_listed = any(isinstance(atom, Schema) and atom.values is not None for atom in value)
    return (
        is_listed
        and len(value) > 1
        and all(
            isinstance(atom, Schema) and not (atom.arrays or atom.objects)
            for body in bodies
            for atom in body
        )
    )
