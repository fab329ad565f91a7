"""Prepared vocabularies on the disk: reading a tokenizer.json again costs a second, this a moment.

The file is found by a hash over all that its content depends on: the tokenizer, the settings beside
it, what was asked for, and the source of the readers. The tokenizer itself is only loaded when its
own split of a text is asked for.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tercet import storage
from tercet.vocabulary.ending import FILES
from tercet.vocabulary.trie import TokenTrie

WORTHWHILE = 10_000  # tokens; fewer are read as quickly as found
_ARRAYS = ("data", "offsets", "byte", "skip", "depth", "first", "token", "root")
_TYPES = ("u1", "<i4", "u1", "<i4", "<i4", "<i4", "<i4", "<i4")


class Kept(NamedTuple):
    """What is kept of a vocabulary."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int32]
    trie: TokenTrie
    eos: frozenset[int]
    special: frozenset[int]


def key_of(path: Path, **asked: Any) -> str | None:
    """What the vocabulary of a tokenizer.json depends on, as a hash; None if it can't be read."""
    file = path / "tokenizer.json" if path.is_dir() else path
    digest = hashlib.sha256(f"{_readers()} {asked}".encode())
    try:
        digest.update(file.read_bytes())
    except OSError:
        return None
    for beside in FILES:
        found = file.parent / beside
        digest.update(beside.encode() + (found.read_bytes() if found.is_file() else b"\0"))
    return digest.hexdigest()


@cache
def _readers() -> str:
    digest = hashlib.sha256(version("tokenizers").encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _place(key: str) -> Path:
    return storage.cache_root() / "vocabularies" / key[:32]


def load(key: str) -> Kept | None:
    """What has been kept under a key."""
    content = storage.read(_place(key), key)
    if content is None:
        return None
    end = int.from_bytes(content[:8], "little")
    head = json.loads(bytes(content[8:end]))
    arrays = []
    for kind, count in zip(_TYPES, head["counts"], strict=True):
        arrays.append(np.frombuffer(content, kind, count, end))
        end += _padded(arrays[-1].nbytes)
    ids = (frozenset(head["eos"]), frozenset(head["special"]))
    return Kept(arrays[0], arrays[1], TokenTrie(*arrays[2:]), *ids)


def save(key: str, kept: Kept) -> bool:
    """Keep it under a key; whether that could be done."""
    named = {**vars(kept.trie), "data": kept.data, "offsets": kept.offsets}
    arrays = [np.ascontiguousarray(named[n], k) for n, k in zip(_ARRAYS, _TYPES, strict=True)]
    counts, eos, special = [len(array) for array in arrays], sorted(kept.eos), sorted(kept.special)
    head = json.dumps({"counts": counts, "eos": eos, "special": special}).encode()
    parts = [b"", head.ljust(_padded(len(head) + 8) - 8)]
    parts[0] = (8 + len(parts[1])).to_bytes(8, "little")
    parts += [array.tobytes().ljust(_padded(array.nbytes), b"\0") for array in arrays]
    return storage.write(_place(key), key, b"".join(parts))


def _padded(size: int) -> int:
    return (size + 63) // 64 * 64
