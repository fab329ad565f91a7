"""Forced tokens: what the grammar leaves no choice about, split as the tokenizer would split it.

Forced *bytes* are easy: follow them while only one byte can come. Forced *tokens* are not the
longest matches of those bytes: a model has learnt its tokenizer's own split, and that depends on
what stands before and after. So the tokenizer splits the forced text together with the last tokens
already written, and tokens at the end that could still become part of a longer token are left to
the model (as llguidance's `chop_tokens` does).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tercet.engines.select import Recognizer
from tercet.kernels.bits import unpacked
from tercet.vocabulary.vocabulary import Vocabulary

_LOOK_BACK = 4  # tokens; llguidance found no uncanonical split on MaskBench from 2 on
_LONGEST = 4096  # bytes that are followed at once


def forced_tokens(
    recognizer: Recognizer, vocabulary: Vocabulary, state: Any, written: Sequence[int]
) -> list[int]:
    """The tokens that must come next, canonically split; empty where there is a choice."""
    states, data = _forced_bytes(recognizer, state)
    if not data:
        return []
    tokens = canonical_split(vocabulary, data, written)
    if tokens is None:
        return _only_tokens(recognizer, vocabulary, state)
    return _without_open_end(recognizer, vocabulary, states, tokens)


def _forced_bytes(recognizer: Recognizer, state: Any) -> tuple[list[Any], bytes]:
    """The states along the bytes that must come, and the bytes."""
    states, data = [state], bytearray()
    while len(data) < _LONGEST and not recognizer.is_accepting(states[-1]):
        live = recognizer.live_bytes(states[-1])
        if len(live) != 1:
            break
        data.append(live[0])
        states.append(recognizer.step(states[-1], live[0]))
    return states, bytes(data)


def canonical_split(
    vocabulary: Vocabulary, data: bytes, written: Sequence[int]
) -> list[int] | None:
    """The tokenizer's split of `data`, as it continues what is written; None if it can't be had."""
    for look_back in (min(_LOOK_BACK, len(written)), 0):
        before = list(written[len(written) - look_back :])
        text = _whole_characters(vocabulary.decode(before) + data)
        split = None if text is None else vocabulary.encode(text)
        if split is not None and split[: len(before)] == before:
            return split[len(before) :]
    return None


def _whole_characters(data: bytes) -> str | None:
    """The text up to its last whole character; None if it doesn't begin with one."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if error.end < len(data) or len(data) - error.start > 3:
            return None
        return data[: error.start].decode() or None


def _only_tokens(recognizer: Recognizer, vocabulary: Vocabulary, state: Any) -> list[int]:
    """Without a tokenizer: tokens that are the only one allowed."""
    tokens: list[int] = []
    while len(tokens) < _LONGEST and not recognizer.is_accepting(state):
        (allowed,) = np.nonzero(_mask(recognizer, vocabulary, state))
        if len(allowed) != 1:
            break
        tokens.append(int(allowed[0]))
        state = recognizer.advance(state, tokens[-1])
    return tokens


def _without_open_end(
    recognizer: Recognizer, vocabulary: Vocabulary, states: list[Any], tokens: list[int]
) -> list[int]:
    """Drop tokens from the end as long as a longer token could stand at their place."""
    starts = np.cumsum([0, *(len(vocabulary.tokens[token]) for token in tokens)]).tolist()
    for kept in range(max(len(tokens) - _LOOK_BACK, 0), len(tokens)):
        rest = vocabulary.decode(tokens[kept:])
        if _can_be_extended(recognizer, vocabulary, states[starts[kept]], rest):
            return tokens[:kept]
    return tokens


def _can_be_extended(
    recognizer: Recognizer, vocabulary: Vocabulary, state: Any, data: bytes
) -> bool:
    """Whether some allowed token begins with `data` and goes on."""
    trie = vocabulary.trie
    node = _find(vocabulary, data)
    if node < 0:
        return False
    longer = trie.token[trie.first[node + 1] : trie.first[trie.skip[node]]]
    return len(longer) > 0 and bool(_mask(recognizer, vocabulary, state)[longer].any())


def _find(vocabulary: Vocabulary, data: bytes) -> int:
    """The trie node that spells `data`, or -1."""
    trie = vocabulary.trie
    node = int(trie.root[data[0]])
    for byte in data[1:]:
        if node < 0:
            break
        child, end = node + 1, int(trie.skip[node])
        while child < end and trie.byte[child] != byte:
            child = int(trie.skip[child])
        node = child if child < end else -1
    return node


def _mask(recognizer: Recognizer, vocabulary: Vocabulary, state: Any) -> np.ndarray[Any, Any]:
    """One bool per token."""
    row = np.zeros((vocabulary.size + 31) // 32, np.int32)
    recognizer.fill(state, row)
    return unpacked(row, vocabulary.size)
