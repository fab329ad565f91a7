"""Names of hosts: plain (RFC 1123) and international (RFC 5890 to 5893).

Apart from `addresses` because a name counts characters and labels at once, which is said in steps
rather than in an expression. Names have at most 253 characters and labels 63; counting both takes
20,000 states. Here are the names of up to three labels, and those of up to seven where all but the
first have at most 30 characters.

Punycode is not decoded: labels with hyphens in third and fourth place, such as ``xn--p1ai``, are
left out of host names. International names hold letters that are safe in every context, in labels
that are short enough to fit in Punycode.
"""

from __future__ import annotations

import unicodedata
from functools import cache, partial

from tercet.automata.automaton import explore
from tercet.automata.charset import CharSet
from tercet.automata.regex import (
    ANY_CHAR,
    Chars,
    Regex,
    both,
    chars,
    concat,
    optional,
    repeat,
    union,
)
from tercet.automata.unicode_sets import where

_State = tuple[int, bool, int, bool]  # label, whether one but the first is long, place, hyphen

_LABEL = 63
_SHORT_LABEL = 30
_FEW, _MANY = 3, 7
_WIDEST = 9  # a character of the basic plane takes six digits of Punycode at most
_ALNUM = CharSet([(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)])
_DOT = CharSet.of(".")
_SEPARATORS = CharSet.of(".\u3002\uff0e\uff61")  # those of RFC 3490
_BASIC = CharSet([(0x80, 0xFFFF)])
_JAMO = CharSet([(0x1100, 0x11FF), (0xA960, 0xA97F), (0xD7B0, 0xD7FF)])


def domain() -> Regex:
    """A domain name of letters, digits and hyphens (RFC 5321, section 4.1.2; RFC 1034)."""
    return _names(_DOT, puny=True)


def hostname(separators: CharSet = _DOT) -> Regex:
    """A host name; the same without what might be Punycode.

    >>> from tercet.automata.chardfa import compile_regex
    >>> accepts = compile_regex(hostname()).accepts
    >>> [name for name in ("localhost", "a--b.com", "xn--p1ai", "-a", "a.") if accepts(name)]
    ['localhost', 'a--b.com']
    """
    return _names(separators, puny=False)


def _names(separators: CharSet, *, puny: bool) -> Regex:
    classes = (_ALNUM, CharSet.of("-"), separators)
    return explore((0, False, 0, True), partial(_step, puny=puny), _accepts, "a-.", classes)


def _step(state: _State, char: str, *, puny: bool) -> _State | None:
    label, long, place, hyphen = state
    if char == ".":
        most = _FEW if long else _MANY
        return None if hyphen or label + 1 == most else (label + 1, long, 0, True)
    if char == "-" and (place == 0 or (place == 3 and hyphen and not puny)):
        return None
    long = long or (label > 0 and place >= _SHORT_LABEL)
    if place == _LABEL or (long and label >= _FEW):
        return None
    return label, long, place + 1, char == "-"


def _accepts(state: _State) -> bool:
    return not state[3]


def international() -> Regex:
    """A host name that may have letters of other alphabets, written from left or from right.

    Such a name has up to three labels of at most 9 characters, without hyphens in a row. Letters
    only: vowel signs and joiners, which many languages of South Asia write, aren't there.
    """
    left, right = _letters()
    letter = CharSet([(0x41, 0x5A), (0x61, 0x7A)])
    lower = CharSet([(0x30, 0x39), (0x61, 0x7A)])
    leftward = union(_label(_ALNUM, _ALNUM), _label(lower | left, lower | left))
    rightward = union(_label(letter, _ALNUM), repeat(Chars(right), 1, _WIDEST))
    return union(hostname(_SEPARATORS), _up_to_three(leftward), _up_to_three(rightward))


def _label(first: CharSet, other: CharSet) -> Regex:
    more = concat(Chars(first), repeat(concat(optional(chars("-")), Chars(other))))
    return both(more, repeat(ANY_CHAR, 1, _WIDEST))


def _up_to_three(label: Regex) -> Regex:
    return concat(label, repeat(concat(Chars(_SEPARATORS), label), 0, _FEW - 1))


@cache
def _letters() -> tuple[CharSet, CharSet]:
    """Letters that IDNA 2008 takes anywhere (RFC 5892): written from the left, from the right."""
    found = where(_direction)
    return (found["L"] & _BASIC) - _JAMO, found["R"] & _BASIC


def _direction(char: str) -> str:
    if unicodedata.category(char) not in {"Ll", "Lo"} or not "\x80" <= char <= "\uffff":
        return ""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", char).casefold())
    direction = unicodedata.bidirectional(char)
    return "" if folded != char else "R" if direction in {"R", "AL"} else direction
