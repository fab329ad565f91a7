"""Characters and expressions written short, for the labels of pictures.

They are for reading: what is long is cut off, so nothing parses them.
"""

from __future__ import annotations

from tercet.automata.automaton import Automaton
from tercet.automata.charset import CharSet
from tercet.automata.regex import And, Chars, Concat, Not, Regex, Repeat, Union

_WIDTH = 40
_NAMES = {" ": "␠", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_COUNTS = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def visible(text: str) -> str:
    r"""A text in which everything can be seen.

    >>> visible("a b\n")
    'a␠b\\n'
    """
    shown = (_NAMES.get(char) or (char if char.isprintable() else _coded(char)) for char in text)
    return clipped("".join(shown))


def _coded(char: str) -> str:
    return f"U+{ord(char):04X}"


def clipped(text: str) -> str:
    """At most 40 characters."""
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def chars_label(charset: CharSet) -> str:
    """A set of characters: those that are in it, or those that aren't if these are fewer.

    >>> chars_label(CharSet.of("abcx")), chars_label(~CharSet.of('"'))
    ('[a-cx]', '[^"]')
    """
    if charset is CharSet.ANY:
        return "any"
    if len(charset) == 1:
        return visible(chr(charset.ranges[0][0]))
    others = ~charset
    if len(others.ranges) < len(charset.ranges):
        return clipped(f"[^{_ranges(others)}]")
    return clipped(f"[{_ranges(charset)}]")


def _ranges(charset: CharSet) -> str:
    parts = []
    for low, high in charset.ranges[:12]:
        first, last = visible(chr(low)), visible(chr(high))
        join = "" if high == low + 1 else "-"
        parts.append(first if low == high else f"{first}{join}{last}")
    return "".join(parts) + ("…" if len(charset.ranges) > 12 else "")


def regex_label(regex: Regex, depth: int = 8) -> str:
    """An expression, roughly as a pattern; `~` and `&` are complements and intersections.

    >>> from tercet.automata.parse import parse
    >>> regex_label(parse("a+|[0-9]{2}"))
    'a+|[0-9]{2}'
    """
    if depth == 0:
        return "…"
    match regex:
        case Chars(charset=charset):
            return chars_label(charset)
        case Concat(parts=parts):
            return clipped("".join(_grouped(part, depth) for part in parts[:_WIDTH]))
        case Union(options=options):
            return clipped("|".join(regex_label(part, depth - 1) for part in options[:_WIDTH]))
        case And(parts=parts):
            return clipped(" & ".join(_grouped(part, depth) for part in parts[:_WIDTH]))
        case Not(body=body):
            return f"~{_grouped(body, depth)}"
        case Repeat(body=body, min=least, max=most):
            between = f"{{{least}}}" if least == most else f"{{{least},{most or ''}}}"
            return _grouped(body, depth) + _COUNTS.get((least, most), between)
        case Automaton(table=table):
            return f"an automaton of {len(table.rows)} states"
    return "…"


def _grouped(regex: Regex, depth: int) -> str:
    label = regex_label(regex, depth - 1)
    return f"({label})" if isinstance(regex, Union | And) and len(label) > 1 else label
