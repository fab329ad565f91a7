"""From canonical forms to IR: each value is a rule, arrays and objects are chains of rules.

Those chains are `array_rules`' and `object_rules`'. Rules are written when an engine asks for them.
"""

from __future__ import annotations

from functools import partial

from tercet.frontends.json_schema.array_rules import ArrayRules
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.chains import ChainRules, is_chain
from tercet.frontends.json_schema.distinct import plan_of
from tercet.frontends.json_schema.leaves import CONSTANTS, leaf_of
from tercet.frontends.json_schema.members import Members
from tercet.frontends.json_schema.naming import Names
from tercet.frontends.json_schema.object_rules import ObjectRules
from tercet.frontends.json_schema.productive import Productive
from tercet.frontends.json_schema.rules import LazyRules
from tercet.frontends.json_schema.schema import Value
from tercet.frontends.json_schema.spelling import number_node, string_node
from tercet.frontends.json_schema.whitespace import Whitespace
from tercet.grammar.nodes import EMPTY, Choice, Language, Node, Sequence, alt, lit, seq


class Lowering:
    """Writes the rules of one schema document."""

    def __init__(
        self, canonical: Canonical, productive: Productive, space: Whitespace, order: str
    ) -> None:
        self._canonical = canonical
        self._productive = productive
        self._names = Names()
        self._rules = LazyRules()
        self._nodes: dict[Value, Node] = {}
        self._outside = space.outside
        self._gap = self._shared("whitespace", space.gap)
        after_comma = self._shared("whitespace after a comma", space.after_comma)
        self._comma = seq(lit(","), after_comma)
        self._arrays = ArrayRules(self._rules, self._gap, self._comma, self._value)
        colon = self._shared("colon", seq(space.gap, lit(":"), space.after_colon))
        self._is_ordered = order == "schema"
        punctuation = self._gap, self._comma, colon, canonical.style
        self._chains = ChainRules(self._rules, self._value, productive, *punctuation)
        self._objects = ObjectRules(
            self._rules, self._value, *punctuation, is_ordered=self._is_ordered
        )

    def language(self, root: Value) -> Language:
        """The texts of a value that has an instance, with the whitespace around it."""
        return Language(seq(self._outside, self._rule(root), self._outside), self._rules)

    def _shared(self, name: str, node: Node) -> Node:
        """A node that stands in many places: a rule, unless it is a leaf anyhow."""
        if not isinstance(node, (Choice, Sequence)) or node is EMPTY:
            return node
        return self._rules.promise(name, partial(_itself, node))

    def _value(self, value: Value) -> Node:
        """The node of a value: itself if it is a small leaf, otherwise a rule."""
        node = self._nodes.get(value)
        if node is None:
            node = leaf_of(value, self._canonical.style) or self._rule(value)
            self._nodes[value] = node
        return node

    def _rule(self, value: Value) -> Node:
        name = self._names.of(value)
        return self._rules.promise(name, partial(self._write_value, value, name))

    def _write_value(self, value: Value, name: str) -> Node:
        form = self._canonical.form(value)
        parts = [lit(text) for constant, text in CONSTANTS if constant in form.constants]
        parts += [number_node(form.numbers, self._canonical.style)] if form.numbers else []
        parts += [string_node(form.strings, self._canonical.style)] if form.strings else []
        for number, arrays in enumerate(form.arrays):
            plan = plan_of(arrays, self._canonical, self._productive)
            if plan.can_exist():
                parts.append(self._arrays.array(plan, f"{name} array {number}"))
        for number, objects in enumerate(form.objects):
            if self._is_ordered and is_chain(objects):
                parts.append(self._chains.node(objects, f"{name} object {number}"))
                continue
            members = Members(objects, self._canonical.keys, self._productive)
            if members.start is not None:
                parts.append(self._objects.node(members, f"{name} object {number}"))
        return alt(*parts)


def _itself(node: Node) -> Node:
    return node
