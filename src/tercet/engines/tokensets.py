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
        start, tokens = self._without_empty(start, tokens)
        short, longer, by_length = tokens_by_length(characters, vocabulary.max_token_bytes, words)
        self._endings = np.zeros(256, np.int64)
        self._records: dict[int, np.ndarray[Any, Any]] = {}
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

    def _without_empty(
        self, start: np.ndarray[Any, Any], tokens: np.ndarray[Any, Any]
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Tokens by group but those without bytes, which are never text: all of one group."""
        spelled = self._offsets[tokens] < self._offsets[tokens + 1]
        before = np.concatenate(([0], np.cumsum(spelled)))
        return before[start].astype(np.int32), tokens[spelled]

    def count_endings(self, byte: int) -> int:
        """How many endings begin with a byte, or -1 when they are too many; makes them."""
        return int(self.record(byte)[at.REST_COUNT])

    def record(self, byte: int) -> np.ndarray[Any, Any]:
        """The endings that begin with a byte."""
        found = self._records.get(byte)
        if found is None:
            found = self._records[byte] = self._made_endings(byte)
            self._endings[byte] = address_of(found)
        return found

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
