"""Why a token is or isn't allowed: where it stops matching, and what could stand there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tercet.engines.select import Recognizer
    from tercet.vocabulary.vocabulary import Vocabulary


@dataclass(frozen=True)
class Explanation:
    """What happens to some bytes at a matcher's place; `str` of it is for people."""

    name: str
    """The token or text that was asked about."""
    data: bytes
    """Its bytes."""
    rejected_at: int | None
    """The first byte that can't come, or None if all can."""
    allowed: bytes
    """The bytes that could stand there, or could follow."""
    reason: str
    """Why not, in words; empty if it is allowed."""

    @property
    def is_allowed(self) -> bool:
        """Whether the whole of it may come next."""
        return not self.reason

    @property
    def line(self) -> str:
        """The bytes as text, one line."""
        return _shown(self.data)

    @property
    def span(self) -> tuple[int, int] | None:
        """Where in `line` the byte stands that can't come."""
        if self.rejected_at is None:
            return None
        start = len(_shown(self.data[: self.rejected_at]))
        return start, max(len(self.line), start + 1) if start >= len(self.line) else start + 1

    def __str__(self) -> str:
        if self.is_allowed:
            return f"{self.name} is allowed; then may follow: {ranges_of(self.allowed)}"
        if self.span is None:
            return f"{self.name} is rejected: {self.reason}"
        place = (self.rejected_at or 0) + 1
        return "\n".join(
            [
                f"{self.name} is rejected at byte {place} of {len(self.data)}",
                f"    {self.line}",
                f"    {' ' * self.span[0]}^",
                f"allowed there: {ranges_of(self.allowed)}",
            ]
        )


def explain_bytes(recognizer: Recognizer, state: Any, data: bytes, name: str) -> Explanation:
    """Follow bytes until one can't come."""
    for place, byte in enumerate(data):
        after = recognizer.step(state, byte)
        if after is None:
            allowed = bytes(recognizer.live_bytes(state))
            where = f"byte {place + 1} of {len(data)}"
            reason = f"{where} can't come here; allowed: {ranges_of(allowed)}"
            return Explanation(name, data, place, allowed, reason)
        state = after
    return Explanation(name, data, None, bytes(recognizer.live_bytes(state)), "")


def explain_token(
    recognizer: Recognizer, vocabulary: Vocabulary, state: Any, token: int, *, has_ended: bool
) -> Explanation:
    """Explain a token id: EOS, ids that are no text, and ordinary tokens by their bytes."""
    reason = ""
    if not 0 <= token < vocabulary.size:
        reason = f"the vocabulary has the ids 0 to {vocabulary.size - 1}"
    elif has_ended:
        reason = "the text has ended: an end-of-sequence token came before"
    elif token in vocabulary.eos:
        if not recognizer.is_accepting(state):
            allowed = bytes(recognizer.live_bytes(state))
            reason = f"the text is not complete; it could go on with {ranges_of(allowed)}"
    elif not vocabulary.tokens[token]:
        reason = "it is a special or unused token, which is never text"
    else:
        data = vocabulary.tokens[token]
        return explain_bytes(recognizer, state, data, f"token {token} {_shown(data)!r}")
    return Explanation(f"token {token}", b"", None, b"", reason)


def ranges_of(data: bytes) -> str:
    r"""Bytes in words: runs as ranges.

    >>> ranges_of(b"0123x\x80\x81")
    "'0'-'3', 'x', 0x80-0x81"
    """
    if not data:
        return "nothing"
    runs: list[tuple[int, int]] = []
    for byte in sorted(set(data)):
        if runs and runs[-1][1] == byte - 1 and _kind(runs[-1][0]) == _kind(byte):
            runs[-1] = (runs[-1][0], byte)
        else:
            runs.append((byte, byte))
    parts = [_named(a) if a == b else f"{_named(a)}-{_named(b)}" for a, b in runs]
    return ", ".join(parts)


def _kind(byte: int) -> str:
    char = chr(byte)
    if byte >= 0x80 or byte < 0x20:
        return "raw"
    if char.isdigit():
        return "digit"
    return "letter" if char.isalpha() else "mark"


def _named(byte: int) -> str:
    return f"0x{byte:02x}" if byte >= 0x7F or byte < 0x20 else repr(chr(byte))


def _shown(data: bytes) -> str:
    """Bytes as one line of text: controls and broken characters are escaped."""
    text = data.decode(errors="backslashreplace")
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
