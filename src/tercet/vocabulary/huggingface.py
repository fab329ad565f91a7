"""Reads tokenizers of the tokenizers package, alone, in transformers or in a tokenizer.json.

Which bytes a piece stands for is decided by the tokenizer's decoder, so that is what is looked at,
not the name of its class. What can't be understood is refused. How these tokenizers split a text
is in `spelling`; those of transformers that are written in Python are in `slow_tokenizers`.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from tercet.errors import TercetError
from tercet.vocabulary import bytelevel, sentencepiece, slow_tokenizers
from tercet.vocabulary.ending import END_NAMES, Endings, ids_of, in_folder, in_template
from tercet.vocabulary.spelling import Step, exact_encoder, steps
from tercet.vocabulary.table import WAY_OUT, Encode, TokenTable, by_id, is_control, is_text

_KNOWN_DECODERS = {"ByteLevel", "ByteFallback", "Fuse", "Metaspace", "Replace", "Strip"}


def read(tokenizer: Any, *, eos: frozenset[int] | None = None) -> TokenTable:
    """Read a tokenizer of transformers or of the tokenizers package.

    `eos` replaces what is found out about the tokens that end an answer.

    Raises:
        TercetError: the tokenizer is of another kind, or its decoder isn't known.
    """
    source = str(getattr(tokenizer, "name_or_path", "")) or type(tokenizer).__name__
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if hasattr(backend, "get_added_tokens_decoder"):
        table = _read_backend(backend, _endings(tokenizer) if eos is None else Endings(eos), source)
        flagged = ids_of(getattr(tokenizer, "all_special_ids", None))
        return replace(table, special=table.special | flagged)
    if hasattr(tokenizer, "convert_ids_to_tokens"):
        table = slow_tokenizers.read(tokenizer, source)
        return replace(table, eos=_endings(tokenizer).ids if eos is None else eos)
    raise TercetError(
        f"can't read a tokenizer of type {type(tokenizer).__name__}",
        why="only tokenizers of transformers and of the tokenizers package are known here",
        hint=WAY_OUT,
    )


def read_file(path: Path, *, eos: frozenset[int] | None = None) -> TokenTable:
    """Read a `tokenizer.json`, or the folder it is in, with the settings beside it.

    Raises:
        TercetError: the file can't be read, or its decoder isn't known.
    """
    from tokenizers import Tokenizer

    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        backend = Tokenizer.from_file(str(file))
    except Exception as error:  # the package raises nothing more specific
        raise TercetError(
            "can't read the tokenizer file",
            at=str(file),
            why=str(error),
            hint="pass the tokenizer.json of the model; download it again if it is broken",
        ) from error
    endings = in_folder(file.parent) if eos is None else Endings(eos)
    return _read_backend(backend, endings or _well_known(backend), str(file))


def later_encoder(path: Path, eos: frozenset[int] | None) -> Encode:
    """The split of the tokenizer in a file, which is read at the first call."""

    @cache
    def encoder() -> Encode | None:
        return read_file(path, eos=eos).encode

    def encode(text: str) -> list[int]:
        found = encoder()
        if found is None:
            raise ValueError("the tokenizer has no split of its own")
        return found(text)

    return encode


def built(settings: dict[str, Any]) -> Any:
    """Return the `tokenizers.Tokenizer` with the settings of a tokenizer.json."""
    from tokenizers import Tokenizer

    return Tokenizer.from_str(json.dumps(settings))


def _read_backend(backend: Any, endings: Endings, source: str) -> TokenTable:
    ordinary: dict[str, int] = backend.get_vocab(with_added_tokens=False)
    added: dict[int, Any] = backend.get_added_tokens_decoder()
    names = {token.content: number for number, token in added.items()}
    pieces = by_id({**ordinary, **names}, source)
    spelled = {
        number: token
        for number, token in added.items()
        if is_text(token.content, special=token.special, ordinary=token.content in ordinary)
    }
    special = {number for number, piece in enumerate(pieces) if is_control(piece)}
    special |= added.keys() - spelled.keys()
    unknown = getattr(backend.model, "unk_token", None)
    if unknown in ordinary:
        special.add(ordinary[unknown])
    return TokenTable(
        _bytes_of_pieces(backend, pieces, source),
        frozenset(special),
        endings.ids_among(names),
        exact_encoder(backend, spelled),
        source,
    )


def _bytes_of_pieces(backend: Any, pieces: list[str], source: str) -> list[bytes]:
    decoders, splitters = steps(backend.decoder), steps(backend.pre_tokenizer)
    kinds = {step["type"] for step in decoders}
    affixes = (getattr(backend.model, name, None) for name in _AFFIXES)
    if kinds <= _KNOWN_DECODERS and not any(affixes):
        if "ByteLevel" in kinds or (not kinds and _has(splitters, "ByteLevel")):
            return bytelevel.piece_bytes(pieces)
        spaces = {_space(step) for step in decoders or splitters} - {""}
        if len(spaces) == 1:
            fallback = "ByteFallback" in kinds
            return sentencepiece.piece_bytes(pieces, byte_fallback=fallback, space=spaces.pop())
    raise TercetError(
        "don't know which bytes the tokens of this tokenizer stand for",
        at=source,
        why="only byte-level and sentencepiece decoders are known; this one is "
        + json.dumps(decoders, ensure_ascii=False),
        hint=WAY_OUT,
    )


_AFFIXES = ("continuing_subword_prefix", "end_of_word_suffix")


def _has(found: list[Step], kind: str) -> bool:
    return any(step["type"] == kind for step in found)


def _space(step: Step) -> str:
    """The character that this step of a decoder turns into a space, "" if there is none."""
    if step["type"] == "Metaspace":
        return str(step["replacement"])
    if step["type"] == "Replace" and step["content"] == " ":
        return str(step["pattern"].get("String", ""))
    return ""


def _endings(tokenizer: Any) -> Endings:
    if not hasattr(tokenizer, "eos_token_id"):
        return _well_known(tokenizer)
    found = Endings(ids_of(tokenizer.eos_token_id))
    found |= in_template(getattr(tokenizer, "chat_template", None))
    folder = Path(str(getattr(tokenizer, "name_or_path", "") or "/nowhere"))
    return found | in_folder(folder) if folder.is_dir() else found


def _well_known(backend: Any) -> Endings:
    added = backend.get_added_tokens_decoder().values()
    return Endings(names=END_NAMES & {token.content for token in added if token.special})
