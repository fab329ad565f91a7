"""Character classes in brackets: members, ranges, negation."""

from __future__ import annotations

from tercet.automata.charset import CharSet
from tercet.automata.dialects import Dialect, Flags
from tercet.automata.source import Source

_DASH = ord("-")


def parse_class(source: Source, dialect: Dialect, flags: Flags) -> CharSet:
    """The characters of a class whose opening bracket has just been read."""
    return _Class(source, dialect, flags).read()


class _Class:
    """One class while it is read."""

    def __init__(self, source: Source, dialect: Dialect, flags: Flags) -> None:
        self.source = source
        self.dialect = dialect
        self.flags = flags
        self.start = source.position - 1
        self.members: dict[CharSet | tuple[int, int], int] = {}  # sets or ranges, and where

    def read(self) -> CharSet:
        """Everything up to the closing bracket."""
        negated = self.source.match("^")
        while not self._closes():
            self._read_member()
        sets = (
            member if isinstance(member, CharSet) else self._range(*member, start)
            for member, start in self.members.items()
        )
        charset = CharSet(span for members in sets for span in members.ranges)
        return ~charset if negated else charset

    def _closes(self) -> bool:
        may_be_member = self.dialect.bracket_may_lead and not self.members
        return not may_be_member and self.source.match("]")

    def _read_member(self) -> None:
        start = self.source.position
        low = self._character()
        if not self.source.match("-"):
            self._add(low, start)
            return
        if self.source.peek() == "]":
            self._add(low, start)
            self._add(_DASH, start)
            return
        high = self._character()
        if isinstance(low, CharSet) or isinstance(high, CharSet):
            self.dialect.dash_beside_class(self.source, start)
            for member in (low, _DASH, high):
                self._add(member, start)
        elif high < low:
            raise self.source.error("a range in descending order", start)
        else:
            self.members.setdefault((low, high), start)

    def _add(self, member: CharSet | int, start: int) -> None:
        key = member if isinstance(member, CharSet) else (member, member)
        self.members.setdefault(key, start)

    def _character(self) -> CharSet | int:
        if self.source.at_end:
            raise self.source.error("a class that is never closed", self.start)
        char = self.source.take()
        if char == "\\":
            return self.dialect.class_escape(self.source, self.flags)
        return ord(char)

    def _range(self, low: int, high: int, start: int) -> CharSet:
        charset = CharSet([(low, high)])
        if len(self.members) > 1:
            self.dialect.check_member(self.source, charset, self.flags, start)
        return self.dialect.ignoring_case(charset, self.flags)
