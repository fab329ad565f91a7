"""What grammars do as values: they judge texts, read them back, and combine.

Apart from `spec`, which has the constructors: everything here needs only a language, a reader and
a key. How languages combine is `grammar.combine`'s and `frontends.boolean`'s; where a combined text
is cut for reading is `values.splitting`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from tercet.errors import GrammarError
from tercet.frontends import boolean
from tercet.frontends import choice as choice_frontend
from tercet.frontends.json_schema.report import Report
from tercet.grammar import combine
from tercet.grammar.nodes import Language
from tercet.shown import shown

if TYPE_CHECKING:
    from tercet.spec import Grammar
    from tercet.values.judge import Judge

T = TypeVar("T")
U = TypeVar("U")

EXACT = Report()
_NOT_FOR_US = cast("Grammar[Any]", NotImplemented)
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

    # Combining

    def __add__(self, other: Grammar[Any] | str) -> Grammar[str]:
        return _sum(self, other)

    def __radd__(self, other: str) -> Grammar[str]:
        return _sum(other, self)

    @overload
    def __or__(self, other: Grammar[U]) -> Grammar[T | U]: ...
    @overload
    def __or__(self, other: str) -> Grammar[T | str]: ...
    def __or__(self, other: Grammar[Any] | str) -> Grammar[Any]:
        return _either(self, other)

    def __ror__(self, other: str) -> Grammar[T | str]:
        return _either(other, self)

    def __and__(self, other: Grammar[Any]) -> Grammar[T]:
        if not isinstance(other, Expression):
            return NotImplemented
        language = boolean.intersection(self.language, other.language)

        def read(text: str) -> T:
            if not other.report.exact:
                other.read(text)  # checks what was relaxed
            return self.read(text)

        return _made(language, read, ("&", self, other), _joined((self, other)))

    def __invert__(self) -> Grammar[str]:
        _require_exact("~", self)
        return _made(boolean.complement(self.language), str, ("~", self), EXACT)

    def __rshift__(self, other: Grammar[U]) -> Grammar[U]:
        if not isinstance(other, Expression):
            return NotImplemented
        _require_exact(">>", self)
        language = combine.concatenated([self.language, other.language])

        def read(text: str) -> U:
            from tercet.values.splitting import answer_start

            data = text.encode()
            return other.read(data[answer_start(self._judge, other._judge, data) :].decode())

        return _made(language, read, (">>", self, other), other.report)

    def repeat(
        self, min: int = 0, max: int | None = None, *, sep: Grammar[Any] | str = ""
    ) -> Grammar[list[T]]:
        """At least `min` and at most `max` of these texts (None: without bound), as a list.

        Between two of them stands `sep`. Where the text could be cut in several ways, each item
        from the left is as long as it can be.

        >>> from tercet import Grammar
        >>> Grammar.choice([1, 2, 10]).repeat(1, 3, sep=",").parse("10,2")
        [10, 2]

        Raises:
            GrammarError: the bounds are not whole numbers with 0 <= min <= max.
        """
        _check_bounds(min, max)
        between = _operand(sep)
        language = combine.repeated(self.language, between.language, min, max)

        def read(text: str) -> list[T]:
            from tercet.values.splitting import items

            found = items(self._judge, between._judge, text.encode(), (min, max))
            return [self.read(item.decode()) for item in found]

        return _made(language, read, ("repeat", self, min, max, sep), self.report)

    def map(self, function: Callable[[T], U], /) -> Grammar[U]:
        """The same texts, each read as what `function` makes of its value.

        >>> from tercet import Grammar
        >>> Grammar.regex("[0-9]+").map(int).parse("42")
        42
        """

        def read(text: str) -> U:
            return function(self.read(text))

        return _made(self.language, read, ("map", self, function), self.report)

    # What it was made of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return shown(self._key)


def _made(
    language: Language, read: Callable[[str], U], key: tuple[Any, ...], report: Report
) -> Grammar[U]:
    from tercet.spec import Grammar

    return Grammar(language, read, key, report)


def _operand(value: Any) -> Any:
    """A string among grammars stands for itself."""
    if isinstance(value, str):
        language, _ = choice_frontend.lower([value])
        return _made(language, str, ("text", value), EXACT)
    return value


def _sum(left: Any, right: Any) -> Grammar[str]:
    parts = _parts("+", left, right)
    if parts is None:
        return _NOT_FOR_US
    _require_exact("+", *parts)
    language = combine.concatenated([part.language for part in parts])
    return _made(language, str, ("+", *parts), EXACT)


def _either(left: Any, right: Any) -> Grammar[Any]:
    parts = _parts("|", left, right)
    if parts is None:
        return _NOT_FOR_US

    def read(text: str) -> Any:
        return next(part for part in parts if text in part).read(text)

    language = combine.either([part.language for part in parts])
    return _made(language, read, ("|", *parts), _joined(parts))


def _parts(operator: str, *operands: Any) -> tuple[Any, ...] | None:
    """The operands, those of operands of the same kind in their place: both are associative."""
    found: list[Any] = []
    for operand in map(_operand, operands):
        if not isinstance(operand, Expression):
            return None
        kind, *parts = operand._key
        found += parts if kind == operator else (operand,)
    return tuple(found)


def _joined(parts: tuple[Any, ...]) -> Report:
    """What was relaxed in any of the parts."""
    reports = [part.report for part in parts]
    relaxed = dict.fromkeys(name for report in reports for name in report.relaxed)
    warnings = dict.fromkeys(text for report in reports for text in report.warnings)
    return Report(tuple(relaxed), tuple(warnings))


def _require_exact(operator: str, *parts: Any) -> None:
    """Refuse what is relaxed where no value of it is read, which is when it would be checked."""
    for part in parts:
        if not part.report.exact:
            raise GrammarError(
                f"{operator} with a grammar that is relaxed",
                at=repr(part),
                why=f"{', '.join(part.report.relaxed)} would never be checked",
                hint="put the relaxed grammar last, after >>, or read it by itself",
            )


def _check_bounds(least: Any, most: Any) -> None:
    numbers = [least] if most is None else [least, most]
    whole = all(isinstance(n, int) and not isinstance(n, bool) for n in numbers)
    if not whole or least < 0 or (most is not None and most < least):
        raise GrammarError(
            f"a repeat of {least!r} to {most!r} is impossible",
            hint="give whole numbers with 0 <= min <= max; max=None is without bound",
        )
