"""The exceptions of tercet and how they are shown: place, excerpt, reason, way out.

Everything that tercet refuses ends here, so that every message has the same shape, and so that
nothing in this file may depend on anything else. What went wrong is the first line; the rest says
where, why, and what to do instead:

>>> print(UnsupportedSchemaError(
...     'cannot enforce "uniqueItems" exactly',
...     pointer="/properties/tags/uniqueItems",
...     keyword="uniqueItems",
...     excerpt='"tags": {"type": "array", "uniqueItems": true}',
...     span=(26, 45),
...     why="unbounded strings cannot be told apart by any context-free grammar",
...     hint='give "items" an "enum" and the array a "maxItems"',
... ))
cannot enforce "uniqueItems" exactly
   at  /properties/tags/uniqueItems
       "tags": {"type": "array", "uniqueItems": true}
                                 ^^^^^^^^^^^^^^^^^^^
  why  unbounded strings cannot be told apart by any context-free grammar
  try  give "items" an "enum" and the array a "maxItems"

This file doesn't decide what is an error, and it doesn't log.
"""

from __future__ import annotations

import json
import unicodedata

_INDENT = " " * 7
_WINDOW = 92  # columns of an excerpt that are shown; the rest becomes an ellipsis
_FEW = 12  # members of a nested container, quarters of a string, that an excerpt still shows


class TercetWarning(UserWarning):
    """Something that is probably not what was meant, such as a misspelt schema keyword."""

    __module__ = "tercet"


class TercetError(Exception):
    """The base of all errors that tercet raises on purpose.

    Every part of the message is kept as an attribute. `span` are offsets into `excerpt`, the first
    included and the last excluded; the caret line is drawn under it.
    """

    __module__ = "tercet"

    def __init__(
        self,
        message: str,
        *,
        at: str = "",
        excerpt: str = "",
        span: tuple[int, int] | None = None,
        why: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.excerpt = excerpt
        self.span = span
        self.why = why
        self.hint = hint

    def __str__(self) -> str:
        lines = [
            self.message,
            *_labelled("at", self.at),
            *_shown_excerpt(self.excerpt, self.span),
            *_labelled("why", self.why),
            *_labelled("try", self.hint),
        ]
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args, dict(self.__dict__))


class GrammarError(TercetError):
    """The spec itself is wrong: a pattern that doesn't parse, a schema that isn't a schema."""

    __module__ = "tercet"


