"""Strings of an automaton: listed in order, drawn at random, or counted.

The first two work out which states can accept after exactly k more characters, so no prefix is ever
taken that has to be given up. `CharDFA.words` and `CharDFA.sample` are their public doors.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from random import Random
from typing import Protocol

from tercet.automata.charset import CharSet
from tercet.errors import GrammarError

LONGEST = 50_000
"""Characters of strings that are counted; those of finite automata are never longer."""


class Automaton(Protocol):
    """What is needed of a `CharDFA`."""

    @property
    def table(self) -> tuple[tuple[tuple[CharSet, int], ...], ...]:
        """For each state the characters to each target."""

    @property
    def accept(self) -> tuple[bool, ...]:
        """For each state whether it accepts."""


def _ready_in(dfa: Automaton, previous: set[int] | None) -> set[int]:
    """The states one step before `previous`; the accepting states when there is none."""
    if previous is None:
        return {state for state, accepting in enumerate(dfa.accept) if accepting}
    return {
        state
        for state, moves in enumerate(dfa.table)
        if any(target in previous for _, target in moves)
    }


def words(dfa: Automaton, lengths: tuple[int, int | None], limit: int) -> list[str]:
    """The first `limit` strings, shorter ones first and then by code point."""
    return list(islice(_words(dfa, lengths), limit))


def _words(dfa: Automaton, lengths: tuple[int, int | None]) -> Iterator[str]:
    ready: list[set[int]] = []
    for length in count():
        if lengths[1] is not None and length > lengths[1]:
            return
        ready.append(_ready_in(dfa, ready[-1] if ready else None))
        if 0 in ready[length]:
            yield from _words_of(dfa, length, ready)


def _words_of(dfa: Automaton, length: int, ready: list[set[int]]) -> Iterator[str]:
    """The strings of exactly this length, by an explicit stack: they may be long."""
    if length == 0:
        yield ""
        return
    text: list[str] = []
    stack = [_characters(dfa, 0, ready[length - 1])]
    while stack:
        move = next(stack[-1], None)
        if move is None:
            stack.pop()
            if text:
                text.pop()
            continue
        code_point, target = move
        text.append(chr(code_point))
        if len(text) == length:
            yield "".join(text)
            text.pop()
        else:
            stack.append(_characters(dfa, target, ready[length - len(text) - 1]))


def _characters(dfa: Automaton, state: int, allowed: set[int]) -> Iterator[tuple[int, int]]:
    """The (character, target) moves into allowed states, by code point."""
    spans = sorted(
        (low, high, target)
        for charset, target in dfa.table[state]
        if target in allowed
        for low, high in charset.ranges
    )
    return ((code, target) for low, high, target in spans for code in range(low, high + 1))


def sample(dfa: Automaton, rng: Random, max_len: int) -> str:
    """A string of at most `max_len` characters; lengths first, then moves, are equally likely."""
    ready: list[set[int]] = []
    for _ in range(max_len + 1):
        ready.append(_ready_in(dfa, ready[-1] if ready else None))
    lengths = [length for length, states in enumerate(ready) if 0 in states]
    if not lengths:
        raise GrammarError(
            f"no string of at most {max_len} characters",
            why="every string of the language is longer, or there is none",
            hint="allow longer strings",
        )
    state, text = 0, []
    for left in reversed(range(rng.choice(lengths))):
        moves = [move for move in dfa.table[state] if move[1] in ready[left]]
        charset, state = rng.choice(moves)
        text.append(chr(_draw(charset, rng)))
    return "".join(text)


def _draw(charset: CharSet, rng: Random) -> int:
    """A character of the set; each range is as likely as any other, so ASCII stays frequent."""
    return rng.randint(*rng.choice(charset.ranges))


def count_words(dfa: Automaton, lengths: tuple[int, int | None], most: int) -> int:
    """How many strings have these lengths; any greater number where there are more than `most`.

    Raises:
        GrammarError: some are too long to be counted.
    """
    low, high = lengths
    missing = _shortest(dfa)
    layer, length, found = {0: 1}, 0, 0
    while layer and (high is None or length <= high):
        if length >= low:
            found += sum(ways for state, ways in layer.items() if dfa.accept[state])
            if found > most or sum(layer.values()) > most:  # each of these leads to a string
                return most + 1
        if length > LONGEST:
            raise GrammarError("strings can't be counted", why=f"over {LONGEST} characters")
        following: dict[int, int] = {}
        length += 1
        for state, ways in layer.items():
            for chars, target in dfa.table[state]:
                if high is None or length + missing[target] <= high:
                    following[target] = following.get(target, 0) + ways * _size(chars)
        layer = following
    return found


def _shortest(dfa: Automaton) -> dict[int, int]:
    """For each state the least number of characters to an accepting one."""
    sources: dict[int, list[int]] = {}
    for state, moves in enumerate(dfa.table):
        for _, target in moves:
            sources.setdefault(target, []).append(state)
    queue = [state for state, accepting in enumerate(dfa.accept) if accepting]
    found = dict.fromkeys(queue, 0)
    for state in queue:
        for source in sources.get(state, ()):
            if source not in found:
                found[source] = found[state] + 1
                queue.append(source)
    return found


def _size(chars: CharSet) -> int:
    return sum(high - low + 1 for low, high in chars.ranges)
