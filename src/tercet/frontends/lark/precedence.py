"""Which terminal wins where several match, as lark decides it.

Lark tries the terminals of a context one after another and takes the first that matches: by
priority, then patterns that can be longer first. A string that a pattern matches as well is not
tried by itself: what the pattern has matched is read as the string if it is just that string.
"""

from __future__ import annotations

from collections.abc import Iterable

from tercet.frontends.lark.source import Terminal
from tercet.grammar.lexer import Rank


def ranks(terminals: Iterable[Terminal]) -> tuple[Rank, ...]:
    r"""The terminals of a context in ranks; see `Lexer`.

    >>> from tercet.frontends.lark.source import read
    >>> source = read('start: "if" NAME | NAME "+"\nNAME: /[a-z]+/', "start")
    >>> ranks(source.terminals.values())
    (('IF', 'NAME'), ('PLUS',))
    """
    ordered = sorted(terminals, key=lambda terminal: terminal.order)
    names = [terminal.name for terminal in ordered]
    found: list[Rank] = []
    taken: set[str] = set()
    for terminal in ordered:
        words = [name for name in names if name in terminal.words and name not in taken]
        taken.update(words)
        found.append((*words, terminal.name))
    return tuple(rank for rank in found if len(rank) > 1 or rank[0] not in taken)
