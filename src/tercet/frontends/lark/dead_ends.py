"""A lexer can lead into dead ends that a parser doesn't see: they are refused.

After every lexeme some terminal must be able to come. The parser promises one for each terminal
that its state can shift, but the lexer may never read it: it always loses to another one, or what
came before would swallow it. Here every place (state, guard) that a text may come to is looked at:
it is safe if a terminal can come that the state itself shifts, or all of those that it can reduce
by. This is a proof, not a search of all stacks, so it may refuse a grammar without a dead end.
"""

from __future__ import annotations

from collections.abc import Sequence

from tercet.automata.lexing import Guard
from tercet.errors import GrammarError
from tercet.frontends.lark.states import END, State
from tercet.grammar.lexer import Lexer

Place = tuple[int, Guard | None]


def check(lexer: Lexer, states: Sequence[State], ignored: frozenset[str]) -> None:
    """Raise unless something can follow wherever a text may come to.

    Raises:
        GrammarError: a text could lead into a dead end.
    """
    shifts: dict[str, list[int]] = {}
    for before in states:
        for name, target in before.moves.items():
            shifts.setdefault(name, []).append(target)
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
        _require(states[place[0]], readable, frozenset(lexer.terminals))


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


def _require(state: State, readable: set[str], terminals: frozenset[str]) -> None:
    shifted = set(state.moves) & terminals
    if shifted & readable:
        return
    blocked = (state.lookaheads - {END}) - readable or (shifted and not state.lookaheads)
    if not blocked:
        return
    names = sorted(shifted | (state.lookaheads - {END} - readable))
    raise GrammarError(
        f"the lexer can never read {' or '.join(names[:4])} where the grammar expects it",
        why="another terminal always matches the same text, or the text before would go on with it",
        hint="put %ignore'd white space between them, raise its priority, or join the terminals",
    )
