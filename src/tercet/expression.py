"""What a grammar is: a language, how its texts are read, and what it was made of.

Apart from `spec`, which has the constructors, and `combining`, which has the operators: everything
here needs only these three.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tercet.errors import GrammarError
from tercet.frontends.json_schema.report import Report
from tercet.grammar.nodes import Language
from tercet.shown import shown

if TYPE_CHECKING:
    from tercet.values.judge import Judge

T = TypeVar("T")

EXACT = Report()
_DEEPEST = 200  # combinations inside combinations: Python's own recursion limit stands behind this


class Expression(Generic[T]):
    """A language, how to read its texts, and a key: what it was made of."""

    language: Language
    read: Callable[[str], T]
    report: Report
    _key: tuple[Any, ...]
    _depth: int

    def __init__(
        self,
        language: Language,
        read: Callable[[str], T],
        key: tuple[Any, ...],
        report: Report = EXACT,
    ) -> None:
        self.language = language
        self.read = read
        self.report = report
        self._key = key
        self._hash = hash(key)
        inside = [part._depth for part in key if isinstance(part, Expression)]
        self._depth = 1 + max(inside, default=0)
        if self._depth > _DEEPEST:
            raise GrammarError(
                f"grammars combined more than {_DEEPEST} deep",
                hint="join many with one + or |, or write the recursion as a grammar",
            )

    # Judging and reading

    def parse(self, text: str | bytes, /) -> T:
        """Read a text back as a value.

        Raises:
            GrammarError: the text is not in the grammar; the message says where it stops matching.
        """
        data = text.encode() if isinstance(text, str) else text
        place = self._judge.mismatch(data)
        if place is not None:
            raise self._mismatch(data, place)
        return self.read(data.decode())

    def __contains__(self, text: str | bytes) -> bool:
        data = text.encode() if isinstance(text, str) else text
        return self._judge.mismatch(data) is None

    @property
    def has_text(self) -> bool:
        """Whether any text is in the grammar at all."""
        return self._judge.has_text

    @cached_property
    def _judge(self) -> Judge:
        from tercet.values.judge import Judge

        return Judge(self.language)

    def _mismatch(self, data: bytes, place: int) -> GrammarError:
        from tercet.explanation import explain_bytes, ranges_of

        follow = self._judge.recognizer
        before = explain_bytes(follow, follow.start(), data[:place], "")
        column = len(data[:place].decode(errors="replace"))
        return GrammarError(
            "the text is not in the grammar",
            at=f"byte {place} of {len(data)}",
            excerpt=data.decode(errors="replace") + ("" if place < len(data) else " "),
            span=(column, column + 1),
            why=f"there could stand {ranges_of(before.allowed)}",
        )

    def draw(self, path: str | PathLike[str] | None = None) -> str:
        """The grammar as an SVG picture, written to a file if there is a path.

        What is regular and small is an automaton; anything else is a railroad diagram of its rules,
        which needs the extra `tercet[draw]`.

        >>> from tercet import Grammar
        >>> Grammar.regex("a+").draw().startswith("<svg")
        True

        Raises:
            TercetError: railroad-diagrams isn't installed.
        """
        from tercet.drawing import drawn

        picture = drawn(self.language)
        if path is not None:
            Path(path).write_text(picture, encoding="utf-8")
        return picture

    # What it was made of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return shown(self._key)
