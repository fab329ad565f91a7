"""Finitely many texts as a step machine, and the exponents of `numerals`, which are listed too."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from tercet.interning import Interned

DIGITS = "0123456789"
EACH = {digit: digit for digit in DIGITS}


class Texts(Interned):
    """What may follow, one of these texts; what may follow next is looked up."""

    __slots__ = ("texts",)
    texts: tuple[str, ...]

    @property
    def is_end(self) -> bool:
        """Whether nothing has to follow."""
        return "" in self.texts

    @property
    def following(self) -> dict[str, Texts]:
        """What remains behind each character of those texts that begin with it."""
        return _following(self)


@lru_cache(maxsize=4096)
def _following(rest: Texts) -> dict[str, Texts]:
    found: dict[str, list[str]] = {}
    for text in filter(None, rest.texts):
        found.setdefault(text[0], []).append(text[1:])
    return {char: Texts(tuple(texts)) for char, texts in found.items()}


@dataclass(frozen=True)
class Listed:
    """These texts and no others."""

    texts: tuple[str, ...]

    @property
    def alike(self) -> dict[str, str]:
        """See `Machine`."""
        return EACH

    @property
    def start(self) -> Hashable:
        """Nothing read."""
        return Texts(self.texts)

    def step(self, state: Any, char: str) -> Hashable | None:
        """See `Machine`."""
        return cast("Texts", state).following.get(char)

    def accepts(self, state: Any) -> bool:
        """See `Machine`."""
        return cast("Texts", state).is_end
