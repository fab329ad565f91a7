r"""Characters and the bytes that spell them, as the reference engine sees them.

In UTF-8 a character has one spelling, and inside a JSON string too if it is what `json.dumps` with
``ensure_ascii=False`` writes. With "json-any" it has every one that RFC 8259 allows. No spelling is
the beginning of another. Written without tables or automata on purpose, so that it can judge
`automata.bytedfa`, which does the same for speed.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from tercet.automata.charset import CharSet
from tercet.automata.jsontext import json_escape
from tercet.grammar.nodes import Encoding

_ESCAPED = {cp: json_escape(chr(cp)) for cp in (*range(0x20), 0x22, 0x5C)}
_ESCAPED_CHARS = CharSet((cp, cp) for cp in _ESCAPED)
_SHORT = {cp: spelled for cp, spelled in _ESCAPED.items() if len(spelled) == 2} | {0x2F: b"\\/"}
_CONTINUATION = frozenset(range(0x80, 0xC0))
_BOUNDS = ((0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x10000, 0x10FFFF))  # by length of UTF-8
_ALL_SPELLABLE: frozenset[int] = frozenset()


@lru_cache(1 << 12)
def spellings(encoding: Encoding, cp: int) -> frozenset[bytes]:
    r"""Every way of writing a character.

    >>> spellings("utf8", 9), spellings("json", 9)
    (frozenset({b'\t'}), frozenset({b'\\t'}))
    >>> sorted(spellings("json-any", 9))
    [b'\\t', b'\\u0009']
    """
    raw = chr(cp).encode()
    if encoding == "utf8":
        return frozenset({raw})
    usual = _ESCAPED.get(cp, raw)
    if encoding == "json":
        return frozenset({usual})
    units = chr(cp).encode("utf-16-be").hex()
    written = "".join("\\u" + units[at : at + 4] for at in range(0, len(units), 4))
    cases = [(char, char.upper()) if char in "abcdef" else (char,) for char in written]
    escapes = ("".join(chars).encode() for chars in product(*cases))
    return frozenset({usual, _SHORT.get(cp, usual), *escapes})


@lru_cache(1 << 16)
def chars_spelled(
    encoding: Encoding, prefix: bytes, unspellable: frozenset[int] = _ALL_SPELLABLE
) -> CharSet:
    """The characters with a spelling that starts with these bytes (at least one).

    With "json-any", the rest of the spelling is without the unspellable bytes.
    """
    if encoding == "utf8":
        return _chars_in_utf8(prefix)
    raw = _chars_in_utf8(prefix) - _ESCAPED_CHARS
    if encoding == "json-any":
        escaped = _chars_escaped(prefix, unspellable)
        return raw & spellable_chars("utf8", unspellable) | escaped
    escaped = CharSet((cp, cp) for cp, spelled in _ESCAPED.items() if spelled.startswith(prefix))
    return escaped | raw


@lru_cache(256)
def spellable_chars(encoding: Encoding, unspellable: frozenset[int]) -> CharSet:
    """The characters that can be written without the given bytes."""
    if encoding == "json-any":
        raw = spellable_chars("utf8", unspellable) - _ESCAPED_CHARS
        return raw | _chars_escaped(b"", unspellable)
    good = [(cp, cp) for cp in range(0x80) if unspellable.isdisjoint(*spellings(encoding, cp))]
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


def _chars_escaped(prefix: bytes, unspellable: frozenset[int]) -> CharSet:
    """The characters with an escape that starts so and goes on in spellable bytes."""
    short = [
        (cp, cp)
        for cp, spelled in _SHORT.items()
        if spelled.startswith(prefix) and unspellable.isdisjoint(spelled[len(prefix) :])
    ]
    units = _units(prefix[:6], unspellable)
    basic = units if len(prefix) <= 6 else []  # CharSet drops the surrogates
    highs = _clipped(units, 0xD800, 0xDBFF)
    lows = _clipped(_units(prefix[6:], unspellable), 0xDC00, 0xDFFF) if highs else []
    pairs = [
        ((high << 10) + 0x10000 + low, (high << 10) + 0x10000 + last)
        for first, end in highs
        for high in range(first, end + 1)
        for low, last in lows
    ]
    return CharSet([*short, *basic, *pairs])


def _clipped(ranges: list[tuple[int, int]], least: int, most: int) -> list[tuple[int, int]]:
    """The parts between two numbers, counted from the first."""
    return [
        (max(low, least) - least, min(high, most) - least)
        for low, high in ranges
        if low <= most and high >= least
    ]


@lru_cache(256)
def _units(spelled: bytes, unspellable: frozenset[int]) -> list[tuple[int, int]]:
    r"""The numbers of 16 bits that ``\u`` and four digits may come to name, as ranges."""
    mark, digits = spelled[:2], spelled[2:].decode("latin-1")
    if not b"\\u".startswith(mark) or not unspellable.isdisjoint(b"\\u"[len(mark) :]):
        return []
    if any(digit not in "0123456789abcdefABCDEF" for digit in digits):
        return []
    value, free = int(digits or "0", 16), 4 - len(digits)
    good = [d for d in range(16) if not unspellable.issuperset(f"{d:x}{d:X}".encode())]
    if len(good) == 16:
        return [(value << 4 * free, (value + 1 << 4 * free) - 1)]
    values = [value]
    for _ in range(free):
        values = [value << 4 | digit for value in values for digit in good]
    return [(value, value) for value in values]
