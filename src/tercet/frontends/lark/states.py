"""The states of the LALR automaton of a grammar: in which context each terminal is read.

Lark's own analysis gives the states and their lookaheads; conflicts are not resolved, for every way
of going on is followed here. A lexer stands in the state that the parser has shifted into last, and
knows the terminals that the state can shift or reduce by: what lark calls contextual lexing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tercet.frontends.lark.source import Source

END = "$END"


@dataclass(frozen=True)
class State:
    """Where each symbol leads, and which rules may be complete, before which terminals.

    A complete rule is its name and the number of symbols that it has read.
    """

    moves: dict[str, int]
    lookaheads: frozenset[str]
    complete: tuple[tuple[str, int], ...]

    def reads(self, is_terminal: frozenset[str]) -> frozenset[str]:
        """The terminals that may come here."""
        return (frozenset(self.moves) | self.lookaheads) & is_terminal


def states_of(source: Source) -> Sequence[State]:
    """The LALR states of a grammar, the start state first.

    >>> from tercet.frontends.lark.source import read
    >>> sorted(states_of(read('start: "a" start | "b"', "start"))[0].moves)
    ['A', 'B', 'start']
    """
    from lark.common import ParserConf
    from lark.grammar import NonTerminal, Rule, Terminal
    from lark.parsers.lalr_analysis import LALR_Analyzer

    origins = {production.origin for production in source.productions}
    rules = [
        Rule(
            NonTerminal(origin),
            [NonTerminal(part) if part in origins else Terminal(part) for part in parts],
            order=order,
        )
        for order, (origin, parts) in enumerate(source.productions)
    ]
    analyzer = LALR_Analyzer(ParserConf(rules, {}, [source.start]))
    analyzer.compute_lr0_states()
    analyzer.compute_reads_relations()  # type: ignore[no-untyped-call]
    analyzer.compute_includes_lookback()  # type: ignore[no-untyped-call]
    analyzer.compute_lookaheads()  # type: ignore[no-untyped-call]
    order: dict[Any, int] = {analyzer.lr0_start_states[source.start]: 0}
    queue, found = list(order), []
    for item_set in queue:
        moves = {}
        for symbol, target in sorted(item_set.transitions.items(), key=lambda move: move[0].name):
            if target not in order:
                order[target] = len(queue)
                queue.append(target)
            moves[str(symbol.name)] = order[target]
        lookaheads = frozenset(str(symbol.name) for symbol in item_set.lookaheads)
        rules_read = [item.rule for item in item_set.closure if item.is_satisfied]
        complete = [(str(rule.origin.name), len(rule.expansion)) for rule in rules_read]
        found.append(State(moves, lookaheads, tuple(sorted(complete))))
    return found
