"""Which values have an instance at all, recursion included.

A value has an instance if one of its alternatives does: a scalar always, an array or object if what
it can't do without has one. Recursive schemas make this a least fixpoint: "a node needs a node"
never gets started. Only what such a decision asks for is looked at, so an optional member costs
nothing here until it is reached.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from tercet.errors import GrammarError
from tercet.frontends.json_schema.arrays import Arrays
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.comparing import require_comparable
from tercet.frontends.json_schema.counting import Counting
from tercet.frontends.json_schema.distinct import Few, plan_of
from tercet.frontends.json_schema.members import Members
from tercet.frontends.json_schema.objects import Objects
from tercet.frontends.json_schema.remembered import Remembered
from tercet.frontends.json_schema.schema import (
    NO_VALUE,
    Undecided,
    Value,
    has_simple_instance,
)


class Productive:
    """Decides whether values have instances; decisions are kept."""

    def __init__(self, canonical: Canonical) -> None:
        self._canonical = canonical
        self._known: dict[Value, bool] = {frozenset(): True, NO_VALUE: False}

    def __call__(self, value: Value) -> bool:
        """Whether any JSON value matches."""
        known = self._known.get(value)
        if known is None:
            if not has_simple_instance(value):
                self._settle(value)
                return self._known[value]
            known = self._known[value] = True
        return known

    def _settle(self, root: Value) -> None:
        """Ask again whenever something that an answer depended on turns out to have an instance."""
        users: dict[Value, dict[Value, None]] = {root: {}}
        todo, waiting = deque([root]), {root}
        while todo:
            value = todo.popleft()
            waiting.discard(value)
            asked: dict[Value, None] = {}
            if value in self._known:
                continue
            if self._has_instance(value, asked):
                self._known[value] = True
                woken = users[value].keys() - waiting
            else:
                woken = asked.keys() - users.keys()
                for need in asked:
                    users.setdefault(need, {})[value] = None
            todo += woken
            waiting |= woken
        for value in users:
            self._known.setdefault(value, False)

    def _has_instance(self, value: Value, asked: dict[Value, None]) -> bool:
        """Whether a value has an instance, as far as is known; `asked` gets what isn't."""

        def productive(need: Value) -> bool:
            known = self._known.get(need)
            if known is None:
                known = has_simple_instance(need)
                if not known:
                    asked[need] = None
            return known

        form = self._canonical.form(value)
        if form.has_scalars or any(self._has_array(value, a, productive) for a in form.arrays):
            return True
        return any(self._can_exist(value, objects, productive) for objects in form.objects)

    def inside(self, value: Value) -> list[Value]:
        """What writing a value may lead to; makes sure that its arrays and objects can be written.

        Raises:
            UnsupportedSchemaError: what can come when can't be worked out within reason.
        """
        form, found = self._canonical.form(value), list[Value]()
        for arrays in form.arrays:
            if arrays.distinct:
                self._require_comparable(value, arrays)
            found += arrays.inside()
        for objects in form.objects:
            if objects.patterns or not objects.is_free:
                found += self._members(value, objects, self).values()
            else:
                found += objects.values()
        return found

    def _has_array(self, value: Value, arrays: Arrays, productive: Callable[[Value], bool]) -> bool:
        if arrays.low < 2:  # then no two items need to differ
            return Counting(arrays, productive).can_exist()
        return self._plan(value, arrays, productive).can_exist()

    def _require_comparable(self, value: Value, arrays: Arrays) -> None:
        plan = self._plan(value, arrays, self)
        try:
            for item in plan.compared if isinstance(plan, Remembered) else ():
                require_comparable(item, self._canonical, self)
        except (Undecided, GrammarError) as error:
            raise self._canonical.too_complex(value, error) from error

    def _plan(
        self, value: Value, arrays: Arrays, productive: Callable[[Value], bool]
    ) -> Counting | Few | Remembered:
        try:
            return plan_of(arrays, self._canonical, productive)
        except (Undecided, GrammarError) as error:
            raise self._canonical.too_complex(value, error) from error

    def _can_exist(
        self, value: Value, objects: Objects, productive: Callable[[Value], bool]
    ) -> bool:
        if objects.is_free:
            return set(map(productive, objects.needed())) <= {True}
        return self._members(value, objects, productive).start is not None

    def _members(
        self, value: Value, objects: Objects, productive: Callable[[Value], bool]
    ) -> Members:
        try:
            return Members(objects, self._canonical.keys, productive)
        except (Undecided, GrammarError) as error:
            raise self._canonical.too_complex(value, error) from error
