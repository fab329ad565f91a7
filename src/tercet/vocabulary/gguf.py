"""Reads the vocabulary of a GGUF file, the format of llama.cpp.

The file says for each token whether it is text, and in which alphabet the text is written. Its
way of splitting text is only named, not described: `gguf_splitting` knows the names.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tercet.errors import TercetError
from tercet.vocabulary import bytelevel, sentencepiece
from tercet.vocabulary.ending import Endings, ids_of, in_template
from tercet.vocabulary.gguf_file import read_metadata
from tercet.vocabulary.gguf_splitting import byte_level_encoder, sentencepiece_encoder
from tercet.vocabulary.table import WAY_OUT, Encode, TokenTable, is_control, is_text, names_of

_NORMAL, _CONTROL, _USER_DEFINED, _BYTE = 1, 3, 4, 6
_KEY = "tokenizer.ggml."
_EOS_KEYS = ("eos_token_id", "eot_token_id", "eom_token_id", "eos_token_ids")


def read(path: Path, *, eos: frozenset[int] | None = None) -> TokenTable:
    """Read the vocabulary of a GGUF file; `eos` replaces the EOS ids that it names.

    Raises:
        TercetError: the file can't be read, or its tokenizer is of an unknown kind.
    """
    metadata = read_metadata(path)
    model = metadata.get(_KEY + "model")
    pieces = metadata.get(_KEY + "tokens")
    if model not in {"gpt2", "llama"} or not isinstance(pieces, list):
        raise TercetError(
            f"don't know which bytes the tokens of this GGUF file stand for: model {model!r}",
            at=str(path),
            why="only byte-level BPE (gpt2) and sentencepiece (llama) are known",
            hint=WAY_OUT,
        )
    kinds = _kinds(metadata, len(pieces))
    text = _text_tokens(pieces, kinds, ordinary=model == "llama")
    special = frozenset(range(len(pieces))) - text
    return TokenTable(
        _bytes_of_pieces(model, pieces, kinds),
        special,
        _endings(metadata, pieces, text) if eos is None else eos,
        _encoder(metadata, pieces, kinds, text),
        str(path),
        names_of(pieces, special),
    )


def _kinds(metadata: dict[str, Any], count: int) -> list[int]:
    """The kind of each token; old files don't say, then all but the begin token are normal."""
    kinds = metadata.get(_KEY + "token_type")
    if isinstance(kinds, list) and len(kinds) == count:
        return kinds
    begin = _named(metadata, ("bos_token_id",))
    return [_CONTROL if token in begin else _NORMAL for token in range(count)]


def _text_tokens(pieces: Sequence[str], kinds: Sequence[int], *, ordinary: bool) -> frozenset[int]:
    """The ids that are text.

    The file calls both "user defined": pieces of a sentencepiece model, and tokens that were added
    to it. Those that were added come after all others.
    """
    last = max((token for token, kind in enumerate(kinds) if kind == _NORMAL), default=0)
    return frozenset(
        token
        for token, (piece, kind) in enumerate(zip(pieces, kinds, strict=True))
        if kind == _BYTE
        or (kind == _NORMAL and not is_control(piece))
        or (
            kind == _USER_DEFINED
            and is_text(piece, special=False, ordinary=ordinary and token < last)
        )
    )


def _bytes_of_pieces(model: str, pieces: list[str], kinds: Sequence[int]) -> list[bytes]:
    if model == "llama":
        return sentencepiece.piece_bytes(pieces, byte_fallback=_BYTE in kinds)
    tokens = bytelevel.piece_bytes(pieces)
    for token, kind in enumerate(kinds):
        if kind == _USER_DEFINED:  # written as they are, not in the byte-level alphabet
            tokens[token] = pieces[token].encode()
    return tokens


def _endings(
    metadata: dict[str, Any], pieces: Sequence[str], text: frozenset[int]
) -> frozenset[int]:
    found = Endings(_named(metadata, _EOS_KEYS))
    found |= in_template(metadata.get("tokenizer.chat_template"))
    return found.ids_among({p: token for token, p in enumerate(pieces) if token not in text})


def _named(metadata: dict[str, Any], names: Sequence[str]) -> frozenset[int]:
    """The ids under these names; -1 and its unsigned form mean that there is none."""
    ids = frozenset[int]().union(*(ids_of(metadata.get(_KEY + name)) for name in names))
    return ids - {-1, 0xFFFFFFFF}


def _encoder(
    metadata: dict[str, Any], pieces: list[str], kinds: Sequence[int], text: frozenset[int]
) -> Encode | None:
    added = {pieces[token]: token for token in text if kinds[token] == _USER_DEFINED}
    if metadata[_KEY + "model"] == "llama":
        added = {piece.replace(sentencepiece.SPACE, " "): token for piece, token in added.items()}
        scores = metadata.get(_KEY + "scores")
        return sentencepiece_encoder(pieces, scores, added) if isinstance(scores, list) else None
    merges = metadata.get(_KEY + "merges")
    name = str(metadata.get(_KEY + "pre", ""))
    return byte_level_encoder(pieces, merges, name, added) if isinstance(merges, list) else None
