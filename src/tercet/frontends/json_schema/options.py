"""What a caller may choose about the JSON that is written, apart from the schema itself."""

from __future__ import annotations

from dataclasses import dataclass

from tercet.errors import TercetError

ORDERS = ("schema", "any")


@dataclass(frozen=True, slots=True)
class JsonOptions:
    """How values are spelled and which keywords need not be enforced.

    `whitespace` is "bounded", "compact", "spaced", "any" or a regular expression for every place
    where JSON allows whitespace. With `order="schema"` members come in declared order, then
    required ones that aren't declared, then all others; with "any" in every order. `lax` names
    keywords to leave unenforced.
    """

    whitespace: str = "bounded"
    order: str = "schema"
    numbers: str = "plain"
    lax: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise TercetError(
                f"order={self.order!r} is not an order of members",
                why='"schema" is the declared order, "any" is every order',
                hint=f"use one of {', '.join(map(repr, ORDERS))}",
            )
        _refuse_other("numbers", self.numbers, "plain", "numbers are spelled as json.dumps does")


def _refuse_other(option: str, given: str, only: str, meaning: str) -> None:
    if given != only:
        raise TercetError(
            f"{option}={given!r} is not available in this version",
            why=f"{meaning}; other texts of the same values are not generated",
            hint=f"leave it out, or {option}={only!r}",
        )
