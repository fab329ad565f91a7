"""SentencePiece: pieces that write a space as U+2581, and single bytes as <0xXX>.

Llama 2 and Gemma store their tokens so. `piece_bytes` also serves the other readers; the rest
takes a SentencePieceProcessor, so that the package itself is only imported to read a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tercet.errors import TercetError
from tercet.vocabulary.table import TokenTable, is_control, names_of

SPACE = "▁"
# A NormalizerSpec (field 3 of the model) with the fields name="identity", precompiled_charsmap=b"",
# add_dummy_prefix=False and remove_extra_whitespaces=False. In protobuf the last value counts, so
# appending it to a model is enough; not all versions of the package have a function for this.
_NO_NORMALIZATION = b"\x1a\x10" + b"\x0a\x08identity" + b"\x12\0" + b"\x18\0" + b"\x20\0"
_BYTE = re.compile("<0x([0-9A-Fa-f]{2})>")


def piece_bytes(pieces: Iterable[str], *, byte_fallback: bool, space: str = SPACE) -> list[bytes]:
    r"""Return the bytes of sentencepiece pieces.

    >>> piece_bytes(["▁the", "<0x0A>", "é"], byte_fallback=True)
    [b' the', b'\n', b'\xc3\xa9']
    """
    found = [piece.replace(space, " ").encode("utf-8", "surrogatepass") for piece in pieces]
    if byte_fallback:
        for token, data in enumerate(found):
            if len(data) == 6 and (match := _BYTE.fullmatch(data.decode("latin-1"))):
                found[token] = bytes.fromhex(match[1])
    return found


def read(model: Any, *, eos: frozenset[int] | None = None) -> TokenTable:
    """Read a `sentencepiece.SentencePieceProcessor`, or the path of a model file.

    `eos` replaces the EOS id of the model.

    Raises:
        TercetError: the file can't be read.
    """
    source = "" if hasattr(model, "id_to_piece") else str(model)
    processor = _opened(Path(model)) if source else model
    pieces = [processor.id_to_piece(token) for token in range(processor.get_piece_size())]
    unusable = special_pieces(processor)
    special = {
        token for token, piece in enumerate(pieces) if piece in unusable or is_control(piece)
    }
    split = splitter(processor)
    return TokenTable(
        piece_bytes(pieces, byte_fallback=has_bytes(processor)),
        frozenset(special),
        frozenset({processor.eos_id()} - {-1}) if eos is None else eos,
        lambda text: [processor.piece_to_id(piece) for piece in split(text)],
        source or "sentencepiece model",
        names_of(pieces, special),
    )


def has_bytes(processor: Any) -> bool:
    """Whether the model spells unknown characters by their bytes."""
    return bool(processor.is_byte(processor.piece_to_id("<0x00>")))


def special_pieces(processor: Any) -> frozenset[str]:
    """The pieces that the model itself calls control, unknown or unused."""
    kinds = (processor.is_control, processor.is_unknown, processor.is_unused)
    return frozenset(
        processor.id_to_piece(token)
        for token in range(processor.get_piece_size())
        if any(kind(token) for kind in kinds)
    )


def is_ordinary(processor: Any, piece: str) -> bool:
    """Whether the model itself has this piece; there may be no model."""
    return processor is not None and processor.id_to_piece(processor.piece_to_id(piece)) == piece


def splitter(processor: Any) -> Callable[[str], list[str]]:
    """Return the model's own split of a text, without the space it would put before it."""
    exact: Any = None

    def split(text: str) -> list[str]:
        nonlocal exact
        if exact is None:
            model = processor.serialized_model_proto() + _NO_NORMALIZATION
            exact = type(processor)(model_proto=model)
        pieces: list[str] = exact.encode(text, out_type=str)
        return pieces

    return split


def _opened(path: Path) -> Any:
    from sentencepiece import SentencePieceProcessor

    try:
        model = path.read_bytes()
        if not model:  # the package would take it and complain at each use
            raise ValueError("it is empty")
        return SentencePieceProcessor(model_proto=model)
    except (OSError, RuntimeError, ValueError) as error:
        raise TercetError(
            "can't read the sentencepiece model",
            at=str(path),
            why=str(error),
            hint="pass the tokenizer.model of the model; download it again if it is broken",
        ) from error
