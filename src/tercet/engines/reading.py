"""Inside a terminal, as the reference engine reads it: characters by derivatives, bytes pending.

A `Reading` is what is left of a regular expression. A byte completes a character, or may still
become one that the expression allows. Texts of an `Unseen` are kept, and must be able to end new.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import NamedTuple

from tercet.automata.charset import CharSet
from tercet.automata.derive import classes, derive, is_empty, nullable
from tercet.automata.regex import EMPTY, Regex, both, negate
from tercet.engines.lexing import Growing, Lexing
from tercet.engines.spelling import chars_spelled, spellings
from tercet.engines.unseen import Seen, added, can_be_new, compared, new_chars, value_of
from tercet.grammar.nodes import Encoding

Scopes = tuple[Seen | Lexing, ...]


class Reading(NamedTuple):
    """Inside a terminal: what is left of it, and the bytes of a character that is not complete."""

    regex: Regex
    encoding: Encoding
    pending: bytes
    kind: str = ""  # of what is remembered; then its text so far
    text: str = ""
    unspellable: frozenset[int] = frozenset()  # bytes
    growing: Growing | None = None  # of a lexeme


def read(head: Reading, byte: int, scopes: Scopes) -> list[Reading]:
    """The heads after one more byte of a terminal; EMPTY is left where the terminal may end."""
    pending = head.pending + bytes([byte])
    possible = _next_chars(head.regex) & chars_spelled(head.encoding, pending, head.unspellable)
    if not possible:
        return []
    (first, last), *_ = possible.ranges
    if first == last and pending in spellings(head.encoding, first):  # no spelling starts another
        return resume(_after_char(head, first), scopes)
    doubtful = new_chars(head.kind, possible, head.text, _seen(head.kind, scopes))
    sure = bool(possible - doubtful)
    if not sure and not any(resume(_after_char(head, cp), scopes) for cp in doubtful):
        return []
    return [head._replace(pending=pending)]


def _after_char(head: Reading, cp: int) -> Reading:
    text = head.text + chr(cp) if head.kind else ""
    growing = head.growing and head.growing.after(cp)
    return head._replace(regex=derive(head.regex, cp), pending=b"", text=text, growing=growing)


def resume(head: Reading, scopes: Scopes) -> list[Reading]:
    """A terminal at the end of a character: it may go on, it may end, or both."""
    seen = _seen(head.kind, scopes)
    heads = []
    going_on = both(head.regex, negate(EMPTY))
    if _next_chars(head.regex) and can_be_new(head.kind, going_on, head.text, seen):
        heads.append(head._replace(regex=going_on))
    if nullable(head.regex) and not (head.kind and value_of(head.kind, head.text) in seen):
        heads.append(head._replace(regex=EMPTY))
    return heads


def _seen(kind: str, scopes: Scopes) -> frozenset[Hashable]:
    innermost = scopes[-1] if scopes else frozenset()
    return frozenset() if isinstance(innermost, Lexing) else compared(kind, innermost)


def with_seen(head: Reading, scopes: Scopes) -> Scopes:
    """The scopes after a text that is remembered or a lexeme has ended."""
    innermost = scopes[-1] if scopes else None
    if isinstance(innermost, Lexing):
        guard = head.growing.left() if head.growing else innermost.guard
        return (*scopes[:-1], innermost._replace(guard=guard))
    if not head.kind or innermost is None:
        return scopes
    return (*scopes[:-1], added(innermost, value_of(head.kind, head.text)))


def in_context(scopes: Scopes, context: int) -> Scopes:
    """The scopes with the innermost lexer in another context."""
    place = scopes[-1]
    return (*scopes[:-1], place._replace(context=context)) if isinstance(place, Lexing) else scopes


@lru_cache(1 << 16)
def _next_chars(regex: Regex) -> CharSet:
    """The characters after which the expression can still be matched."""
    found = CharSet.NONE
    for chars in classes(regex):
        if chars and not is_empty(derive(regex, chars.ranges[0][0])):
            found |= chars
    return found
