"""Boolean combinations of regular languages, decided without building their automaton.

Whether `A and not B` has a text at all takes a walk through the pairs of states, which mostly ends
after a few steps; the automaton of it takes a product, a minimisation and a canonical numbering.
So what only asks (do patterns overlap, is a key in a class) asks here, and what needs the automaton
goes to `chardfa.compile_regex`. The automata of the parts are that module's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from tercet.automata.chardfa import BUDGET, CharDFA, compile_regex
from tercet.automata.charset import CharSet, partition
from tercet.automata.glushkov import over_budget
from tercet.automata.regex import ANY_TEXT, And, Not, Regex, Union, postorder
from tercet.automata.tables import DEAD

_NO, _MAYBE, _YES = range(3)
_WALKED = 2000  # combinations of states before the automaton is the better way

State = tuple[int, ...]


def accepts(regex: Regex, text: str) -> bool:
    """Whether a text is in the language, by its parts.

    >>> from tercet.automata.regex import both, negate, text
    >>> accepts(both(negate(text("a")), negate(text("b"))), "c")
    True
    """
    if regex is ANY_TEXT:
        return True
    formula, leaves = _formula(regex)
    return formula.value([_YES if dfa.accepts(text) else _NO for dfa in leaves]) == _YES


@lru_cache(maxsize=4096)
def has_text(regex: Regex) -> bool:
    """Whether any text is in the language.

    >>> from tercet.automata.regex import ANY_TEXT, both, chars, concat, negate, text
    >>> a = concat(text("a"), ANY_TEXT)
    >>> has_text(both(a, negate(text("a")))), has_text(both(a, text("b")))
    (True, False)

    Raises:
        GrammarError: a part needs more states than is reasonable.
    """
    formula, leaves = _formula(regex)
    if len(leaves) == 1 and not isinstance(regex, Not):
        return not compile_regex(regex).is_empty
    walk = Walk([formula], leaves)
    for number, state in enumerate(walk.states()):
        if _YES in (walk.outlooks[state][0], walk.verdicts(state)[0]):
            return True
        if number > _WALKED:
            return not compile_regex(regex).is_empty
    return False


class Part(NamedTuple):
    """The texts inside of some languages and outside of others; `bits` are those inside of which.

    With `is_open` every text of it, and every beginning of one, can go on for ever.
    """

    bits: int
    is_finite: bool
    is_open: bool


def parts(whole: Regex, cuts: Sequence[Regex]) -> list[Part]:
    """How some languages cut up another one, without the parts that no text is in.

    >>> from tercet.automata.regex import ANY_TEXT, concat, text
    >>> for part in parts(ANY_TEXT, [text("ab"), concat(text("a"), ANY_TEXT)]): print(*part)
    0 False True
    2 False True
    3 True False

    Raises:
        GrammarError: the languages need more states together than is reasonable.
    """
    if not cuts and whole is ANY_TEXT:
        return [Part(0, is_finite=False, is_open=True)]
    if len(cuts) == 1 and whole is ANY_TEXT and not _parts(cuts[0]):
        return list(_inside_and_outside(compile_regex(cuts[0])))
    return walked_parts(whole, cuts)


def _inside_and_outside(dfa: CharDFA) -> Iterator[Part]:
    """The parts of one cut, as its automaton and the complement have them."""
    for bits, part in enumerate((~dfa, dfa)):
        if not part.is_empty:
            is_open = bool((part.array >= 0).any(axis=1).all())
            yield Part(bits, is_finite=not is_open and part.is_finite, is_open=is_open)


def walked_parts(whole: Regex, cuts: Sequence[Regex]) -> list[Part]:
    """The same, by a walk through the states that all of them reach together."""
    leaves: dict[Regex, int] = {}
    formulas = [Formula(regex, leaves) for regex in (whole, *cuts)]
    walk = Walk(formulas, list(map(compile_regex, leaves)))
    ends: dict[int, list[State]] = {}
    for state in walk.states():
        verdicts = walk.verdicts(state)
        if verdicts[0] == _YES:
            bits = sum(1 << n for n, verdict in enumerate(verdicts[1:]) if verdict == _YES)
            ends.setdefault(bits, []).append(state)
    sources = _reversed(walk.edges)
    return [_part(bits, ends[bits], walk, sources) for bits in sorted(ends)]


def _part(bits: int, ends: list[State], walk: Walk, sources: dict[State, list[State]]) -> Part:
    useful, stack = set(ends), list(ends)
    while stack:
        new = [source for source in sources.get(stack.pop(), ()) if source not in useful]
        useful.update(new)
        stack += new
    waiting = {state: len(walk.edges[state] & useful) for state in useful}
    ready = [state for state, count in waiting.items() if not count]
    is_open, finished = not ready, 0
    while ready:
        finished += 1
        for source in sources.get(ready.pop(), ()):
            if source in useful:
                waiting[source] -= 1
                if not waiting[source]:
                    ready.append(source)
    return Part(bits, is_finite=finished == len(useful), is_open=is_open)


def _reversed(edges: dict[State, set[State]]) -> dict[State, list[State]]:
    sources: dict[State, list[State]] = {}
    for state, following in edges.items():
        for target in following:
            sources.setdefault(target, []).append(state)
    return sources


class Formula:
    """Operations in the order of evaluation: a leaf by its number, or "&", "|", "~" of others."""

    def __init__(self, regex: Regex, leaves: dict[Regex, int]) -> None:
        nodes = postorder(regex, _parts)
        place = {node: number for number, node in enumerate(nodes)}
        self._steps: list[tuple[str, tuple[int, ...]]] = []
        for node in nodes:
            parts = tuple(place[part] for part in _parts(node))
            if parts:
                self._steps.append((_OPERATORS[type(node)], parts))
            else:
                self._steps.append(("", (leaves.setdefault(node, len(leaves)),)))

    def value(self, leaves: Sequence[int]) -> int:
        """No, maybe or yes, as the leaves are."""
        values: list[int] = []
        for operator, parts in self._steps:
            if operator == "":
                values.append(leaves[parts[0]])
            elif operator == "~":
                values.append(_YES - values[parts[0]])
            elif operator == "&":
                values.append(min([values[part] for part in parts]))
            else:
                values.append(max([values[part] for part in parts]))
        return values[-1]


_OPERATORS: dict[type[Regex], str] = {And: "&", Union: "|", Not: "~"}


def _parts(node: Regex) -> tuple[Regex, ...]:
    """The operands of a combination; a union of plain expressions is a plain expression."""
    if isinstance(node, (And, Not)):
        return node.children
    if isinstance(node, Union) and any(isinstance(part, (And, Not)) for part in node.options):
        return node.children
    return ()


@lru_cache(maxsize=4096)
def _formula(regex: Regex) -> tuple[Formula, list[CharDFA]]:
    leaves: dict[Regex, int] = {}
    formula = Formula(regex, leaves)
    return formula, list(map(compile_regex, leaves))


class Walk:
    """The states that the automata of some leaves reach together.

    No further than to where all formulas are decided, or the first one can't be true.
    """

    def __init__(self, formulas: Sequence[Formula], leaves: Sequence[CharDFA]) -> None:
        self._formulas = formulas
        self._leaves = leaves
        self._everything = [_sink(dfa) for dfa in leaves]
        joint, members = partition(tuple(c for dfa in leaves for c in dfa.classes))
        # where there are characters in no class at all, they are one more column of dead ends
        self._has_others = not covers_all(joint)
        owners = _owners([len(dfa.classes) for dfa in leaves], members, len(joint))
        self._rows = [_expanded(dfa, owner) for dfa, owner in zip(leaves, owners, strict=True)]
        self.edges: dict[State, set[State]] = {}
        self.outlooks: dict[State, list[int]] = {}

    def states(self, budget: int = BUDGET) -> Iterator[State]:
        """Every state that matters, depth first; `edges` and `outlooks` have something for each."""
        start = (0,) * len(self._leaves)
        stack, seen = [start], {start}
        while stack:
            state = stack.pop()
            outlook = self.outlooks[state] = self._outlook(state)
            following = self.edges[state] = self._after(state, outlook)
            yield state
            new = following - seen
            seen |= new
            stack += new
            if len(seen) > budget:
                raise over_budget("states", budget)

    def _after(self, state: State, outlook: list[int]) -> set[State]:
        if outlook[0] == _NO:
            return set()
        if _MAYBE not in outlook:
            return {state}  # whatever follows, nothing changes
        after = set(zip(*[rows[s] for rows, s in zip(self._rows, state, strict=True)], strict=True))
        if self._has_others:
            after.add((DEAD,) * len(state))
        return after

    def verdicts(self, state: State) -> list[int]:
        """Whether a text that ends here is in each formula: no or yes."""
        values = [
            _YES if s >= 0 and dfa.accept[s] else _NO
            for s, dfa in zip(state, self._leaves, strict=True)
        ]
        return [formula.value(values) for formula in self._formulas]

    def _outlook(self, state: State) -> list[int]:
        """Whether any text that gets here is in each formula: none, some or all."""
        values = [
            _NO if s == DEAD else _YES if s == sink else _MAYBE
            for s, sink in zip(state, self._everything, strict=True)
        ]
        return [formula.value(values) for formula in self._formulas]


@lru_cache(maxsize=4096)
def covers_all(classes: tuple[CharSet, ...]) -> bool:
    """Whether every character is in one of the disjoint classes."""
    return sum(map(len, classes)) == len(CharSet.ANY)


def _sink(dfa: CharDFA) -> int:
    """The state from which every text is accepted; -2 if there is none."""
    if not covers_all(dfa.classes):
        return -2
    found = (s for s, row in enumerate(dfa.rows) if dfa.accept[s] and set(row) == {s})
    return next(found, -2)


def _owners(
    counts: list[int], members: tuple[tuple[int, ...], ...], joint: int
) -> Iterable[list[int]]:
    """For each automaton and joint class, the automaton's own class or -1."""
    at = 0
    for count in counts:
        owner = [DEAD] * joint
        for own, parts in enumerate(members[at : at + count]):
            for part in parts:
                owner[part] = own
        yield owner
        at += count


def _expanded(dfa: CharDFA, owner: list[int]) -> list[list[int]]:
    """The automaton's rows over joint classes; the last one is that of the dead state."""
    rows = [[*row, DEAD] for row in dfa.rows]
    return [*([row[own] for own in owner] for row in rows), [DEAD] * len(owner)]
