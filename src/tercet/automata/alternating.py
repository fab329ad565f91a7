"""Lookaround as an automaton: exact wherever it stands, inside of repeats too.

While a text is read from the left, what is left of it has to fulfil a formula. Its variables are
*terms*, sequences of expressions that the rest of the text may match: the rest of the pattern, and
the body of each lookahead that was passed (that is an alternating automaton; formulas are kept in
one form by `formulas`). A lookbehind is followed from the beginning of the text, as the terms that
its body may still read, each with the formula under which it got there: a lookahead may stand
inside of it. Both kinds may be nested in each other, and a formula can be negated.

Terms are stepped by partial derivatives (V. Antimirov, 1996).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tercet.automata.anchors import Anchor
from tercet.automata.automaton import DEAD, Automaton, explore
from tercet.automata.chardfa import as_regex, compile_regex
from tercet.automata.charset import CharSet, partition
from tercet.automata.formulas import FALSE, TRUE, Formulas
from tercet.automata.looks import Look, as_look, looks_in
from tercet.automata.regex import (
    ANY_TEXT,
    Chars,
    Concat,
    Regex,
    Repeat,
    Union,
    concat,
    postorder,
)

Term = tuple[Regex, ...]
_Behind = tuple[tuple[Term, int], ...]  # terms of one lookbehind, and their conditions
_State = tuple[int, tuple[_Behind, ...]]

MOST_TERMS = 250
MOST_DEPTH = 60
_WORK = 150_000


class TooLargeError(Exception):
    """The automaton would have too many states, or its states would be too large."""


def automaton_of(regex: Regex) -> Regex:
    """The strings that match from the beginning to the end of the text, lookaround included.

    >>> from tercet.automata.regex import NEVER, repeat, text, union
    >>> a_or_b = union(text("a"), text("b"))
    >>> no_ab = repeat(concat(Look(text("ab"), True, True), a_or_b))
    >>> automaton_of(no_ab).after(ord("a")).after(ord("b")) is NEVER
    True

    Raises:
        TooLargeError: it is too large.
        TooManyFormulasError: its states are.
    """
    regex = _without_anchors(regex)
    machine = _Machine(regex)
    classes = _classes(regex)
    sample = "".join(chr(charset.ranges[0][0]) for charset in classes)
    return explore(machine.start, machine.step, machine.accepts, sample, classes)


def _without_anchors(regex: Regex) -> Regex:
    """Anchors as looks, and no more depth than recursion can take."""
    done: dict[Regex, Regex] = {}
    depth: dict[Regex, int] = {}
    for node in postorder(regex):
        parts = [done[child] for child in node.children]
        depth[node] = 1 + max((depth[child] for child in node.children), default=0)
        if depth[node] > MOST_DEPTH:
            raise TooLargeError
        done[node] = _rebuilt(node, parts)
    return done[regex]


def _rebuilt(node: Regex, parts: list[Regex]) -> Regex:
    match node:
        case Anchor():
            return as_look(node)
        case Concat():
            return Concat(tuple(parts))
        case Union():
            return Union(tuple(parts))
        case Repeat():
            return Repeat(parts[0], node.min, node.max)
        case Look():
            return Look(parts[0], node.ahead, node.negative)
    return node


def _classes(regex: Regex) -> tuple[CharSet, ...]:
    sets = {node.charset: None for node in postorder(regex) if isinstance(node, Chars)}
    parts, _ = partition(tuple(sets))
    rest = ~CharSet([span for part in parts for span in part.ranges])
    return (*parts, rest) if rest else parts


class _Machine:
    """The automaton: a state is a formula, and for each lookbehind the terms it may still read."""

    def __init__(self, regex: Regex) -> None:
        self.formulas = Formulas(_WORK)
        self._numbers: dict[Term, int] = {}
        self._terms: list[Term] = []
        self._order: dict[Term, int] = {}
        # a lookbehind comes after those inside of it
        looks = [node for node in postorder(regex) if isinstance(node, Look)]
        bodies = dict.fromkeys(look.body for look in looks if not look.ahead)
        self._behind = {body: number for number, body in enumerate(bodies)}
        behind = tuple((((_joined((ANY_TEXT, body))), TRUE),) for body in bodies)
        self.start: _State = self.formula((regex,)), behind

    def formula(self, term: Term) -> int:
        """That the rest of the text matches a term."""
        if term == (ANY_TEXT,) or (len(term) == 1 and _is_everything(term[0])):
            return TRUE
        if term not in self._numbers:
            if len(self._terms) >= MOST_TERMS:
                raise TooLargeError
            self._numbers[term] = len(self._terms)
            self._terms.append(term)
        return self.formulas.variable(self._numbers[term])

    def step(self, state: _State, char: str) -> _State | None:
        """The state after one more character, or None."""
        place = _Place(self, state, char)
        formula = place.later(state[0])
        if formula == FALSE:
            return None
        if formula == TRUE:
            return TRUE, ()
        return formula, tuple([place.followed(behind) for behind in state[1]])

    def accepts(self, state: _State) -> bool:
        """Whether the text may end here."""
        return _Place(self, state, "").holds(state[0])

    def in_order(self, terms: dict[Term, int]) -> _Behind:
        """Terms with their conditions, in an order that depends on the terms only."""
        for term in terms:
            self._order.setdefault(term, len(self._order))
        return tuple(sorted(terms.items(), key=lambda item: self._order[item[0]]))

    def behind_of(self, body: Regex) -> int:
        """The number of a lookbehind."""
        return self._behind[body]

    def term(self, number: int) -> Term:
        """The term that a variable stands for."""
        return self._terms[number]


class _Place:
    """A place between two characters: what holds there, and what it means after the next one."""

    def __init__(self, machine: _Machine, state: _State, char: str) -> None:
        self.machine = machine
        self.formulas = machine.formulas
        self.state = state
        self.char = ord(char) if char else -1
        self._later: dict[int, int] = {}

    def empty(self, parts: Iterable[Regex]) -> int:
        """The condition here under which all the parts match the empty string here."""
        result = TRUE
        for part in parts:
            result = self.formulas.conjunction(result, self._empty(part))
            if result == FALSE:
                break
        return result

    def _empty(self, regex: Regex) -> int:
        match regex:
            case Concat():
                return self.empty(regex.parts)
            case Union():
                return self._any(map(self._empty, regex.options))
            case Repeat():
                return TRUE if regex.min == 0 else self._empty(regex.body)
            case Look():
                return self._look(regex)
        return TRUE if regex.nullable else FALSE

    def _look(self, look: Look) -> int:
        if look.ahead:
            found = self.machine.formula(_joined((look.body, ANY_TEXT)))
        else:
            terms = self.state[1][self.machine.behind_of(look.body)]
            found = self._any(
                self.formulas.conjunction(condition, self.empty(term)) for term, condition in terms
            )
        return self.formulas.negation(found) if look.negative else found

    def _any(self, conditions: Iterable[int]) -> int:
        result = FALSE
        for condition in conditions:
            result = self.formulas.disjunction(result, condition)
        return result

    def later(self, formula: int) -> int:
        """What a formula about the text from here means behind the next character."""
        return self.formulas.substitute(formula, self._after)

    def _after(self, variable: int) -> int:
        if variable not in self._later:
            self._later[variable] = self._any(
                self.formulas.conjunction(condition, self.machine.formula(rest))
                for condition, rest in self._read(self.machine.term(variable))
            )
        return self._later[variable]

    def followed(self, behind: _Behind) -> _Behind:
        """The terms of a lookbehind after the next character."""
        found: dict[Term, int] = {}
        for term, before in behind:
            reached = self.later(before)
            for condition, rest in self._read(term) if reached else ():
                both = self.formulas.conjunction(reached, condition)
                if both != FALSE:
                    found[rest] = self.formulas.disjunction(found.get(rest, FALSE), both)
        if len(found) > MOST_TERMS:
            raise TooLargeError
        return self.machine.in_order(found)

    def _read(self, term: Term) -> Iterator[tuple[int, Term]]:
        """The ways of reading the next character: what has to hold behind it, and what is left."""
        skipped = TRUE
        for index, part in enumerate(term):
            rest = term[index + 1 :]
            for condition, left in self._read_in(part, rest):
                yield self.formulas.conjunction(skipped, condition), left
            skipped = self.formulas.conjunction(skipped, self.later(self._empty(part)))
            if skipped == FALSE:
                return

    def _read_in(self, regex: Regex, rest: Term) -> Iterator[tuple[int, Term]]:
        match regex:
            case Chars():
                if self.char in regex.charset:
                    yield TRUE, rest
            case Concat():
                for condition, left in self._read(regex.parts):
                    yield condition, left + rest
            case Union():
                for option in regex.options:
                    yield from self._read_in(option, rest)
            case Repeat():
                yield from self._read_repeat(regex, rest)
            case Automaton():
                after = regex.after(self.char)
                if isinstance(after, Automaton):
                    yield TRUE, (after, *rest)

    def _read_repeat(self, regex: Repeat, rest: Term) -> Iterator[tuple[int, Term]]:
        """Read in the first copy that isn't empty; empty ones may make up the least count."""
        most = None if regex.max is None else regex.max - 1
        if most == -1:
            return
        empty = self.later(self._empty(regex.body)) if regex.min > 1 else FALSE
        for condition, left in self._read_in(regex.body, ()):
            yield condition, (*left, *_copies(regex.body, regex.min - 1, most), *rest)
            if empty != FALSE:
                fewer = (*left, *_copies(regex.body, 0, most), *rest)
                yield self.formulas.conjunction(condition, empty), fewer

    def holds(self, formula: int) -> bool:
        """Whether a formula is true where the text ends."""
        return self.formulas.evaluate(formula, self._holds_at_end)

    def _holds_at_end(self, variable: int) -> bool:
        return self.holds(self.empty(self.machine.term(variable)))


def _copies(body: Regex, least: int, most: int | None) -> Term:
    return () if most == 0 else (Repeat(body, max(least, 0), most),)


def _joined(term: Term) -> Term:
    """A term without lookaround as one automaton, which has one state at a time."""
    whole = concat(*term)
    if any(looks_in(whole)):
        return term
    return (as_regex(compile_regex(whole)),)


def _is_everything(regex: Regex) -> bool:
    """Whether this is the state of an automaton from which every text is accepted."""
    if not isinstance(regex, Automaton) or not regex.nullable:
        return False
    row = regex.table.rows[regex.state]
    kept = [c for c, target in zip(regex.table.classes, row, strict=True) if target != DEAD]
    return set(row) <= {regex.state} and sum(map(len, kept)) == len(CharSet.ANY)
