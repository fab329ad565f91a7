"""Mailboxes: plain (RFC 5321, section 4.1.2) and international (RFC 6531).

A local part, dotted or quoted, at a domain or an address. It has at most 64 octets, which the
states count; a character beyond ASCII has as many as in UTF-8.
"""

from __future__ import annotations

from tercet.automata.addresses import ipv4, ipv6
from tercet.automata.automaton import explore
from tercet.automata.charset import CharSet
from tercet.automata.hostnames import domain, international
from tercet.automata.parse import parse
from tercet.automata.regex import Regex, concat, text, union

_State = tuple[int, str]  # octets, and what came last

_MOST_OCTETS = 64
_PRINTABLE = CharSet([(0x20, 0x7E)])
_ATOM = CharSet([(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)]) | CharSet.of("!#$%&'*+/=?^_`{|}~-")
_ASCII = (_ATOM, *map(CharSet.of, '."\\'), _PRINTABLE - _ATOM - CharSet.of('."\\'))
_OTHER = tuple(CharSet([span]) for span in ((0x80, 0x7FF), (0x800, 0xFFFF), (0x10000, 0x10FFFF)))
_OCTETS = {"é": 2, "€": 3, "😀": 4}  # one of each class

_NEXT = {
    ("start", "a"): "atom", ("start", '"'): "opened",
    ("atom", "a"): "atom", ("atom", "."): "dot", ("dot", "a"): "atom",
    **{(state, char): "quoted" for state in ("opened", "quoted") for char in "a. "},
    ("opened", "\\"): "escaped", ("quoted", "\\"): "escaped", ("quoted", '"'): "closed",
    **{("escaped", char): "quoted" for char in 'a."\\ '},
}  # fmt: skip


def mailbox() -> Regex:
    """A mailbox of ASCII characters."""
    local = explore((0, "start"), _step, _accepts, 'a."\\ ', _ASCII)
    return concat(local, text("@"), union(domain(), _literal()))


def international_mailbox() -> Regex:
    """A mailbox with any characters in its local part, and an international name."""
    local = explore((0, "start"), _step, _accepts, 'a."\\ é€😀', _ASCII + _OTHER)
    return concat(local, text("@"), union(international(), _literal()))


def _literal() -> Regex:
    tagged = concat(parse("[Ii][Pp][Vv]6:"), ipv6(longest=6))
    return concat(text("["), union(ipv4(), tagged), text("]"))


def _step(state: _State, char: str) -> _State | None:
    octets, last = state
    octets += _OCTETS.get(char, 1)
    if char in _OCTETS and last == "escaped":
        return None  # only ASCII is escaped
    after = _NEXT.get((last, "a" if char in _OCTETS else char))
    return None if after is None or octets > _MOST_OCTETS else (octets, after)


def _accepts(state: _State) -> bool:
    return state[1] in {"atom", "closed"}