class UnsupportedSchemaError(TercetError):
    """A keyword that can't be enforced exactly.

    `pointer` is the JSON Pointer of the keyword in the schema that was passed, "" for the root.
    """

    __module__ = "tercet"

    def __init__(
        self,
        message: str,
        *,
        pointer: str,
        keyword: str,
        at: str = "",
        excerpt: str = "",
        span: tuple[int, int] | None = None,
        why: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(
            message, at=at or pointer or "#", excerpt=excerpt, span=span, why=why, hint=hint
        )
        self.pointer = pointer
        self.keyword = keyword


class UnsatisfiableError(TercetError):
    """A correct spec that no text can match.

    `pointer` is None for specs that aren't JSON Schema.
    """

    __module__ = "tercet"

    def __init__(
        self,
        message: str,
        *,
        pointer: str | None = None,
        at: str = "",
        excerpt: str = "",
        span: tuple[int, int] | None = None,
        why: str = "",
        hint: str = "",
    ) -> None:
        at = at or ("" if pointer is None else pointer or "#")
        super().__init__(message, at=at, excerpt=excerpt, span=span, why=why, hint=hint)
        self.pointer = pointer


class TokenRejectedError(TercetError):
    """A token that the constraint forbids here; the matcher is as it was before."""

    __module__ = "tercet"

    def __init__(
        self,
        message: str,
        *,
        token: int = -1,
        at: str = "",
        excerpt: str = "",
        span: tuple[int, int] | None = None,
        why: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(message, at=at, excerpt=excerpt, span=span, why=why, hint=hint)
        self.token = token


class OutputTruncatedError(TercetError):
    """The output ended before its grammar did; `partial` is what there was."""

    __module__ = "tercet"

    def __init__(
        self,
        message: str,
        *,
        partial: object = None,
        at: str = "",
        excerpt: str = "",
        span: tuple[int, int] | None = None,
        why: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(message, at=at, excerpt=excerpt, span=span, why=why, hint=hint)
        self.partial = partial


def excerpt_at(document: object, pointer: str) -> tuple[str, tuple[int, int]]:
    """Return an excerpt of a JSON document around `pointer`, and the span of what it points to.

    What is nested or long is abbreviated, so the document may be as deep and as large as it likes.
    A pointer that leads nowhere marks the last place on its way that exists.

    >>> excerpt_at({"properties": {"a": {"type": "strng"}}}, "/properties/a/type")
    ('"a": {"type": "strng"}', (6, 21))
    """
    trail: list[tuple[str, object]] = [("", document)]
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        value = _member(trail[-1][1], key)
        if value is _MISSING:
            break
        trail.append((key, value))
    if len(trail) == 1:
        text = _brief(document, 2)
        return text, (0, len(text))
    (name, parent), (key, _) = trail[-2:]
    text, span = f"{json.dumps(name)}: " if len(trail) > 2 else "", (0, 0)
    opening, closing = "{}" if isinstance(parent, dict) else "[]"
    text += opening
    for count, (member, written) in enumerate(_written_members(parent, 2)):
        text += ", " if count else ""
        if member == key:
            span = (len(text), len(text) + len(written))
        text += written
    return text + closing, span


_MISSING = object()


def _member(value: object, key: str) -> object:
    if isinstance(value, dict):
        return value.get(key, _MISSING)
    if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
        return value[int(key)]
    return _MISSING


def _written_members(value: object, depth: int) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [(str(k), f"{json.dumps(str(k))}: {_brief(v, depth - 1)}") for k, v in value.items()]
    if isinstance(value, list):
        return [(str(i), _brief(item, depth - 1)) for i, item in enumerate(value)]
    return []


def _brief(value: object, depth: int) -> str:
    """Write a JSON value on part of a line; what is long or deep becomes an ellipsis."""
    if isinstance(value, (dict, list)):
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        if value and (not depth or len(value) > _FEW):
            return f"{opening}…{closing}"
        return opening + ", ".join(text for _, text in _written_members(value, depth)) + closing
    if isinstance(value, str) and len(value) > 4 * _FEW:
        return json.dumps(value[: 4 * _FEW], ensure_ascii=False)[:-1] + '…"'
    return json.dumps(value, ensure_ascii=False, default=repr)


def _restored(
    kind: type[TercetError], args: tuple[object, ...], fields: dict[str, object]
) -> TercetError:
    """Unpickle without __init__, whose required keywords Exception doesn't know of."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


def _labelled(label: str, text: str) -> list[str]:
    if not text:
        return []
    first, *rest = text.split("\n")
    return [f"{label:>5}  {first}", *(_INDENT + line for line in rest)]


def _shown_excerpt(excerpt: str, span: tuple[int, int] | None) -> list[str]:
    """Show the lines that `span` touches, each with its carets; all lines if there is no span."""
    if not excerpt:
        return []
    if span is None:
        return [_INDENT + _clipped(line, 0, 0)[0] for line in excerpt.split("\n")]
    shown: list[str] = []
    offset = 0
    start, stop = span[0], max(span[1], span[0] + 1)
    for line in excerpt.split("\n"):
        if start <= offset + len(line) and stop > offset:
            text, carets = _clipped(line, max(start - offset, 0), stop - offset)
            shown += [_INDENT + text, _INDENT + carets]
        offset += len(line) + 1
    return shown


def _clipped(line: str, start: int, stop: int) -> tuple[str, str]:
    """Return a printable window of `line` around [start, stop) and the carets that go under it."""
    left = 0
    if len(line) > _WINDOW:
        middle = (start + min(stop, start + _WINDOW)) // 2
        left = min(max(middle - _WINDOW // 2, 0), len(line) - _WINDOW)
    right = left + _WINDOW
    before, after = "…" * (left > 0), "…" * (right < len(line))
    text = before + "".join(map(_visible, line[left:right])) + after
    margin = len(before) + sum(map(_columns, line[left:start]))
    marked = sum(map(_columns, line[start : min(stop, right)]))
    return text, " " * margin + "^" * max(marked, 1)


def _visible(character: str) -> str:
    """Control characters become their pictures, which take exactly one column."""
    if character < " ":
        return chr(0x2400 + ord(character))
    return character if character.isprintable() else "�"


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
