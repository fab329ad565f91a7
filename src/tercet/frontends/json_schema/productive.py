"""Which values have an instance at all, recursion included.

A value has an instance if one of its alternatives does: a scalar always, an array or object if all
that it can't do without has one. Recursive schemas make this a least fixpoint: "a node needs a
node" never gets started. Only what such a decision needs is looked at, so an optional member costs
nothing here until it is reached.
"""

from __future__ import annotations

from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.schema import NO_VALUE, Value

Needs = list[frozenset[Value]]


class Productive:
    """Decides whether values have instances; decisions are kept."""

    def __init__(self, canonical: Canonical) -> None:
        self._canonical = canonical
        self._known: dict[Value, bool] = {frozenset(): True, NO_VALUE: False}

    def __call__(self, value: Value) -> bool:
        """Whether any JSON value matches."""
        if value not in self._known:
            self._settle(value)
        return self._known[value]

    def _settle(self, value: Value) -> None:
        open_values = self._explore(value)
        waiting: dict[Value, list[tuple[Value, int]]] = {}
        missing: dict[tuple[Value, int], int] = {}
        ready: list[Value] = []
        for user, alternatives in open_values.items():
            for number, needs in enumerate(alternatives):
                unmet = [need for need in needs if need in open_values]
                if any(self._known.get(need) is False for need in needs):
                    continue
                missing[user, number] = len(unmet)
                for need in unmet:
                    waiting.setdefault(need, []).append((user, number))
                if not unmet:
                    ready.append(user)
        while ready:
            value = ready.pop()
            if self._known.get(value):
                continue
            self._known[value] = True
            for key in waiting.get(value, ()):
                missing[key] -= 1
                if not missing[key]:
                    ready.append(key[0])
        for value in open_values:
            self._known.setdefault(value, False)

    def _explore(self, root: Value) -> dict[Value, Needs]:
        """Everything that the decision about a value may need, with its alternatives."""
        found: dict[Value, Needs] = {}
        todo = [root]
        while todo:
            value = todo.pop()
            if value in self._known or value in found:
                continue
            form = self._canonical.form(value)
            needs = [frozenset(item.needed()) for item in form.containers]
            if form.has_scalars or frozenset() in needs:
                self._known[value] = True
            else:
                found[value] = needs
                todo += {need for alternative in needs for need in alternative}
        return found
