"""Reads the tokenizers of transformers that are written in Python.

They are rare now: some wrap a sentencepiece model (`sp_model`), some come with a model's own code
and use the byte-level alphabet (`byte_decoder`). The tokenizer numbers the pieces, not the model
inside it, so the pieces are asked for by the tokenizer's ids.
"""

from __future__ import annotations

from typing import Any

from tercet.errors import TercetError
from tercet.vocabulary import bytelevel, sentencepiece
from tercet.vocabulary.ending import ids_of
from tercet.vocabulary.table import WAY_OUT, Encode, TokenTable, is_control, is_text, names_of


def read(tokenizer: Any, source: str) -> TokenTable:
    """Read a tokenizer by its `convert_ids_to_tokens`; the EOS ids are left to the caller.

    Raises:
        TercetError: it says in no known way which bytes its pieces stand for.
    """
    pieces = [piece or "" for piece in tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))]
    processor = getattr(tokenizer, "sp_model", None)
    encode: Encode | None = None
    if processor is not None:
        fallback = sentencepiece.has_bytes(processor)
        tokens = sentencepiece.piece_bytes(pieces, byte_fallback=fallback)
        split = sentencepiece.splitter(processor)

        def encode(text: str) -> list[int]:
            ids: list[int] = tokenizer.convert_tokens_to_ids(split(text))
            return ids

    elif hasattr(tokenizer, "byte_decoder"):
        tokens = bytelevel.piece_bytes(pieces)
    else:
        raise TercetError(
            f"can't read a tokenizer of type {type(tokenizer).__name__}",
            at=source,
            why="it doesn't say which bytes its tokens stand for",
            hint=WAY_OUT,
        )
    special = _special(tokenizer, pieces, processor)
    names = names_of(pieces, special)
    return TokenTable(tokens, special, encode=encode, source=source, names=names)


def _special(tokenizer: Any, pieces: list[str], processor: Any) -> frozenset[int]:
    added: dict[int, Any] = tokenizer.added_tokens_decoder
    never = {
        number
        for number, token in added.items()
        if not is_text(
            token.content,
            special=token.special,
            ordinary=sentencepiece.is_ordinary(processor, token.content),
        )
    }
    written = {number for number, piece in enumerate(pieces) if is_control(piece)}
    if processor is not None:
        unusable = sentencepiece.special_pieces(processor)
        written |= {number for number, piece in enumerate(pieces) if piece in unusable}
    return frozenset(never | written) | ids_of(tokenizer.all_special_ids)
