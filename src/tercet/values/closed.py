"""The parts of a JSON text while it is written: each value as soon as nothing can change it.

A string is closed by its quote, an object or array by its bracket, a number by what comes after it.
Only whole values are given out; text that isn't JSON is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tercet.errors import TercetError

_BLANK = re.compile(r"[ \t\n\r]*")
_BARE = re.compile(r"[-+.\w]+")
_MARK = re.compile(r'["\\]')


class ClosedValues:
    """Reads a JSON text in pieces; places are JSON Pointers, and that of the whole is "".

    >>> values = ClosedValues()
    >>> list(values.feed('{"name": "Ada", "born": 18'))
    [('/name', 'Ada')]
    >>> list(values.feed('15}'))
    [('/born', 1815), ('', {'name': 'Ada', 'born': 1815})]
    """

    def __init__(self) -> None:
        self._text, self._place = "", 0
        self._seen = 0  # of the string at hand: up to here there is no end of it
        self._open: list[tuple[str, Any]] = []  # pointers and containers, outermost first
        self._key: str | None = None

    def feed(self, piece: str) -> Iterator[tuple[str, Any]]:
        """Read on; yields pointers and values that are closed now."""
        self._text += piece
        while (word := self._word(last=False)) is not None:
            yield from self._take(word)
        self._text, self._place = self._text[self._place :], 0

    def finish(self) -> Iterator[tuple[str, Any]]:
        """Say that there is no more text: a number at the end is closed."""
        word = self._word(last=True)
        if word is not None:
            yield from self._take(word)

    def _word(self, *, last: bool) -> str | None:
        """The next mark, string, number or word, if it is whole."""
        text, start = self._text, _end(_BLANK, self._text, self._place)
        self._place = start
        if start == len(text):
            return None
        if text[start] in "{}[],:":
            end: int | None = start + 1
        elif text[start] == '"':
            end = self._string_end(start)
        else:
            end = _end(_BARE, text, start)
            if end == start:
                raise TercetError("the answer isn't JSON", excerpt=text[start : start + 40])
            end = end if end < len(text) or last else None
        if end is None:
            return None
        self._place, self._seen = end, 0
        return text[start:end]

    def _string_end(self, start: int) -> int | None:
        place = start + max(self._seen, 1)
        while mark := _MARK.search(self._text, place):
            if mark[0] == '"':
                return mark.end()
            place = mark.end() + 1  # what is escaped may not be there yet
        self._seen = max(place, len(self._text)) - start
        return None

    def _take(self, word: str) -> Iterator[tuple[str, Any]]:
        if word in "{[":
            self._open.append((self._pointer(), {} if word == "{" else []))
            self._key = None
        elif word in "}]":
            pointer, value = self._open.pop()
            yield from self._close(pointer, value)
        elif word not in ",:":
            value = _scalar(word)
            if self._open and isinstance(self._open[-1][1], dict) and self._key is None:
                self._key = value
            else:
                yield from self._close(self._pointer(), value)

    def _pointer(self) -> str:
        if not self._open:
            return ""
        pointer, container = self._open[-1]
        key = len(container) if self._key is None else self._key
        return f"{pointer}/" + str(key).replace("~", "~0").replace("/", "~1")

    def _close(self, pointer: str, value: Any) -> Iterator[tuple[str, Any]]:
        if self._open:
            container = self._open[-1][1]
            if isinstance(container, list):
                container.append(value)
            else:
                container[self._key_of(pointer)] = value
        self._key = None
        yield pointer, value

    def _key_of(self, pointer: str) -> str:
        key = pointer[len(self._open[-1][0]) + 1 :]
        return key.replace("~1", "/").replace("~0", "~")


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return match.end() if match else start


def _scalar(word: str) -> Any:
    try:
        return json.loads(word)
    except json.JSONDecodeError as error:
        raise TercetError("the answer isn't JSON", excerpt=word) from error
