"""Which of the texts that JSON has for a value are written. Apart, as options name it cheaply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tercet.grammar.nodes import Encoding


@dataclass(frozen=True, slots=True)
class Style:
    """With "plain" what json.dumps writes, with "any" every spelling of a value."""

    numbers: Literal["plain", "any"] = "plain"
    strings: Literal["plain", "any"] = "plain"
    constants: Literal["json", "python"] = "json"

    @property
    def encoding(self) -> Encoding:
        """How the characters of strings are written."""
        return "json" if self.strings == "plain" else "json-any"

    @property
    def words(self) -> tuple[tuple[bool | None, str], ...]:
        """Null, true and false as they are written."""
        return _WORDS[self.constants]


_WORDS = {
    "json": ((None, "null"), (True, "true"), (False, "false")),
    "python": ((None, "None"), (True, "True"), (False, "False")),
}
PLAIN = Style()
