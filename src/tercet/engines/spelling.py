"""Characters and the bytes that spell them, as the reference engine sees them.

A character has one spelling: its UTF-8, or inside a JSON string what `json.dumps` with
``ensure_ascii=False`` writes. No spelling is the beginning of another. Written without tables or
automata on purpose, so that it can judge `automata.bytedfa`, which does the same for speed.
"""

from __future__ import annotations

from functools import lru_cache

from tercet.automata.charset import CharSet
from tercet.automata.jsontext import json_escape
from tercet.grammar.nodes import Encoding

_ESCAPED = {cp: json_escape(chr(cp)) for cp in (*range(0x20), 0x22, 0x5C)}
_ESCAPED_CHARS = CharSet((cp, cp) for cp in _ESCAPED)
_CONTINUATION = frozenset(range(0x80, 0xC0))
_BOUNDS = ((0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x10000, 0x10FFFF))  # by length of UTF-8


def spell(encoding: Encoding, cp: int) -> bytes:
    r"""The bytes of a character.

    >>> spell("utf8", 9), spell("json", 9), spell("json", 0xE9)
    (b'\t', b'\\t', b'\xc3\xa9')
    """
    return _ESCAPED[cp] if encoding == "json" and cp in _ESCAPED else chr(cp).encode()


@lru_cache(1 << 16)
def chars_spelled(encoding: Encoding, prefix: bytes) -> CharSet:
    """The characters whose spelling starts with these bytes (at least one)."""
    if encoding == "utf8":
        return _chars_in_utf8(prefix)
    escaped = CharSet((cp, cp) for cp, spelled in _ESCAPED.items() if spelled.startswith(prefix))
    return escaped | (_chars_in_utf8(prefix) - _ESCAPED_CHARS)


@lru_cache(256)
def spellable_chars(encoding: Encoding, unspellable: frozenset[int]) -> CharSet:
    """The characters that can be written without the given bytes."""
    good = [(cp, cp) for cp in range(0x80) if unspellable.isdisjoint(spell(encoding, cp))]
    for lead in range(0xC2, 0xF5):
        block = _chars_in_utf8(bytes([lead])).ranges if lead not in unspellable else ()
        if unspellable.isdisjoint(_CONTINUATION):
            good += block
        else:
            chars = (cp for lo, hi in block for cp in range(lo, hi + 1))
            good += [(cp, cp) for cp in chars if unspellable.isdisjoint(chr(cp).encode())]
    return CharSet(good)


def _chars_in_utf8(prefix: bytes) -> CharSet:
    lead, *rest = prefix
    length = 1 if lead < 0x80 else 0 if lead < 0xC0 else 2 + (lead >= 0xE0) + (lead >= 0xF0)
    if not length or lead >= 0xF8 or len(prefix) > length:
        return CharSet.NONE
    bits = lead if length == 1 else lead & (0x7F >> length)
    for byte in rest:
        if byte not in _CONTINUATION:
            return CharSet.NONE
        bits = bits << 6 | byte & 0x3F
    free = 6 * (length - len(prefix))
    least, most = _BOUNDS[length - 1]
    least, most = max(least, bits << free), min(most, ((bits + 1) << free) - 1)
    return CharSet([(least, most)]) if least <= most else CharSet.NONE
