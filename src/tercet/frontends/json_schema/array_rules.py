"""Arrays as rules: `[` gap (item gap (`,` item gap)*)? `]`.

What may come next is a plan's to say (`counting`, `distinct`); each of its states is a rule. Once
only the number of items is open, the rest of the array is one repetition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from tercet.frontends.json_schema.comparing import Composed
from tercet.frontends.json_schema.rules import LazyRules
from tercet.frontends.json_schema.schema import Value
from tercet.grammar.nodes import Node, Scope, alt, lit, rep, seq

Item = Value | Node | Composed


class Plan(Protocol):
    """The states of an array; they hash, and only the plan looks inside.

    `remembers` says that its items include nodes that ask what else the array has.
    """

    remembers: bool

    @property
    def start(self) -> Any:
        """The state before the first item."""

    def may_end(self, state: Any, /) -> bool:
        """Whether the array may end here."""

    def options(self, state: Any, /) -> Sequence[tuple[Item, Any]]:
        """What the next item may be and the state after it; only what can be completed."""

    def left(self, state: Any, /) -> tuple[int, int | None] | None:
        """How many more items there must and may be, where that is all that is open."""


@dataclass(slots=True, eq=False)
class ArrayRules:
    """Writes arrays; `value` makes the node of an item, `composed` that of one to compare."""

    rules: LazyRules
    gap: Node
    comma: Node
    value: Callable[[Value], Node]
    composed: Callable[[Composed], Node]

    def array(self, plan: Plan, name: str) -> Node:
        """The texts of a plan that can be completed."""
        options = [self._items(plan, name, plan.start)] if plan.options(plan.start) else []
        end = [lit("]")] if plan.may_end(plan.start) else []
        array = seq(lit("["), self.gap, alt(*options, *end))
        return Scope(array) if plan.remembers else array

    def _items(self, plan: Plan, name: str, state: Any) -> Node:
        """The next item and all after it, up to the end."""
        return alt(
            *(
                seq(self._item(item), self.gap, self._after(plan, name, following))
                for item, following in plan.options(state)
            )
        )

    def _item(self, item: Item) -> Node:
        if isinstance(item, Composed):
            return self.composed(item)
        return item if isinstance(item, Node) else self.value(item)

    def _after(self, plan: Plan, name: str, state: Any) -> Node:
        """What comes after some items: the end, or a comma and more."""
        end, options, left = lit("]"), plan.options(state), plan.left(state)
        if not options:
            return end
        if left is not None:
            item = alt(*(self._item(item) for item, _ in options))
            return seq(rep(seq(self.comma, item, self.gap), *left), end)
        rule = f"{name} after {state}"
        following = self.rules.promise(rule, partial(self._items, plan, name, state))
        more = seq(self.comma, following)
        return alt(end, more) if plan.may_end(state) else more
