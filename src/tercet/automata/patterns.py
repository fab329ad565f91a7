r"""Patterns as texts: the `format` "regex", a language of regular expressions.

That language isn't regular, so this is a part of it on which ECMA-262 (with the ``u`` flag) and
Python agree: groups nested up to three deep, lookahead outside of groups, classes with ranges of
digits and with those of letters that begin at a or A, counts of up to four digits. There are no
lookbehind, references, names, flags or properties. Reading patterns is `parse`'s.
"""

from __future__ import annotations

from tercet.automata.chardfa import as_regex, compile_regex
from tercet.automata.parse import parse
from tercet.automata.regex import Regex, chars, concat, optional, repeat, text, union

_DEPTH = 3
_CODE = "x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}"
_SETS = "dDwWsStnrfv"
_SYNTAX = r"\^$.*+?()\[\]{}|/\\"  # as in a class
_SPECIAL = r"\^$.*+?()\[\]{}|\\"


def pattern() -> Regex:
    """A pattern.

    >>> accepts = compile_regex(pattern()).accepts
    >>> [text for text in ("^(a|b)+$", "[z-a]", "a{2,1}", "(a") if accepts(text)]
    ['^(a|b)+$']
    """
    # classes and counts are small automata, so they are made one before they are repeated
    repeated = optional(concat(_small(_quantifier()), optional(text("?"))))
    plain = parse(rf"[^{_SPECIAL}]|\.|\\([{_SETS}{_SYNTAX}]|{_CODE})")
    atom = union(plain, _small(_class()))
    anchor = parse(r"\^|\$|\\[bB]")
    inside = repeat(union(concat(atom, repeated), anchor, text("|")))
    for _ in range(_DEPTH - 1):
        group = concat(text("("), optional(text("?:")), inside, text(")"))
        inside = repeat(union(concat(union(atom, group), repeated), anchor, text("|")))
    group = concat(text("("), optional(text("?:")), inside, text(")"))
    look = concat(union(text("(?="), text("(?!")), inside, text(")"))
    return repeat(union(concat(union(atom, group), repeated), anchor, look, text("|")))


def _small(regex: Regex) -> Regex:
    return as_regex(compile_regex(regex))


def _quantifier() -> Regex:
    """A count of times, the least not above the greatest."""
    one = (concat(text(f"{{{low},"), chars(f"{low}-9")) for low in map(str, range(10)))
    two = (concat(text(f"{{{low},"), _from(low)) for low in map(str, range(10, 100)))
    more = parse(r"\{([0-9],[1-9][0-9]{1,3}|[1-9][0-9],[1-9][0-9]{2,3})")
    bounded = concat(union(*one, *two, more), text("}"))
    return union(parse(r"[*+?]|\{(0|[1-9][0-9]{0,3}),?\}"), bounded)


def _from(low: str) -> Regex:
    """The numbers of two digits from one on."""
    tens, ones = low[0], low[1]
    same = concat(text(tens), chars(f"{ones}-9"))
    if tens == "9":
        return same
    return union(same, concat(chars(f"{chr(ord(tens) + 1)}-9"), chars("0-9")))


def _class() -> Regex:
    """A class; a dash is a range, or stands at one of the ends."""
    single = parse(rf"[^\\\[\]^-]|\\([{_SETS}b{_SYNTAX}-]|{_CODE})")
    ranges = [concat(text(f"{low}-"), chars(f"{low}-9")) for low in map(str, range(10))]
    ranges += [parse("a-[a-z]"), parse("A-[A-Z]")]
    members = repeat(union(single, *ranges), 1)
    dash = text("-")
    inside = union(concat(optional(dash), members, optional(dash)), dash)
    return concat(parse(r"\[\^?"), inside, text("]"))
