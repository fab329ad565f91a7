"""Which engine follows a language: one switch for the whole library.

``TERCET_ENGINE=reference`` (or ``engine="reference"``) runs everything on the slow definition, so
that a suspected fault of the fast engine can be checked anywhere.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

from tercet.errors import TercetError
from tercet.grammar.nodes import Language
from tercet.vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    from tercet.engines.cursors import CursorSource


class Recognizer(Protocol):
    """Follows texts of one language over one vocabulary. States are opaque and never change."""

    def start(self) -> Any:
        """The state before any text."""

    def step(self, state: Any, byte: int) -> Any | None:
        """The state after one more byte, or None if no text goes on with it."""

    def advance(self, state: Any, token: int) -> Any | None:
        """The state after the bytes of a token, or None; EOS and special tokens are not text."""

    def fill(self, state: Any, row: NDArray[Any]) -> None:
        """Write the mask into int32 words: bit t % 32 of word t // 32; EOS iff accepting."""

    def live_bytes(self, state: Any) -> list[int]:
        """The bytes that may come next."""

    def is_accepting(self, state: Any) -> bool:
        """Whether the text so far is complete."""

    def is_finished(self, state: Any) -> bool:
        """Whether the text so far is complete and nothing can follow."""

    def least_bytes(self, state: Any) -> int:
        """A lower bound of the bytes that complete the text."""


def recognizer(language: Language, vocabulary: Vocabulary, engine: str | None = None) -> Recognizer:
    """Make a recognizer: "fast" (default) or "reference"; None asks TERCET_ENGINE.

    Raises:
        TercetError: there is no such engine.
    """
    name = _name(engine)
    if name == "fast":
        from tercet.engines.fast import FastRecognizer

        return FastRecognizer(language, vocabulary)
    if name == "reference":
        from tercet.engines.reference import Recognizer as ReferenceRecognizer

        return ReferenceRecognizer(language, vocabulary)
    raise TercetError(
        f"there is no engine {name!r}",
        hint='use "fast" or "reference" (argument engine= or the variable TERCET_ENGINE)',
    )


def cursors(language: Language, vocabulary: Vocabulary, engine: str | None = None) -> CursorSource:
    """Make what gives cursors over a language to matchers; `engine` as in `recognizer`.

    Raises:
        TercetError: there is no such engine.
    """
    if _name(engine) == "fast":
        from tercet.engines.generations import Generations

        return Generations(language, vocabulary)
    from tercet.engines.cursors import PlainSource

    return PlainSource(recognizer(language, vocabulary, engine), vocabulary)


def _name(engine: str | None) -> str:
    return engine or os.environ.get("TERCET_ENGINE") or "fast"
