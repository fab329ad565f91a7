"""Reads the encodings of OpenAI's tiktoken, which hold the bytes of each token as they are."""

from __future__ import annotations

from typing import Any

from tercet.errors import TercetError
from tercet.vocabulary.ending import END_NAMES
from tercet.vocabulary.table import TokenTable


def read(encoding: Any, *, eos: frozenset[int] | None = None) -> TokenTable:
    """Read a `tiktoken.Encoding`; `eos` replaces its end-of-text token.

    Raises:
        TercetError: it isn't an encoding.
    """
    if not hasattr(encoding, "decode_single_token_bytes"):
        raise TercetError(
            f"a {type(encoding).__name__} is not a tiktoken encoding",
            hint='pass an Encoding, such as tiktoken.get_encoding("o200k_base")',
        )
    special = {name: encoding.encode_single_token(name) for name in encoding.special_tokens_set}
    tokens = [_bytes_of(encoding, token) for token in range(encoding.n_vocab)]
    if eos is None:
        eos = frozenset(token for name, token in special.items() if name in END_NAMES)
    return TokenTable(
        tokens,
        frozenset(special.values()),
        eos,
        lambda text: list(encoding.encode_ordinary(text)),
        f"tiktoken {encoding.name}",
        special,
    )


def _bytes_of(encoding: Any, token: int) -> bytes:
    try:
        return bytes(encoding.decode_single_token_bytes(token))
    except KeyError:  # encodings leave gaps before their special tokens
        return b""
