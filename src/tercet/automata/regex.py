"""Regular expressions over characters, as interned nodes.

A `Regex` denotes a set of strings of Unicode characters. It says nothing of bytes, tokens or
syntax: `parse` reads patterns, `chardfa` compiles, `derive` steps. Build with the functions, which
simplify; the classes keep whatever they are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from tercet.automata.charset import CharSet
from tercet.errors import GrammarError
from tercet.interning import Interned


class Regex(Interned):
    """A set of strings; `nullable` says whether the empty string is one of them."""

    __slots__ = ("nullable",)
    nullable: bool

    def _complete(self) -> None:
        object.__setattr__(self, "nullable", self._is_nullable())

    def _is_nullable(self) -> bool:
        return False

    @property
    def children(self) -> tuple[Regex, ...]:
        """The nodes directly below this one."""
        return self._children()

    def _children(self) -> tuple[Regex, ...]:
        return ()


class Chars(Regex):
    """One character of a set."""

    __slots__ = ("charset",)
    charset: CharSet


class Concat(Regex):
    """One part after another; no parts is the empty string."""

    __slots__ = ("parts",)
    parts: tuple[Regex, ...]

    def _is_nullable(self) -> bool:
        return all(part.nullable for part in self.parts)

    def _children(self) -> tuple[Regex, ...]:
        return self.parts


class Union(Regex):
    """Any of the options; no options is the empty language."""

    __slots__ = ("options",)
    options: tuple[Regex, ...]

    def _is_nullable(self) -> bool:
        return any(option.nullable for option in self.options)

    def _children(self) -> tuple[Regex, ...]:
        return self.options


class Repeat(Regex):
    """`body` at least `min` and at most `max` times (None: without bound)."""

    __slots__ = ("body", "min", "max")
    body: Regex
    min: int
    max: int | None

    def _is_nullable(self) -> bool:
        return self.min == 0 or self.body.nullable

    def _children(self) -> tuple[Regex, ...]:
        return (self.body,)


class And(Regex):
    """The strings that every part has."""

    __slots__ = ("parts",)
    parts: tuple[Regex, ...]

    def _is_nullable(self) -> bool:
        return all(part.nullable for part in self.parts)

    def _children(self) -> tuple[Regex, ...]:
        return self.parts


class Not(Regex):
    """The strings that `body` does not have."""

    __slots__ = ("body",)
    body: Regex

    def _is_nullable(self) -> bool:
        return not self.body.nullable

    def _children(self) -> tuple[Regex, ...]:
        return (self.body,)


EMPTY: Regex = Concat(())
NEVER: Regex = Union(())
ANY_CHAR: Regex = Chars(CharSet.ANY)
ANY_TEXT: Regex = Repeat(ANY_CHAR, 0, None)


def chars(which: str | CharSet) -> Regex:
    """One character of a set, which may be written as in a character class.

    In a string, ``x-y`` is a range; a ``-`` at either end is itself. Nothing is escaped.

    >>> chars("a-c") is chars(CharSet.of("abc"))
    True
    """
    charset = which if isinstance(which, CharSet) else CharSet(_spelled_ranges(which))
    return Chars(charset) if charset else NEVER


def _spelled_ranges(text: str) -> Iterator[tuple[int, int]]:
    index = 0
    while index < len(text):
        low = high = ord(text[index])
        if text[index + 1 : index + 2] == "-" and index + 2 < len(text):
            high, index = ord(text[index + 2]), index + 2
        if high < low:
            raise GrammarError(f"the range {chr(low)}-{chr(high)} is in descending order")
        yield low, high
        index += 1


def text(string: str) -> Regex:
    """Exactly this string."""
    return concat(*(chars(CharSet.of(char)) for char in string))


def concat(*parts: Regex) -> Regex:
    """One part after another.

    >>> concat(text("a"), concat(), text("bc")) is text("abc")
    True
    """
    flat: list[Regex] = []
    for part in parts:
        if part is NEVER:
            return NEVER
        flat += part.parts if isinstance(part, Concat) else (part,)
    return flat[0] if len(flat) == 1 else Concat(tuple(flat))


def union(*options: Regex) -> Regex:
    """Any of the options, each once; single characters join into one set.

    >>> union(text("a"), text("b")) is chars("ab")
    True
    """
    flat: dict[Regex, None] = {}
    spans: list[tuple[int, int]] = []
    for option in _flatten_options(options):
        if isinstance(option, Chars):
            spans += option.charset.ranges
        else:
            flat[option] = None
    charset = CharSet(spans)
    distinct = [Chars(charset), *flat] if charset else list(flat)
    return distinct[0] if len(distinct) == 1 else Union(tuple(distinct))


def _flatten_options(options: Iterable[Regex]) -> Iterator[Regex]:
    for option in options:
        if isinstance(option, Union):
            yield from option.options
        else:
            yield option


def repeat(body: Regex, min: int = 0, max: int | None = None) -> Regex:
    """The body at least `min` and at most `max` times.

    >>> repeat(repeat(text("a"))) is repeat(text("a"))
    True
    """
    if max is not None and max < min:
        raise GrammarError(f"a repeat of at least {min} and at most {max} is impossible")
    if body is EMPTY or max == 0:
        return EMPTY
    if body is NEVER:
        return EMPTY if min == 0 else NEVER
    least = 0 if body.nullable else min
    if isinstance(body, Repeat) and body.max is None and body.min <= 1 and least <= 1:
        # (x*){m,n} is x*, and (x+){m,n} is x+ or x* for these m: n is not 0 here
        return body if least else Repeat(body.body, 0, None)
    if isinstance(body, Repeat) and (body.min, body.max, max) == (0, 1, None):
        return Repeat(body.body, 0, None)
    return body if (min, max) == (1, 1) else Repeat(body, least, max)


def optional(body: Regex) -> Regex:
    """The body or the empty string."""
    return body if body.nullable else repeat(body, 0, 1)


def both(*parts: Regex) -> Regex:
    """The strings that every part has; no parts is every string."""
    flat: dict[Regex, None] = {}
    for part in parts:
        for item in part.parts if isinstance(part, And) else (part,):
            if item is NEVER:
                return NEVER
            if item is not ANY_TEXT:
                flat[item] = None
    if not flat:
        return ANY_TEXT
    return next(iter(flat)) if len(flat) == 1 else And(tuple(flat))


def negate(regex: Regex) -> Regex:
    """Every string that the regex does not have.

    >>> negate(negate(text("a"))) is text("a")
    True
    """
    if regex is NEVER:
        return ANY_TEXT
    if regex is ANY_TEXT:
        return NEVER
    return regex.body if isinstance(regex, Not) else Not(regex)


@lru_cache(maxsize=1024)
def is_plain(root: Regex) -> bool:
    """Whether nothing in it is intersected or negated.

    >>> is_plain(text("a")), is_plain(negate(text("a")))
    (True, False)
    """
    return not any(isinstance(node, (And, Not)) for node in postorder(root))


def _all_children(regex: Regex) -> tuple[Regex, ...]:
    return regex.children


def postorder(
    root: Regex, below: Callable[[Regex], tuple[Regex, ...]] = _all_children
) -> list[Regex]:
    """Every distinct node, children before parents; without recursion, so any depth is fine.

    `below` chooses the children to visit.
    """
    order: dict[Regex, None] = {}
    opened: set[Regex] = set()
    stack = [root]
    while stack:
        node = stack[-1]
        if node in order or node in opened:
            order[stack.pop()] = None
        else:
            opened.add(node)
            stack += [child for child in below(node) if child not in order]
    return list(order)
