"""Boolean formulas over numbered variables, each in one form only.

Reduced ordered binary decision diagrams (R. E. Bryant, "Graph-Based Algorithms for Boolean Function
Manipulation", 1986): a formula is a number, and equal formulas are equal numbers. `alternating`
needs that to recognise the states it has met before. The number of variables bounds the depth of
recursion; keep it below a few hundred.
"""

from __future__ import annotations

from collections.abc import Callable

FALSE, TRUE = 0, 1
_LEAF = 1 << 30  # below every variable


class TooManyFormulasError(Exception):
    """The formulas have grown beyond the budget."""


class Formulas:
    """The formulas that have been met, and how they combine.

    >>> formulas = Formulas(1000)
    >>> a, b = formulas.variable(0), formulas.variable(1)
    >>> formulas.negation(formulas.conjunction(a, b)) == formulas.disjunction(
    ...     formulas.negation(a), formulas.negation(b))
    True
    """

    def __init__(self, budget: int) -> None:
        self._left = budget
        self._nodes: list[tuple[int, int, int]] = [(_LEAF, 0, 0), (_LEAF, 1, 1)]
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._choices: dict[tuple[int, int, int], int] = {}

    def variable(self, number: int) -> int:
        """The formula that is true where this variable is."""
        return self._node(number, TRUE, FALSE)

    def conjunction(self, left: int, right: int) -> int:
        """Both."""
        return self.choice(left, right, FALSE)

    def disjunction(self, left: int, right: int) -> int:
        """Either, or both."""
        return self.choice(left, TRUE, right)

    def negation(self, formula: int) -> int:
        """Not this one."""
        return self.choice(formula, FALSE, TRUE)

    def choice(self, test: int, yes: int, no: int) -> int:
        """`yes` where `test` is true, `no` elsewhere.

        Raises:
            TooManyFormulasError: the work is over the budget.
        """
        if test in (FALSE, TRUE) or yes == no:
            return yes if test else no
        if (yes, no) == (TRUE, FALSE):
            return test
        key = test, yes, no
        found = self._choices.get(key)
        if found is None:
            self._work()
            top = min(self._nodes[formula][0] for formula in key)
            high = self.choice(*(self._under(formula, top, 1) for formula in key))
            low = self.choice(*(self._under(formula, top, 2) for formula in key))
            found = self._choices[key] = self._node(top, high, low)
        return found

    def substitute(self, formula: int, value: Callable[[int], int]) -> int:
        """The formula with `value(variable)` in place of each variable."""
        return self._substituted(formula, value, {FALSE: FALSE, TRUE: TRUE})

    def _substituted(self, formula: int, value: Callable[[int], int], done: dict[int, int]) -> int:
        if formula not in done:
            self._work()
            variable, high, low = self._nodes[formula]
            yes = self._substituted(high, value, done)
            no = self._substituted(low, value, done)
            done[formula] = self.choice(value(variable), yes, no)
        return done[formula]

    def evaluate(self, formula: int, holds: Callable[[int], bool]) -> bool:
        """Whether the formula is true, given which variables are."""
        while formula not in (FALSE, TRUE):
            variable, high, low = self._nodes[formula]
            formula = high if holds(variable) else low
        return formula == TRUE

    def _work(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooManyFormulasError

    def _node(self, variable: int, high: int, low: int) -> int:
        if high == low:
            return high
        key = variable, high, low
        if key not in self._numbers:
            self._numbers[key] = len(self._nodes)
            self._nodes.append(key)
        return self._numbers[key]

    def _under(self, formula: int, variable: int, side: int) -> int:
        node = self._nodes[formula]
        return node[side] if node[0] == variable else formula
