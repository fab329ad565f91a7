"""Lookaround taken out: the same language, written without it.

Where a look stands between a part that doesn't look ahead and one that doesn't look back, it is
Boolean algebra: `a(?=b)c` is `a` followed by what both `c` and `b.*` match. Patterns of real
schemas are nearly all of this kind, and stay expressions. Everything else goes to `alternating`,
as do anchors that `anchors` can't write out.
"""

from __future__ import annotations

from collections.abc import Iterable

from tercet.automata.alternating import TooLargeError, automaton_of
from tercet.automata.anchors import Anchor, RepeatedAnchorError, resolve
from tercet.automata.formulas import TooManyFormulasError
from tercet.automata.looks import Look, has_look, looks_in
from tercet.automata.regex import (
    ANY_TEXT,
    EMPTY,
    Concat,
    Regex,
    Repeat,
    Union,
    both,
    concat,
    negate,
    union,
)
from tercet.errors import GrammarError

_MOST_CASES = 32


class UnresolvedError(Exception):
    """The lookaround needs more states than is reasonable; `parse` says where."""


def without_looks(regex: Regex) -> Regex:
    """The strings that match from the beginning to the end of the text, by plain expressions.

    >>> from tercet.automata.regex import chars, repeat, text
    >>> a_or_b = repeat(chars("ab"), 1, None)
    >>> without_looks(concat(Look(text("a"), True, True), a_or_b)) is both(
    ...     a_or_b, negate(concat(text("a"), ANY_TEXT)))
    True

    Raises:
        UnresolvedError: it would be too large.
    """
    try:
        return _language(_parts(regex), [_MOST_CASES])
    except (TooLargeError, TooManyFormulasError, GrammarError):
        raise UnresolvedError from None


def _parts(regex: Regex) -> tuple[Regex, ...]:
    return regex.parts if isinstance(regex, Concat) else (regex,)


def _language(parts: tuple[Regex, ...], cases: list[int]) -> Regex:
    """The language of parts in a row, the first of which begins where the text does.

    It may begin elsewhere if nothing in it looks back, and end elsewhere if nothing looks ahead.
    """
    return _split(parts, cases) or automaton_of(concat(*parts))


def _split(parts: tuple[Regex, ...], cases: list[int]) -> Regex | None:
    """The language of parts in a row by Boolean algebra, or None if that doesn't do."""
    parts = _from_the_start(parts)
    place = next((index for index, part in enumerate(parts) if has_look(part)), None)
    if place is None:
        try:
            return resolve(concat(*parts))
        except RepeatedAnchorError:
            return None
    before, part, after = parts[:place], parts[place], parts[place + 1 :]
    if isinstance(part, Look):
        return (_ahead if part.ahead else _behind)(before, part, after, cases)
    options = _cases(part)
    cases[0] -= len(options)
    if not options or cases[0] < 0:
        return None
    found: list[Regex] = []
    for option in options:
        language = _split(_parts(concat(*before, option, *after)), cases)
        if language is None:
            return None
        found.append(language)
    return union(*found)


def _from_the_start(parts: tuple[Regex, ...]) -> tuple[Regex, ...]:
    """Without what can only be empty: anything before the beginning of the text."""
    start = 0
    while start < len(parts) and (_is_start(parts[start]) or parts[start] is ANY_TEXT):
        start += 1
    while start and not _is_start(parts[start - 1]):
        start -= 1
    return parts[start:]


def _is_start(part: Regex) -> bool:
    return isinstance(part, Anchor) and part.kind == "start"


def _cases(part: Regex) -> tuple[Regex, ...]:
    if isinstance(part, Union):
        return part.options
    if isinstance(part, Repeat) and (part.min, part.max) == (0, 1):
        return EMPTY, part.body
    return ()


def _ahead(
    before: tuple[Regex, ...], look: Look, after: tuple[Regex, ...], cases: list[int]
) -> Regex | None:
    """`before`, and then what `after` has and what the look allows."""
    if before and (_looks(before)[1] or _looks((look.body, *after))[0]):
        return None
    seen = _language((*_parts(look.body), ANY_TEXT), cases)
    allowed = negate(seen) if look.negative else seen
    return concat(_language(before, cases), both(_language(after, cases), allowed))


def _behind(
    before: tuple[Regex, ...], look: Look, after: tuple[Regex, ...], cases: list[int]
) -> Regex | None:
    """What `before` has and what the look allows, and then `after`."""
    if _looks((*before, look.body))[1] or _looks(after)[0]:
        return None
    seen = _language((ANY_TEXT, *_parts(look.body)), cases)
    allowed = negate(seen) if look.negative else seen
    return concat(both(_language(before, cases), allowed), _language(after, cases))


def _looks(parts: Iterable[Regex]) -> tuple[bool, bool]:
    """What `looks_in` says of parts in a row."""
    found = [looks_in(part) for part in parts]
    return any(before for before, _ in found), any(after for _, after in found)
