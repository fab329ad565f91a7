"""Splits a text into tokens exactly: the tokenizer's own way, without what would change the text.

A tokenizer may put a space before a text, compose its characters (NFC), and read "<|eot|>" inside
it as a control token. All of that would make the tokens say something else than the text, so the
encoder here is a copy of the tokenizer without it; the copy shares the model, so it costs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tercet.vocabulary.table import Encode

Step = dict[str, Any]


def steps(part: Any) -> list[Step]:
    """Return the settings of a normalizer, pre-tokenizer or decoder, sequences taken apart.

    Raises:
        Exception: it is written in Python, so that it has no settings.
    """
    return _flat(json.loads(part.__getstate__())) if part is not None else []


def exact_encoder(backend: Any, added: Mapping[int, Any]) -> Encode:
    """Return the split of a `tokenizers.Tokenizer` that keeps the text as it is.

    `added` are the added tokens that are text. The copy is made at the first call.
    """
    copy: Any = None
    renumbered: dict[int, int] = {}

    def encode(text: str) -> list[int]:
        nonlocal copy
        if copy is None:
            copy, numbers = _exact_copy(backend, added)
            renumbered.update(numbers)
        ids: list[int] = copy.encode(text, add_special_tokens=False).ids
        return [renumbered.get(token, token) for token in ids] if renumbered else ids

    return encode


def _exact_copy(backend: Any, added: Mapping[int, Any]) -> tuple[Any, dict[int, int]]:
    """Return the copy, and the true ids of tokens that it numbers in another way."""
    if getattr(backend.model, "dropout", None):
        raise ValueError("with dropout a text is split differently each time")
    parts = {
        "normalizer": [step for step in steps(backend.normalizer) if _only_respells(step)],
        "pre_tokenizer": [_without_prefix(step) for step in steps(backend.pre_tokenizer)],
    }
    settings = {name: _sequence(name, part) for name, part in parts.items()}
    empty = {"type": "BPE", "vocab": {}, "merges": []}
    build = type(backend)
    shell = build.from_str(json.dumps({"version": "1.0", "model": empty, **settings}))
    copy = build(backend.model)
    for name, setting in settings.items():
        if setting is not None:
            setattr(copy, name, getattr(shell, name))
    copy.add_tokens(list(added.values()))
    numbers: dict[Any, int] = {copy.token_to_id(t.content): number for number, t in added.items()}
    return copy, {ours: true for ours, true in numbers.items() if ours != true}


def _only_respells(step: Step) -> bool:
    """Whether a normalizer only writes the same text in the alphabet of the pieces."""
    if step["type"] == "Replace":
        return bool(step["pattern"] == {"String": " "} and len(step["content"]) == 1)
    return bool(step["type"] == "ByteLevel")


def _without_prefix(step: Step) -> Step:
    changed = dict(step)
    if "add_prefix_space" in step:
        changed["add_prefix_space"] = False
    if "prepend_scheme" in step:
        changed["prepend_scheme"] = "never"
    return changed


def _flat(setting: Step) -> list[Step]:
    if setting["type"] != "Sequence":
        return [setting]
    inner = next(value for value in setting.values() if isinstance(value, list))
    return [step for part in inner for step in _flat(part)]


def _sequence(name: str, found: list[Step]) -> Step | None:
    key = {"normalizer": "normalizers", "pre_tokenizer": "pretokenizers"}[name]
    return {"type": "Sequence", key: found} if found else None
