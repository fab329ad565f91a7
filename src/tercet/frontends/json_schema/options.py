"""What a caller may choose about the JSON that is written, apart from the schema itself."""

from __future__ import annotations

from dataclasses import dataclass

from tercet.errors import TercetError
from tercet.frontends.json_schema.style import Style

ORDERS = ("schema", "any")
SPELLINGS = ("plain", "any")


@dataclass(frozen=True, slots=True)
class JsonOptions:
    """How values are spelled and which keywords need not be enforced.

    `whitespace` is "bounded", "compact", "spaced", "any" or a regular expression for every place
    where JSON allows whitespace. With `order="schema"` members come in declared order, then
    required ones that aren't declared, then all others; with "any" in every order. `numbers` and
    `strings` are "plain", as json.dumps writes them, or "any": every text that JSON has for a
    value. `formats` are asserted, or only annotations ("annotate"), which is what they are in
    2019-09 and 2020-12 unless one asks for more. `lax` names keywords to leave unenforced.
    """

    whitespace: str = "bounded"
    order: str = "schema"
    numbers: str = "plain"
    lax: frozenset[str] = frozenset()
    strings: str = "plain"
    formats: str = "assert"

    def __post_init__(self) -> None:
        _check("order", self.order, ORDERS, '"schema" is the declared order, "any" is every order')
        spelled = '"plain" is what json.dumps writes, "any" is every spelling of JSON'
        _check("numbers", self.numbers, SPELLINGS, spelled)
        _check("strings", self.strings, SPELLINGS, spelled)
        means = '"assert" checks the formats that are known, "annotate" none'
        _check("formats", self.formats, ("assert", "annotate"), means)

    @property
    def style(self) -> Style:
        """How scalars are written."""
        return Style(
            "any" if self.numbers == "any" else "plain",
            "any" if self.strings == "any" else "plain",
        )


def _check(option: str, given: str, known: tuple[str, ...], meaning: str) -> None:
    if given not in known:
        raise TercetError(
            f"{option}={given!r} is not known",
            why=meaning,
            hint=f"use one of {', '.join(map(repr, known))}",
        )
