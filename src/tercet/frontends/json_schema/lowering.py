"""From canonical forms to IR: each value is a rule, arrays and objects are chains of rules.

An array is written item by item as far as its items have schemas of their own; objects are
`object_rules`'. Rules are written when an engine asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tercet.frontends.json_schema.arrays import Arrays
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.members import Members
from tercet.frontends.json_schema.naming import Names
from tercet.frontends.json_schema.object_rules import ObjectRules
from tercet.frontends.json_schema.productive import Productive
from tercet.frontends.json_schema.rules import LazyRules
from tercet.frontends.json_schema.schema import Value
from tercet.frontends.json_schema.spelling import number_node, string_node
from tercet.frontends.json_schema.whitespace import Whitespace
from tercet.grammar.nodes import EMPTY, Choice, Language, Node, Sequence, alt, lit, rep, seq

_CONSTANTS = ((None, "null"), (True, "true"), (False, "false"))


class Lowering:
    """Writes the rules of one schema document."""

    def __init__(
        self, canonical: Canonical, productive: Productive, space: Whitespace, order: str
    ) -> None:
        self._canonical = canonical
        self._productive = productive
        self._names = Names()
        self._rules = LazyRules()
        self._outside = space.outside
        self._gap = self._shared("whitespace", space.gap)
        after_comma = self._shared("whitespace after a comma", space.after_comma)
        self._comma = seq(lit(","), after_comma)
        colon = self._shared("colon", seq(space.gap, lit(":"), space.after_colon))
        self._objects = ObjectRules(
            self._rules, self._value, self._gap, self._comma, colon, is_ordered=order == "schema"
        )

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
            if all(map(self._productive, arrays.needed())):
                parts.append(self._array(arrays, f"{name} array {number}"))
        for number, objects in enumerate(form.objects):
            members = Members(objects, self._canonical.keys, self._productive)
            if members.start is not None:
                parts.append(self._objects.node(members, f"{name} object {number}"))
        return alt(*parts)

    # Arrays: `[` gap (item gap (`,` item gap)*)? `]`

    def _array(self, arrays: Arrays, name: str) -> Node:
        items = _Items(name, arrays, self._most(arrays))
        start = seq(lit("["), self._gap)
        if items.high == 0:
            return seq(start, lit("]"))
        first = self._items_from(items, 0)
        return seq(start, alt(first, lit("]")) if arrays.low == 0 else first)

    def _most(self, arrays: Arrays) -> int | None:
        """How many items there can be: none after the first that has no instance."""
        length, high = len(arrays.prefix), arrays.high
        for number in range(arrays.low, length if high is None else min(high, length)):
            if not self._productive(arrays.prefix[number]):
                return number
        if (high is None or high > length) and not self._productive(arrays.rest):
            return length
        return high

    def _items_from(self, items: _Items, number: int) -> Node:
        """Item `number` and all after it, up to the end."""
        item = self._value(items.arrays.item(number))
        return seq(item, self._gap, self._after_items(items, number + 1))

    def _after_items(self, items: _Items, count: int) -> Node:
        """What comes after `count` items: the end, or a comma and more."""
        low, high, end = items.arrays.low, items.high, lit("]")
        if high is not None and count >= high:
            return end
        if count >= len(items.arrays.prefix):
            more = seq(self._comma, self._value(items.arrays.rest), self._gap)
            left = None if high is None else high - count
            return seq(rep(more, max(low - count, 0), left), end)
        rule = f"{items.name} item {count}"
        following = self._rules.promise(rule, partial(self._items_from, items, count))
        more = seq(self._comma, following)
        return alt(end, more) if count >= low else more


@dataclass(frozen=True, slots=True, eq=False)
class _Items:
    """An array while its rules are written; `high` is the most items that have instances."""

    name: str
    arrays: Arrays
    high: int | None


def _itself(node: Node) -> Node:
    return node
