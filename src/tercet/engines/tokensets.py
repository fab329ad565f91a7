"""What is known about a vocabulary's tokens before any terminal: their bytes, lengths and endings.

Laid out for the kernels that make IN and EXIT (`kernels/closed.py`, `kernels/terminals.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tercet.kernels import layout as at
from tercet.kernels.groups import (
    GROUP_OF_BYTE,
    groups_of_tokens,
    tokens_by_group,
    tokens_by_length,
)
from tercet.kernels.pointers import address_of
from tercet.kernels.trie import build_trie
from tercet.vocabulary.vocabulary import Vocabulary

_MOST_ENDINGS = 1 << 14  # more are not worth a table: a walk with the real stack prunes better


class TokenSets:
    """Arrays over the tokens of one vocabulary; `slots` are their places in its context."""

    def __init__(self, vocabulary: Vocabulary, words: int) -> None:
        self._data, self._offsets = vocabulary.data, vocabulary.offsets
        groups, characters = groups_of_tokens(self._data, self._offsets, GROUP_OF_BYTE)
        rows, start, tokens = tokens_by_group(groups, words)
        short, longer, by_length = tokens_by_length(characters, vocabulary.max_token_bytes, words)
        self._endings = np.zeros(256, np.int64)
        self._kept: list[np.ndarray[Any, Any]] = []
        self.slots: dict[int, np.ndarray[Any, Any]] = {
            at.V_GROUP_ROWS: rows,
            at.V_GROUP_START: start,
            at.V_GROUP_TOKENS: tokens,
            at.V_LENGTH_ROWS: short,
            at.V_LONGER: longer,
            at.V_LONGER_TOKENS: by_length,
            at.V_ENDINGS: self._endings,
        }

    def count_endings(self, byte: int) -> int:
        """How many endings begin with a byte, or -1 when they are too many; makes them."""
        if not self._endings[byte]:
            record = self._made_endings(byte)
            self._endings[byte] = address_of(record)
            self._kept.append(record)
        found = next(kept for kept in self._kept if address_of(kept) == self._endings[byte])
        return int(found[at.REST_COUNT])

    def _made_endings(self, byte: int) -> np.ndarray[Any, Any]:
        start = np.flatnonzero(self._data == byte)
        token = np.searchsorted(self._offsets, start, "right") - 1
        inner = start > self._offsets[token]
        start, token = start[inner].astype(np.int32), token[inner].astype(np.int32)
        record = np.zeros(at.REST_SLOTS, np.int64)
        if len(start) > _MOST_ENDINGS:
            record[at.REST_COUNT] = -1
            return record
        ids = np.arange(len(start), dtype=np.int32)
        trie = build_trie(self._data, start, self._offsets[token + 1] - start, ids)
        nodes, skip, depth, first, order, _ = trie
        arrays = {
            at.REST_BYTE: nodes,
            at.REST_SKIP: skip,
            at.REST_DEPTH: depth,
            at.REST_FIRST: first,
            at.REST_TOKEN: token[order],
            at.REST_BEFORE: (start - self._offsets[token])[order],
        }
        for slot, array in arrays.items():
            record[slot] = address_of(array)
        record[at.REST_NODES], record[at.REST_COUNT] = len(nodes), len(start)
        self._kept += arrays.values()
        return record
