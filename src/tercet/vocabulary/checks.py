"""What a table of tokens must be before a vocabulary is made of it."""

from __future__ import annotations

from tercet.errors import TercetError
from tercet.vocabulary.table import LARGEST, TokenTable


def checked_tokens(table: TokenTable) -> list[bytes]:
    """The tokens of a table: a copy, all of bytes."""
    tokens = table.tokens
    if not 0 < len(tokens) <= LARGEST:
        raise TercetError(
            f"a vocabulary can't have {len(tokens)} tokens",
            at=table.source,
            why=f"it needs at least one, and {LARGEST} is the most that is supported",
        )
    for place, token in enumerate(tokens):
        if type(token) is not bytes:
            raise TercetError(
                f"token {place} is a {type(token).__name__}, not bytes",
                at=table.source,
                excerpt=repr(token),
                hint="pass the exact bytes of each token, as in [b'a', b' the']",
            )
    return list(tokens)


def checked_ids(ids: frozenset[int], count: int, kind: str, source: str) -> frozenset[int]:
    """Ids that mean something else than text, all within the vocabulary."""
    for token in ids:
        if not 0 <= token < count:
            raise TercetError(
                f"the {kind} id {token!r} is not in the vocabulary",
                at=source,
                why=f"its ids are 0 to {count - 1}",
            )
    return ids


def resized(tokens: list[bytes], size: int | None, eos: frozenset[int], source: str) -> list[bytes]:
    """Pad with unused ids up to the width of the logits, or cut ids that no logit can reach."""
    if size is None or size == len(tokens):
        return tokens
    if size > LARGEST or size < 0:
        raise TercetError(f"a vocabulary can't have {size} tokens", at=source)
    lost = [token for token in range(size, len(tokens)) if tokens[token] or token in eos]
    if lost:
        raise TercetError(
            f"the logits are narrower than the vocabulary: {size} against {len(tokens)}",
            at=source,
            why=f"the model could never write token {lost[0]}, {_described(tokens[lost[0]])}",
            hint="check that the tokenizer belongs to the model",
        )
    return tokens[:size] + [b""] * (size - len(tokens))


def _described(token: bytes) -> str:
    return f"which is the text {token!r}" if token else "which ends a text"
