"""Which characters match a set when case is ignored, as `re.IGNORECASE` does it for text.

A character matches when its lower case is that of a member, or has the same upper case as that:
one character against one character, so "ß" isn't "SS". Built by one scan, on first use.
"""

from __future__ import annotations

from functools import cache, lru_cache

from tercet.automata.charset import MAX_CODE_POINT, CharSet

_CASED = CharSet([(0x41, 0x5A), (0x61, 0x7A)])
_LAST_OF_BMP = 0xFFFF


def _lower(code_point: int) -> int:
    """The simple lower case: the first character of the full one, which matters for İ only."""
    return ord(chr(code_point).lower()[0])


@cache
def _matching() -> dict[int, CharSet]:
    """For each character that others match without regard to case, those others and itself."""
    cased = [code for code in range(MAX_CODE_POINT + 1) if _changes(chr(code))]
    same_lower: dict[int, list[int]] = {}
    same_upper: dict[str, set[int]] = {}
    for code in cased:
        same_lower.setdefault(_lower(code), []).append(code)
        same_upper.setdefault(chr(_lower(code)).upper(), set()).add(_lower(code))
    matching: dict[int, CharSet] = {}
    for code in cased:
        partners = same_upper[chr(_lower(code)).upper()]
        matched = {other for lower in partners for other in same_lower[lower]}
        matching[code] = CharSet((other, other) for other in matched)
    return matching


def _changes(char: str) -> bool:
    return char.lower() != char or char.upper() != char


@lru_cache(maxsize=4096)
def ignore_case(charset: CharSet, *, ascii_only: bool = False) -> CharSet:
    """The characters that match some member when case is ignored.

    >>> ignore_case(CharSet.of("k")) is CharSet.of("kK\u212a")
    True
    >>> ignore_case(CharSet.of("k"), ascii_only=True) is CharSet.of("kK")
    True
    """
    if ascii_only:
        swapped = ((code ^ 0x20, code ^ 0x20) for code in charset & _CASED)
        return charset | CharSet(swapped)
    spans = list(charset.ranges)
    for code, matched in _matching().items():
        if code in charset:
            spans += matched.ranges
    return CharSet(spans)


def is_doubtful(charset: CharSet, *, ascii_only: bool = False) -> bool:
    """Whether `re` itself goes astray with such a member of a class when case is ignored.

    CPython compares a capital beyond the BMP with small letters, so that it never matches, and
    folds ranges beyond the BMP even where only ASCII should be folded.
    """
    if len(charset) == 1:
        code = charset.ranges[0][0]
        return code > _LAST_OF_BMP and _lower(code) != code
    beyond = charset & CharSet([(_LAST_OF_BMP + 1, MAX_CODE_POINT)])
    return ascii_only and any(code in beyond for code in _matching())
