"""Grammars combined: operators, and what the values of their texts are.

How languages combine is `grammar.combine`'s and `frontends.boolean`'s; where a combined text is cut
for reading is `values.splitting`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from tercet.errors import GrammarError
from tercet.expression import EXACT, Expression
from tercet.frontends import boolean
from tercet.frontends import choice as choice_frontend
from tercet.frontends.json_schema.report import Report
from tercet.grammar import combine
from tercet.grammar.nodes import Language

if TYPE_CHECKING:
    from tercet.spec import Grammar

T = TypeVar("T")
U = TypeVar("U")

_NOT_FOR_US = cast("Grammar[Any]", NotImplemented)


class Combinable(Expression[T]):
    """An expression with operators."""

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

    def infill(self, before: str, after: str, /) -> Grammar[T]:
        """What can stand between two texts; the value is that of all three together.

        >>> from tercet import Grammar
        >>> gap = Grammar.regex(r"[a-z]+ = [0-9]+;").infill("total = ", ";")
        >>> "42" in gap, "x" in gap, gap.parse("42")
        (True, False, 'total = 42;')

        Raises:
            GrammarError: the grammar isn't regular.
            UnsatisfiableError: nothing fits.
        """
        language = boolean.gap(self.language, before, after)

        def read(text: str) -> T:
            return self.read(before + text + after)

        return _made(language, read, ("infill", self, before, after), self.report)


def _made(
    language: Language, read: Callable[[str], U], key: tuple[Any, ...], report: Report
) -> Grammar[U]:
    from tercet.spec import Grammar

    return Grammar(language, read, key, report)


def _operand(value: Any) -> Any:
    """A string among grammars stands for itself."""
    if isinstance(value, str):
        language, _ = choice_frontend.lower([value])
        return _made(language, str, ("literal", value), EXACT)
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
