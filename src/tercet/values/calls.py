"""Tool calls read back: from the text of an answer to `Call` objects.

The text is known to be in the language of the style, so it is read along the style's templates from
left to right; arguments come back as the types of the function's parameters.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from tercet.errors import TercetError
from tercet.frontends.functions import arguments_type, bound
from tercet.frontends.tools.arguments import properties
from tercet.frontends.tools.style import Field, Special, Style
from tercet.frontends.tools.tool import Tool
from tercet.frontends.tools.values import values_of
from tercet.values.build import reader

T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """A call that a model asks for; calling it calls the function.

    >>> call = Call("divmod", {"x": 7, "y": 2}, divmod)
    >>> call()
    (3, 1)
    """

    name: str
    arguments: dict[str, Any]
    function: Callable[..., T] | None = field(default=None, repr=False, compare=False)

    def __call__(self) -> T:
        """Call the function with these arguments.

        Raises:
            TercetError: the tool came from a dict, so there is no function.
        """
        if self.function is None:
            raise TercetError(
                f"there is no function for {self.name}",
                why="the tool was described by a dict",
                hint="look the name up in your own table, or pass functions to Grammar.tools",
            )
        call = bound(self.function, self.arguments)
        return self.function(*call.args, **call.kwargs)


class CallReader:
    """Reads answers in one style; text around the calls is left out."""

    def __init__(self, tools: Sequence[Tool], style: Style) -> None:
        self._style = style
        self._tools = {tool.name: tool for tool in tools}
        self._typed = {tool.name: _typed(tool) for tool in tools}
        self._kinds: dict[str, dict[str, tuple[bool, bool]]] = {}

    def __call__(self, text: str) -> list[Call[Any]]:
        """The calls of an answer, in order; none if it is only text."""
        return _Answer(text, self, self._style).calls()

    def call(self, name: str, arguments: dict[str, Any]) -> Call[Any]:
        """A call with its arguments as the function takes them."""
        return Call(name, self._typed[name](arguments), self._tools[name].function)

    @property
    def names(self) -> list[str]:
        """The tools, longer names first."""
        return sorted(self._tools, key=len, reverse=True)

    def kinds(self, name: str) -> dict[str, tuple[bool, bool]]:
        """For each parameter of a tool: may it be a string, and may it be something else."""
        if name not in self._kinds:
            found = {}
            for key, schema in properties(self._tools[name], self._style):
                values = values_of(self._tools[name], key, schema)
                found[key] = bool(values.strings), bool(values.others)
            self._kinds[name] = found
        return self._kinds[name]


class _Answer:
    """One answer while it is read."""

    def __init__(self, text: str, known: CallReader, style: Style) -> None:
        self._text = text
        self._known = known
        self._style = style
        self._at = 0

    def calls(self) -> list[Call[Any]]:
        start = self._start()
        if start < 0:
            return []
        self._at = start
        self._skip(self._style.begin)
        found = [self._call()]
        while self._goes_on():
            self._skip(self._style.between)
            found.append(self._call())
        return found

    def _start(self) -> int:
        """Where the calls begin, or -1."""
        style, text, after = self._style, self._text, self._after_thoughts()
        if text.startswith(style.optional, after):
            after += len(style.optional)
        if style.opening:
            return after if text.startswith(style.trigger, after) else -1
        if style.answer and text.startswith(style.answer.partition("$")[0], after):
            return -1
        return text.find(style.trigger, after)

    def _after_thoughts(self) -> int:
        before, _, behind = self._style.thought.partition("$text")
        after = 0
        while before and self._text.startswith(before, after):
            after = self._text.index(behind, after) + len(behind)
        return after

    def _goes_on(self) -> bool:
        first = self._style.call.partition("$")[0]
        rest = self._text[self._at :]
        is_more = rest.startswith(self._style.between + first)
        return is_more and rest != self._style.end and not self._style.single

    def _call(self) -> Call[Any]:
        name, arguments = "", {}
        pieces = self._style.pieces(self._style.call)
        for piece in pieces:
            match piece:
                case Field("name"):
                    name = self._one_of(self._known.names)
                case Field("arguments"):
                    arguments = self._arguments(name)
                case Field():  # the number of the call
                    while self._text[self._at : self._at + 1].isdigit():
                        self._at += 1
                case _:
                    self._skip(piece.name if isinstance(piece, Special) else piece)
        return self._known.call(name, arguments)

    def _one_of(self, names: Sequence[str]) -> str:
        found = next(name for name in names if self._text.startswith(name, self._at))
        self._at += len(found)
        return found

    def _skip(self, expected: str) -> None:
        if not self._text.startswith(expected, self._at):
            raise TercetError(
                "this is not a call in the style " + self._style.name,
                excerpt=self._text,
                span=(self._at, self._at + 1),
                why=f"here {expected!r} has to come",
            )
        self._at += len(expected)

    def _arguments(self, name: str) -> dict[str, Any]:
        match self._style.arguments:
            case "json":
                rest = self._text[self._at :]
                space = len(rest) - len(rest.lstrip(" \t\r\n"))
                value, self._at = json.JSONDecoder().raw_decode(self._text, self._at + space)
                return dict(value)
            case "python":
                return self._keywords()
        return self._parameters(name)

    def _keywords(self) -> dict[str, Any]:
        """Python's own parser reads keyword arguments, once it is known where they end."""
        start, depth, quoted = self._at, 1, False
        while depth:
            char = self._text[self._at]
            if quoted and char == "\\":
                self._at += 1
            elif char == '"':
                quoted = not quoted
            elif not quoted:
                depth += (char in "([{") - (char in ")]}")
            self._at += 1
        self._at -= 1
        call = ast.parse(f"f({self._text[start : self._at]})", mode="eval").body
        assert isinstance(call, ast.Call)
        return {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}

    def _parameters(self, name: str) -> dict[str, Any]:
        kinds, found = self._known.kinds(name), dict[str, Any]()
        first = self._style.parameter.partition("$")[0]
        keys = sorted(kinds, key=len, reverse=True)
        while self._text.startswith(first, self._at):
            if first == "" and not any(self._text.startswith(key, self._at) for key in keys):
                break
            key = ""
            pieces = self._style.pieces(self._style.parameter)
            for number, piece in enumerate(pieces):
                match piece:
                    case Field("key"):
                        key = self._one_of(keys)
                    case Field("value"):
                        found[key] = self._value(pieces[number + 1 :], kinds[key])
                    case Field():  # $is_string
                        self._one_of(["true", "false"])
                    case _:
                        self._skip(piece.name if isinstance(piece, Special) else piece)
            if self._style.join and self._text.startswith(self._style.join, self._at):
                self._skip(self._style.join)
        return found

    def _value(self, after: Sequence[Any], kinds: tuple[bool, bool]) -> Any:
        quote = self._style.quote
        if quote and self._text.startswith(quote, self._at):
            start = self._at + len(quote)
            end = self._text.index(quote, start)
            self._at = end + len(quote)
            return self._text[start:end]
        if quote:
            value, self._at = json.JSONDecoder().raw_decode(self._text, self._at)
            return value
        stop = after[0].name if isinstance(after[0], Special) else after[0]
        end = self._text.index(stop, self._at)
        written, self._at = self._text[self._at : end], end
        return _bare(written, *kinds)


def _bare(text: str, may_be_string: bool, may_be_other: bool) -> Any:  # noqa: FBT001
    """A value that is written without quotes: what else it may be goes before a string."""
    if not may_be_other:
        return text
    try:
        value = json.loads(text)
    except ValueError:
        if may_be_string:
            return text
        raise
    return text if may_be_string and isinstance(value, str) else value


def _typed(tool: Tool) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    if tool.function is None:
        return dict
    read = reader(arguments_type(tool.function))
    return lambda arguments: dict(read(json.dumps(arguments)))
