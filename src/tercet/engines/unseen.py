"""Which texts are still new in a scope: the reference engine's side of `Scope` and `Unseen`.

What was seen is kept as values: strings as they read, numbers as decimals. A text that is being
read must be able to end as something new, or its thread is dead.
"""

from __future__ import annotations

from collections.abc import Hashable
from decimal import Decimal

from tercet.automata.charset import CharSet
from tercet.automata.derive import classes, derive, is_empty, nullable
from tercet.automata.regex import Regex, both, negate, union
from tercet.automata.regex import text as text_regex

Seen = frozenset[Hashable] | tuple[Hashable, ...]
"""The values seen in a scope; or those noted so far in a composite, in their order."""

_MOST_TRIED = 4096  # spellings of numbers


def value_of(kind: str, text: str) -> Hashable:
    """What a text stands for when it is compared.

    >>> value_of("number", "1.0") == value_of("number", "10e-1")
    True
    """
    match kind:
        case "number" | "noted number":
            return Decimal(text)
        case "noted word":
            return None, text
        case _:
            return text


def compared(kind: str, seen: Seen) -> frozenset[Hashable]:
    """What a text of a kind must differ from."""
    if isinstance(seen, frozenset):
        return seen
    return frozenset(seen[::2]) if kind == "key" else frozenset()


def added(seen: Seen, value: Hashable) -> Seen:
    """What has been seen after one more value."""
    return seen | {value} if isinstance(seen, frozenset) else (*seen, value)


def can_be_new(kind: str, regex: Regex, text: str, seen: frozenset[Hashable]) -> bool:
    """Whether `text` can be completed, by what `regex` still allows, to something not in `seen`."""
    if not kind or not seen:
        return True
    return _some_number(regex, text, seen) if kind == "number" else _some_string(regex, text, seen)


def new_chars(kind: str, possible: CharSet, text: str, seen: frozenset[Hashable]) -> CharSet:
    """The characters among `possible` that need a closer look: those that lead towards `seen`."""
    if not kind or not seen:
        return CharSet.NONE
    if kind == "number":
        return possible
    ahead = (str(word)[len(text)] for word in seen if len(str(word)) > len(text))
    return possible & CharSet.of("".join(ahead))


def _some_string(regex: Regex, text: str, seen: frozenset[Hashable]) -> bool:
    taken = [str(word)[len(text) :] for word in seen if str(word).startswith(text)]
    return not is_empty(both(regex, negate(union(*map(text_regex, taken)))))


def _some_number(regex: Regex, text: str, seen: frozenset[Hashable]) -> bool:
    waiting, tried = [(regex, text)], 0
    while waiting and tried < _MOST_TRIED:
        here, spelled = waiting.pop()
        tried += 1
        if nullable(here) and value_of("number", spelled) not in seen:
            return True
        for chars in classes(here):
            for low, high in chars.ranges:
                for cp in range(low, min(high, low + 9) + 1):
                    after = derive(here, cp)
                    if not is_empty(after):
                        waiting.append((after, spelled + chr(cp)))
    return bool(waiting)
