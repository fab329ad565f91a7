"""A lexer can lead into dead ends that a parser doesn't see: they are refused.

After every lexeme some terminal must be able to come. The parser promises one, but the lexer may
never read it: it always loses to another one, or what came before would swallow it. Here every
place (state, guard) that a text may come to is looked at, with the terminals that can be read
there: one of them must be shifted, at once or after rules that are complete, whatever has led to
the state. This is a proof, not a search of all stacks, so it may refuse a grammar without a dead
end where a state can complete several rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from tercet.automata.lexing import Guard
from tercet.errors import GrammarError
from tercet.frontends.lark.states import END, State
from tercet.grammar.lexer import Lexer

Place = tuple[int, Guard | None]
Group = frozenset[int] | set[int]  # of states


def check(lexer: Lexer, states: Sequence[State], ignored: frozenset[str]) -> None:
    """Raise unless something can follow wherever a text may come to.

    Raises:
        GrammarError: a text could lead into a dead end.
    """
    shifts: dict[str, list[int]] = {}
    for before in states:
        for name, target in before.moves.items():
            shifts.setdefault(name, []).append(target)
    stacks = _Stacks(states)
    queue: list[Place] = [(0, None)]
    seen = set(queue)
    for place in queue:
        readable: set[str] = set()
        for state, guard in _between(lexer, place, ignored):
            possible = lexer.lexicon(state).possible(guard)
            for number, guards in possible.items():
                name = lexer.names(state)[number]
                readable.add(name)
                targets = [state] if name in ignored else shifts.get(name, ())
                found = {(target, left) for target in targets for left in guards} - seen
                queue += found
                seen |= found
        if place[0] not in stacks.going_on(frozenset(readable)):
            raise _refusal(states[place[0]].reads(frozenset(lexer.terminals)) - readable)


def _between(lexer: Lexer, place: Place, ignored: frozenset[str]) -> list[Place]:
    """The places that ignored lexemes lead to from one, and itself."""
    state, guard = place
    queue, seen = [guard], {guard}
    for before in queue:
        for number, guards in lexer.lexicon(state).possible(before).items():
            if lexer.names(state)[number] in ignored:
                queue += [g for g in guards if g not in seen]
                seen |= guards
    return [(state, g) for g in queue]


class _Stacks:
    """What a parser can do in a state, whatever the states below it on its stack."""

    def __init__(self, states: Sequence[State]) -> None:
        self._states = states
        self._before: list[set[int]] = [set() for _ in states]
        for number, state in enumerate(states):
            for target in state.moves.values():
                self._before[target].add(number)
        self.going_on = cache(self._going_on)

    def _going_on(self, readable: frozenset[str]) -> frozenset[int]:
        """The states in which one of these terminals, or the end, can always be shifted.

        Where a rule ends with itself, its end leads to its end again, on a lower stack. So for
        rules of two symbols and more it is enough to come to states that are still wanted: stacks
        end. A rule of one symbol leaves the stack as high, an empty one makes it higher.
        """
        shifting = {
            number
            for number, state in enumerate(self._states)
            if not readable.isdisjoint(state.moves) or END in state.moves
        }
        proven = self._grown(shifting, None, None)
        wanted = frozenset(range(len(self._states)))
        while (found := self._grown(proven, wanted, proven)) != wanted:
            wanted = found
        return found

    def _grown(
        self,
        found: Iterable[int],
        lower: Group | None,
        higher: Group | None,
    ) -> frozenset[int]:
        """These states and all that come to them, or with another height of the stack to others."""
        grown = set(found)
        others: list[Group] = [grown if other is None else other for other in (lower, higher)]
        while new := {
            number
            for number in set(range(len(self._states))) - grown
            if self._can(number, grown, *others)
        }:
            grown |= new
        return frozenset(grown)

    def _can(self, number: int, level: Group, lower: Group, higher: Group) -> bool:
        """Whether a rule is complete here after which each state that may follow is found."""
        return any(
            all(
                self._states[n].moves[name] in (higher, level, lower)[min(length, 2)]
                for n in self._below(number, length, name)
            )
            for name, length in self._states[number].complete
        )

    def _below(self, number: int, length: int, name: str) -> set[int]:
        """The states that may lie below the symbols of a complete rule."""
        level = {number}
        for _ in range(length):
            level = {before for n in level for before in self._before[n]}
        return {n for n in level if name in self._states[n].moves}


def _refusal(unreadable: frozenset[str]) -> GrammarError:
    names = " or ".join(sorted(unreadable)[:4])
    return GrammarError(
        f"the lexer can never read {names} where the grammar expects it",
        why="another terminal always matches the same text, or the text before would go on with it",
        hint="put %ignore'd white space between them, raise its priority, or join the terminals; "
        'lexer="dynamic_complete" knows no such dead ends',
    )
