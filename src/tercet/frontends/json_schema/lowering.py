"""From canonical forms to IR: each value is a rule, arrays and objects are chains of rules.

Those chains are `array_rules`' and `object_rules`'. Rules are written when an engine asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from tercet.frontends.json_schema.array_rules import ArrayRules
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.chains import ChainRules, is_chain
from tercet.frontends.json_schema.comparing import Composed, NotedKeys, noted_scalars
from tercet.frontends.json_schema.distinct import plan_of
from tercet.frontends.json_schema.forms import Form
from tercet.frontends.json_schema.leaves import leaf_of
from tercet.frontends.json_schema.members import Members
from tercet.frontends.json_schema.naming import Names
from tercet.frontends.json_schema.object_rules import ObjectRules
from tercet.frontends.json_schema.productive import Productive
from tercet.frontends.json_schema.rules import LazyRules
from tercet.frontends.json_schema.schema import Value
from tercet.frontends.json_schema.spelling import PlainKeys, number_node, string_node
from tercet.frontends.json_schema.whitespace import Whitespace
from tercet.grammar.nodes import EMPTY, Choice, Composite, Language, Node, Sequence, alt, lit, seq


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
        self._arrays = ArrayRules(self._rules, self._gap, self._comma, self._value, self._composed)
        colon = self._shared("colon", seq(space.gap, lit(":"), space.after_colon))
        self._is_ordered = order == "schema"
        punctuation = self._gap, self._comma, colon, canonical.style
        self._chains = ChainRules(self._rules, self._value, productive, *punctuation)
        self._objects = ObjectRules(
            self._rules,
            self._value,
            self._gap,
            self._comma,
            colon,
            PlainKeys(canonical.style),
            is_ordered=self._is_ordered,
        )
        self._compared_arrays = replace(self._arrays, value=self._noted)
        self._compared_objects = replace(
            self._objects, value=self._noted, keys=NotedKeys(), is_compared=True
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
        words = self._canonical.style.words
        parts = [lit(text) for constant, text in words if constant in form.constants]
        parts += [number_node(form.numbers, self._canonical.style)] if form.numbers else []
        parts += [string_node(form.strings, self._canonical.style)] if form.strings else []
        parts += self._written(form, name, self._arrays, self._objects)
        return alt(*parts)

    def _written(
        self, form: Form, name: str, array_rules: ArrayRules, object_rules: ObjectRules
    ) -> Iterator[Node]:
        """The arrays and objects of a form."""
        for number, arrays in enumerate(form.arrays):
            plan = plan_of(arrays, self._canonical, self._productive)
            if plan.can_exist():
                yield array_rules.array(plan, f"{name} array {number}")
        for number, objects in enumerate(form.objects):
            if object_rules is self._objects and self._is_ordered and is_chain(objects):
                yield self._chains.node(objects, f"{name} object {number}")
                continue
            members = Members(objects, self._canonical.keys, self._productive)
            if members.start is not None:
                yield object_rules.node(members, f"{name} object {number}")

    # Values that are compared

    def _noted(self, value: Value) -> Node:
        """A value inside of an item that must be new."""
        name = f"{self._names.of(value)} noted"
        return self._rules.promise(name, partial(self._write_noted, value, name))

    def _write_noted(self, value: Value, name: str) -> Node:
        form = self._canonical.form(value)
        return alt(*noted_scalars(form, self._canonical.style), *self._compared(form, name))

    def _composed(self, item: Composed) -> Node:
        """An array or object that must be new."""
        name = f"{self._names.of(item.value)} new {item.kind}"
        return self._rules.promise(name, partial(self._write_composed, item, name))

    def _write_composed(self, item: Composed, name: str) -> Node:
        form = self._canonical.form(item.value)
        only = Form(arrays=form.arrays) if item.kind == "array" else Form(objects=form.objects)
        return alt(*self._compared(only, name, is_new=True))

    def _compared(self, form: Form, name: str, *, is_new: bool = False) -> Iterator[Node]:
        """The arrays and objects of a form, each to be compared or part of one that is."""
        rules = self._compared_arrays, self._compared_objects
        for node in self._written(Form(arrays=form.arrays), name, *rules):
            yield Composite(node, "array", is_new)
        for node in self._written(Form(objects=form.objects), name, *rules):
            yield Composite(node, "object", is_new)


def _itself(node: Node) -> Node:
    return node
