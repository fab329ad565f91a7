"""The canonical form of strings: a regular language with a length interval, or finitely many.

Lengths stay numbers beside the language: written into it, `maxLength: 10000` would be ten thousand
states. Everything here is about decoded characters; quotes and escapes are `scalars`' business.
"""

from __future__ import annotations

from dataclasses import dataclass

from tercet.automata.regex import ANY_TEXT, Regex, both, negate, text, union
from tercet.frontends.regex import has_text_of_length, matches


@dataclass(frozen=True, slots=True)
class Strings:
    """Strings of `regex` with `low` to `high` characters; or of `values`, those that are."""

    regex: Regex = ANY_TEXT
    low: int = 0
    high: int | None = None
    values: tuple[str, ...] | None = None

    def has(self, value: str) -> bool:
        """Whether a string has the right length and is in the language."""
        return (
            self.low <= len(value)
            and (self.high is None or len(value) <= self.high)
            and matches(self.regex, value)
        )

    def meet(self, other: Strings) -> Strings:
        """The strings of both, which may be none."""
        if self.values is not None or other.values is not None:
            few, rest = (self, other) if self.values is not None else (other, self)
            known = None if rest.values is None else frozenset(rest.values)
            return Strings(values=tuple(v for v in few.values or () if _is_in(v, rest, known)))
        low = max(self.low, other.low)
        highs = [high for high in (self.high, other.high) if high is not None]
        return Strings(both(self.regex, other.regex), low, min(highs, default=None))

    def complement(self) -> tuple[Strings, ...]:
        """All other strings, as alternatives."""
        if self.values is not None:
            return (Strings(negate(union(*map(text, self.values)))),)
        others = [Strings(negate(self.regex))] if self.regex is not ANY_TEXT else []
        if self.low:
            others.append(Strings(high=self.low - 1))
        if self.high is not None:
            others.append(Strings(low=self.high + 1))
        return tuple(others)

    def why_empty(self) -> str:
        """Why there is no such string, or "" if there is one."""
        if self.values is not None:
            return "" if self.values else "no string of the enum is within the other limits"
        if self.high is not None and self.low > self.high:
            return f"minLength {self.low} is more than maxLength {self.high}"
        if has_text_of_length(self.regex, self.low, self.high):
            return ""
        within = f" with {self.low} to {self.high} characters" if self.high is not None else ""
        return f"no string{within} matches the pattern"


ANY_STRING = Strings()


def _is_in(value: str, rest: Strings, known: frozenset[str] | None) -> bool:
    return value in known if known is not None else rest.has(value)
