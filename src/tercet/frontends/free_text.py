"""Free text with conditions: where it ends, what must occur in it, what must not.

All conditions are substrings, so together they are one automaton over characters: the trie of the
substrings with its failure links (Aho and Corasick, "Efficient String Matching", 1975), and for
each state which conditions are met. A text has one state at a time, so no place in it is slow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from tercet.automata.automaton import STATE_BUDGET, explore
from tercet.automata.charset import CharSet
from tercet.automata.jsontext import json_escape
from tercet.automata.regex import NEVER
from tercet.errors import GrammarError, UnsatisfiableError
from tercet.grammar.nodes import Language, Node, term

_MOST_GROUPS = 12  # 2**12 sets of conditions that are met, times the states of the trie

Group = tuple[str, ...]


def lower(until: str | None, include: Sequence[Group], exclude: Group) -> Language:
    """The texts that end with the first `until`, have one of each group and nothing excluded.

    >>> root = lower("!", [("a",)], ("b",)).root
    >>> root.regex.nullable
    False

    Raises:
        GrammarError: a substring is empty or no text, or the conditions need too many states.
        UnsatisfiableError: they exclude each other.
    """
    _check(until, include, exclude)
    conditions = _Conditions(until, include, exclude)
    alphabet, classes = _alphabet(conditions.letters)
    regex = explore((0, 0), conditions.step, conditions.accepts, alphabet, classes)
    if regex is NEVER:
        raise UnsatisfiableError("no text can match", why="the conditions exclude each other")
    return Language(term(regex), {})


def _alphabet(letters: frozenset[str]) -> tuple[str, tuple[CharSet, ...]]:
    """Each letter, and one character for all others; with the class that it stands for."""
    known = "".join(sorted(letters))
    others = ~CharSet.of(known)  # never empty: the letters are those of a few strings
    return known + chr(others.ranges[0][0]), (*map(CharSet.of, known), others)


def _check(until: str | None, include: Sequence[Group], exclude: Group) -> None:
    if len(include) > _MOST_GROUPS:
        raise GrammarError(
            f"{len(include)} things to include",
            why=f"which of them have come is part of a state; {_MOST_GROUPS} are the most",
            hint="include fewer, or write the order in which they come as a sum of texts",
        )
    for group in include:
        if not group:
            raise GrammarError("a choice of nothing to include", at="include")
    texts = [*([] if until is None else [until]), *exclude, *chain(*include)]
    for text in texts:
        if not text:
            raise GrammarError("the empty text can't be a condition", why="it occurs everywhere")
        json_escape(text)  # refuses what UTF-8 can't spell
    if sum(map(len, texts)) > STATE_BUDGET:
        raise GrammarError(
            f"more than {STATE_BUDGET} characters to include, exclude or end with",
            why="each is a state of the automaton",
            hint="use fewer or shorter ones",
        )


def without(texts: Iterable[str]) -> Node:
    """Any text in which none of these occurs.

    >>> without(["ab"]).regex.after(ord("a")).after(ord("b")).nullable
    False

    Raises:
        GrammarError: one is empty or no text, or they need too many states.
    """
    return lower(None, (), tuple(texts)).root


def dispatched(triggers: Sequence[str], exclude: Sequence[str]) -> dict[str, Node]:
    """For each trigger, the texts that end where one has come for the first time, and it is this.

    Of several that end there it is the longest. Nothing excluded occurs, the trigger included.

    >>> dispatched(["ab", "b"], ["ba"])["b"].regex.nullable
    False

    Raises:
        GrammarError: a string is empty or no text, or they need too many states.
        UnsatisfiableError: a trigger never comes, since it holds something excluded or another.
    """
    found = {}
    _check(None, [tuple(triggers)], tuple(exclude))
    links = SubstringLinks([*triggers, *exclude])
    alphabet, classes = _alphabet(frozenset("".join([*triggers, *exclude])))
    for trigger in triggers:

        def step(node: int, char: str, trigger: str = trigger) -> int | None:
            if not links.found[node].isdisjoint(triggers):
                return None
            node = links.follow[node].get(char, 0)
            ends = links.found[node]
            if not ends.isdisjoint(exclude):
                return None
            here = max(ends.intersection(triggers), key=len, default=trigger)
            return node if here == trigger else None

        def accepts(node: int, trigger: str = trigger) -> bool:
            return trigger in links.found[node]

        regex = explore(0, step, accepts, alphabet, classes)
        if regex is NEVER:
            raise UnsatisfiableError(
                f"the trigger {trigger!r} never comes",
                why="it holds another trigger, or something that is excluded or ends the text",
            )
        found[trigger] = term(regex)
    return found


State = tuple[int, int]  # node of the trie; the groups that are met, as bits
_ENDED: State = (0, -1)


class _Conditions:
    """The automaton, as a step function."""

    def __init__(self, until: str | None, include: Sequence[Group], exclude: Group) -> None:
        self._has_end = until is not None
        self._all_met = (1 << len(include)) - 1
        texts = [*([] if until is None else [until]), *exclude, *chain(*include)]
        self.letters = frozenset("".join(texts))
        links = SubstringLinks(texts)
        self._follow = links.follow
        self._is_end = [until in found for found in links.found]
        self._is_excluded = [not found.isdisjoint(exclude) for found in links.found]
        self._met = [
            sum(1 << number for number, group in enumerate(include) if not found.isdisjoint(group))
            for found in links.found
        ]

    def step(self, state: State, char: str) -> State | None:
        """The state after one more character, or None."""
        if state == _ENDED:
            return None
        node = self._follow[state[0]].get(char, 0)
        if self._is_excluded[node]:
            return None
        met = state[1] | self._met[node]
        if self._is_end[node]:
            return _ENDED if met == self._all_met else None
        return node, met

    def accepts(self, state: State) -> bool:
        """Whether the text may end here."""
        return state == _ENDED if self._has_end else state[1] == self._all_met


class SubstringLinks:
    """A trie of strings, and where each of its nodes leads with any character.

    `found[node]` are the strings that end at a node. Characters that `follow[node]` lacks lead to
    node 0, the root.

    >>> links = SubstringLinks(["ab", "b"])
    >>> links.follow[links.follow[0]["a"]]["b"], sorted(links.found[3])
    (2, ['b'])
    """

    def __init__(self, texts: Iterable[str]) -> None:
        children: list[dict[str, int]] = [{}]
        self.found: list[frozenset[str]] = [frozenset()]
        for text in texts:
            node = 0
            for char in text:
                if char not in children[node]:
                    children[node][char] = len(children)
                    children.append({})
                    self.found.append(frozenset())
                node = children[node][char]
            self.found[node] = frozenset({text})
        self.follow: list[dict[str, int]] = [children[0]] * len(children)
        fails = [0] * len(children)
        queue = list(children[0].values())
        for node in queue:  # grows while it is read: breadth first
            fail = self.follow[fails[node]]
            self.found[node] |= self.found[fails[node]]
            self.follow[node] = {**fail, **children[node]}
            for char, child in children[node].items():
                fails[child] = fail.get(char, 0)
                queue.append(child)
