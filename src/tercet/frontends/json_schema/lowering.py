"""From canonical forms to IR: each value is a rule, arrays and objects are chains of rules.

An object is written in its order. For each member there is a rule for "a member from here on" and
one for "after the members before here: the end, or a comma". So it is as large as its list of
members, no required member can be skipped, and no declared key comes twice. Arrays are
`array_rules`'. Rules are written when an engine asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tercet.frontends.json_schema.array_rules import ArrayRules
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.counting import Counting
from tercet.frontends.json_schema.naming import Names
from tercet.frontends.json_schema.objects import Member, Objects
from tercet.frontends.json_schema.productive import Productive
from tercet.frontends.json_schema.rules import LazyRules
from tercet.frontends.json_schema.schema import Value
from tercet.frontends.json_schema.spelling import free_key, number_node, quoted, string_node
from tercet.frontends.json_schema.whitespace import Whitespace
from tercet.grammar.nodes import EMPTY, Choice, Language, Node, Sequence, alt, lit, seq

_CONSTANTS = ((None, "null"), (True, "true"), (False, "false"))


class Lowering:
    """Writes the rules of one schema document."""

    def __init__(self, canonical: Canonical, productive: Productive, space: Whitespace) -> None:
        self._canonical = canonical
        self._productive = productive
        self._names = Names()
        self._rules = LazyRules()
        self._outside = space.outside
        self._gap = self._shared("whitespace", space.gap)
        after_comma = self._shared("whitespace after a comma", space.after_comma)
        self._comma = seq(lit(","), after_comma)
        self._arrays = ArrayRules(self._rules, self._gap, self._comma, self._value)
        self._colon = self._shared("colon", seq(space.gap, lit(":"), space.after_colon))

    def language(self, root: Value) -> Language:
        """The texts of a value that has an instance, with the whitespace around it."""
        return Language(seq(self._outside, self._value(root), self._outside), self._rules)

    def _shared(self, name: str, node: Node) -> Node:
        """A node that stands in many places: a rule, unless it is a leaf anyhow."""
        if not isinstance(node, (Choice, Sequence)) or node is EMPTY:
            return node
        return self._rules.promise(name, partial(_itself, node))

    def _value(self, value: Value) -> Node:
        name = self._names.of(value)
        return self._rules.promise(name, partial(self._write_value, value, name))

    def _write_value(self, value: Value, name: str) -> Node:
        form = self._canonical.form(value)
        parts = [lit(text) for constant, text in _CONSTANTS if constant in form.constants]
        parts += [number_node(form.numbers)] if form.numbers else []
        parts += [string_node(form.strings)] if form.strings else []
        for number, arrays in enumerate(form.arrays):
            plan = Counting(arrays, self._productive)
            if plan.can_exist():
                parts.append(self._arrays.array(plan, f"{name} array {number}"))
        for number, objects in enumerate(form.objects):
            if all(map(self._productive, objects.needed())):
                parts.append(self._object(objects, f"{name} object {number}"))
        return alt(*parts)

    # Objects: `{` gap (key colon value gap (`,` key colon value gap)*)? `}`

    def _object(self, objects: Objects, name: str) -> Node:
        last = max((n for n, m in enumerate(objects.members.values()) if m.is_required), default=-1)
        other = self._value(objects.other) if self._productive(objects.other) else None
        members = _Members(name, tuple(objects.members.items()), last, other)
        start, end = seq(lit("{"), self._gap), lit("}")
        options = [end] if last < 0 else []
        if self._has_more(members, 0):
            options.append(self._member_from(members, 0))
        return seq(start, alt(*options))

    def _next(self, members: _Members, number: int) -> int:
        """The first member from a number on that can occur."""
        entries = members.entries
        while number < len(entries) and not self._can_occur(entries[number][1]):
            number += 1
        return number

    def _can_occur(self, member: Member) -> bool:
        return member.is_required or self._productive(member.value)

    def _has_more(self, members: _Members, number: int) -> bool:
        return members.other is not None or self._next(members, number) < len(members.entries)

    def _member_from(self, members: _Members, number: int) -> Node:
        """One of the members from a number on, and all that follows it."""
        number = self._next(members, number)
        if number == len(members.entries):
            key = free_key(name for name, _ in members.entries)
            return self._pair(key, members.other or EMPTY, self._after(members, number))
        name, member = members.entries[number]
        after = self._after(members, number + 1)
        pair = self._pair(lit(quoted(name)), self._value(member.value), after)
        if member.is_required or not self._has_more(members, number + 1):
            return pair
        rule = f"{members.name} from member {number + 1}"
        write = partial(self._member_from, members, number + 1)
        return alt(pair, self._rules.promise(rule, write))

    def _pair(self, key: Node, value: Node, after: Node) -> Node:
        return seq(key, self._colon, value, after)

    def _after(self, members: _Members, number: int) -> Node:
        rule = f"{members.name} after member {number}"
        return self._rules.promise(rule, partial(self._write_after, members, number))

    def _write_after(self, members: _Members, number: int) -> Node:
        """What comes after the members before a number: the end, or a comma and more."""
        options = [lit("}")] if number > members.last_required else []
        if self._has_more(members, number):
            options.append(seq(self._comma, self._member_from(members, number)))
        return seq(self._gap, alt(*options))


@dataclass(frozen=True, slots=True, eq=False)
class _Members:
    """An object while its rules are written."""

    name: str
    entries: tuple[tuple[str, Member], ...]
    last_required: int
    other: Node | None


def _itself(node: Node) -> Node:
    return node
