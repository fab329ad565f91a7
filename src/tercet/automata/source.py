"""The text of a pattern, read character by character, and the errors that point into it."""

from __future__ import annotations

from tercet.errors import GrammarError

_HEX = frozenset("0123456789abcdefABCDEF")
_DECIMAL = frozenset("0123456789")
_OCTAL = frozenset("01234567")


class Source:
    """A pattern and the place that has been reached in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self._names: set[str] = set()

    @property
    def at_end(self) -> bool:
        """Whether everything has been read."""
        return self.position >= len(self.text)

    def peek(self) -> str:
        """The next character, or the empty string at the end."""
        return self.text[self.position : self.position + 1]

    def take(self) -> str:
        """Read the next character; the empty string at the end."""
        char = self.peek()
        self.position += len(char)
        return char

    def match(self, expected: str) -> bool:
        """Read `expected` if it comes next."""
        if not self.text.startswith(expected, self.position):
            return False
        self.position += len(expected)
        return True

    def skip_past(self, end: str) -> bool:
        """Read up to and including the next `end`, or everything and return False."""
        found = self.text.find(end, self.position)
        self.position = len(self.text) if found < 0 else found + len(end)
        return found >= 0

    def until(self, end: str, start: int) -> str:
        """Read up to `end`, which is read too but not part of the result."""
        begin = self.position
        if not self.skip_past(end):
            raise self.error(f"missing {end!r}", start)
        return self.text[begin : self.position - len(end)]

    def decimal(self) -> str:
        """Read decimal digits, perhaps none."""
        return self._run(_DECIMAL, len(self.text))

    def octal(self, most: int) -> str:
        """Read at most so many octal digits, perhaps none."""
        return self._run(_OCTAL, most)

    def hexadecimal(self, count: int, start: int) -> int:
        """Read exactly so many hexadecimal digits."""
        digits = self._run(_HEX, count)
        if len(digits) < count:
            raise self.error(f"an escape with fewer than {count} hexadecimal digits", start)
        return int(digits, 16)

    def _run(self, allowed: frozenset[str], most: int) -> str:
        begin = self.position
        while self.position - begin < most and self.peek() in allowed:
            self.position += 1
        return self.text[begin : self.position]

    def name_group(self, name: str, start: int) -> None:
        """Note the name of a group; each may occur once."""
        if name in self._names:
            raise self.error(f"a second group with the name {name!r}", start)
        self._names.add(name)

    def error(self, message: str, start: int, *, why: str = "", hint: str = "") -> GrammarError:
        """An error about the text from `start` to here."""
        line = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        return GrammarError(
            message,
            at=f"line {line}, column {column}",
            excerpt=self.text,
            span=(start, max(self.position, start + 1)),
            why=why,
            hint=hint,
        )

    def refusal(self, start: int, what: str) -> GrammarError:
        """The refusal of a construct that is valid but isn't a plain regular expression."""
        why, hint = _REFUSED[what]
        return self.error(f"{what} is not supported", start, why=why, hint=hint)


_REFUSED = {
    "a backreference": (
        "texts that repeat an earlier part are not a regular language",
        "write the alternatives out",
    ),
    "a conditional group": (
        "it depends on which groups have matched",
        "write both cases as alternatives",
    ),
    "an atomic group": (
        "it forbids backtracking, so the order of alternatives would change what matches",
        "use a plain group (?:...)",
    ),
    "a possessive quantifier": (
        "it forbids backtracking, so what follows would change what it matches",
        'drop the second "+"',
    ),
    "an inline flag": (
        "ECMAScript patterns in JSON Schema have no flags",
        "write both cases, such as [aA]",
    ),
    "lookaround of this size": (
        "anchors and lookaround inside of repeats are turned into states, and these are too many",
        "use smaller counts, or move what is repeated in front of the lookaround",
    ),
}
