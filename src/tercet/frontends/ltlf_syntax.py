"""Formulas of linear temporal logic over finite traces, as a person writes them.

Operators from weak to strong: `<->`, `->`, `|`, `&`, then `U`, `W`, `R` (all of these take the rest
to their right), then `!`, `X`, `WX`, `F`, `G`. What they mean is `ltlf`'s.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import NamedTuple

from tercet.errors import GrammarError

_MOST_DEEP = 100
_TOKEN = re.compile(
    r'\s*(?:(?P<name>[^\W\d]\w*)|"(?P<quoted>[^"]*)"|(?P<sign><->|->|&&?|\|\|?|[!~()]))'
)
_SPELLED = {"&&": "&", "||": "|", "~": "!", "N": "WX"}
_UNARY = ("!", "X", "WX", "F", "G")
_BINARY = (("<->",), ("->",), ("|",), ("&",), ("U", "W", "R"))
_CONSTANTS = ("true", "false", "last")


class Formula(NamedTuple):
    """An operator and its parts; "action" has a name instead."""

    kind: str
    parts: tuple[Formula, ...] = ()
    name: str = ""


class _Token(NamedTuple):
    text: str
    is_action: bool
    start: int
    end: int


def read(source: str, actions: Collection[str]) -> Formula:
    """The formula of a text.

    >>> read("F done", ["done"])
    Formula(kind='F', parts=(Formula(kind='action', parts=(), name='done'),), name='')

    Raises:
        GrammarError: it doesn't parse, is too deep, or names an action that there isn't.
    """
    reader = _Reader(source, actions)
    formula = reader.formula(0, 0)
    if reader.tokens[0].text:
        raise reader.error("an operator is missing")
    return formula


class _Reader:
    def __init__(self, source: str, actions: Collection[str]) -> None:
        self._source = source
        self._actions = actions
        self.tokens = self._read_tokens()

    def _read_tokens(self) -> list[_Token]:
        found, place = [], 0
        words = {*_UNARY, *_CONSTANTS, *_BINARY[-1], *_SPELLED}
        while self._source[place:].strip():
            match = _TOKEN.match(self._source, place)
            if match is None:
                raise self._error_at("a sign that no formula has", place, place + 1)
            text = match[match.lastgroup or 0]
            is_action = match.lastgroup == "quoted" or (
                match.lastgroup == "name" and text not in words
            )
            start = match.start(match.lastgroup or 0)
            found.append(_Token(_SPELLED.get(text, text), is_action, start, match.end()))
            place = match.end()
        return [*found, _Token("", False, len(self._source), len(self._source) + 1)]

    def formula(self, level: int, depth: int) -> Formula:
        """A formula whose operators bind at least as strongly as those of a level."""
        if depth > _MOST_DEEP:
            raise self.error(f"a formula nested more than {_MOST_DEEP} deep")
        if level == len(_BINARY):
            return self._unary(depth)
        left = self.formula(level + 1, depth)
        token = self.tokens[0]
        if token.is_action or token.text not in _BINARY[level]:
            return left
        self.tokens.pop(0)
        return Formula(token.text, (left, self.formula(level, depth + 1)))

    def _unary(self, depth: int) -> Formula:
        token = self.tokens[0]
        if token.is_action:
            return self._action()
        if token.text not in (*_UNARY, *_CONSTANTS, "("):
            raise self.error("a formula is missing")
        self.tokens.pop(0)
        if token.text in _CONSTANTS:
            return Formula(token.text)
        if token.text != "(":
            if depth > _MOST_DEEP:
                raise self.error(f"a formula nested more than {_MOST_DEEP} deep")
            return Formula(token.text, (self._unary(depth + 1),))
        inside = self.formula(0, depth + 1)
        if self.tokens[0].text != ")":
            raise self.error("a closing parenthesis is missing")
        self.tokens.pop(0)
        return inside

    def _action(self) -> Formula:
        name = self.tokens[0].text
        if name not in self._actions:
            near = get_close_matches(name, self._actions, 1)
            hint = f"did you mean {near[0]}?" if near else "name it among the actions"
            raise self.error(f"there is no action {name}", hint)
        self.tokens.pop(0)
        return Formula("action", name=name)

    def error(self, message: str, hint: str = "") -> GrammarError:
        """An error at the next token."""
        return self._error_at(message, self.tokens[0].start, self.tokens[0].end, hint)

    def _error_at(self, message: str, start: int, end: int, hint: str = "") -> GrammarError:
        at = f"character {start + 1}"
        return GrammarError(
            message, at=at, excerpt=self._source + " ", span=(start, end), hint=hint
        )
