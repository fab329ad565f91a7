"""What has been seen in a scope, so that nothing comes twice: `uniqueItems`, and distinct keys.

A memory is an interned pair: the set of values seen so far in the scope (or the list of those in a
composite, see `composites`), and the text being read now (0 for none). Texts are nodes of one tree
of bytes, so equal texts are equal integers; strings compare by their bytes and numbers by their
value. A memory sits on the top node of a thread's stack: it is handed on by what returns, not kept
by what waits.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.composites import append, insert, is_doubtful, is_noted, is_seen
from tercet.kernels.layout import (
    DEAD,
    FLAG_DOUBTFUL,
    FLAG_READING,
    G_CAPACITY,
    G_VOCABULARY,
    K_MEMORY,
    KIND_KEY,
    KIND_NUMBER,
    N_ALIVE,
    N_TEXTS,
    Q_ACCEPT,
    Q_BOUNDARY,
    Q_DELTA,
    Q_LEAST,
    Q_MOST,
    Q_OPEN,
    R_SEEN,
    R_TEXT,
    T_BYTE,
    T_PARENT,
    T_TABLE,
    TRAP_GROW,
    TRAPPED,
    UNKNOWN,
    VALUE_DOUBTFUL,
    VALUE_UNKNOWN,
    W_ALIVE,
)
from tercet.kernels.pairs import find_pair, intern_memory, intern_text
from tercet.kernels.pointers import entry, i32, i64, inner, u8
from tercet.kernels.stacks import set_trap, with_memory
from tercet.kernels.values import canonical, root_of


@entry("int64(int64)")
def prepare_memories(cp):
    """Make memory 0 (nothing seen, nothing read) and the roots of the tree of texts."""
    intern_memory(cp, 0, 0)
    for root in range(VALUE_DOUBTFUL + 1):
        intern_text(cp, -1, root)
    return np.int64(0)


@inner
def text_of(cp, node):
    """The text that a stack node is reading, or 0."""
    g = i64(cp)
    memory = i32(g[K_MEMORY])[node]
    return np.int64(0) if memory <= 0 else np.int64(i32(g[R_TEXT])[memory])


@inner
def begin_text(cp, memory, kind):
    """The memory in which a text of a kind begins."""
    return intern_memory(cp, i32(i64(cp)[R_SEEN])[memory], kind)


@inner
def read_byte(cp, node, byte):
    """The stack node after one more byte of the text it is reading; others stay as they are."""
    text = text_of(cp, node)
    if text == 0:
        return np.int64(node)
    g = i64(cp)
    longer = intern_text(cp, text, byte)
    if longer < 0:
        return longer
    memory = intern_memory(cp, i32(g[R_SEEN])[i32(g[K_MEMORY])[node]], longer)
    return memory if memory < 0 else with_memory(cp, node, memory)


@inner
def without_text(cp, node):
    """The stack node as if the text it is reading had ended as nobody knows what."""
    text = text_of(cp, node)
    if text == 0:
        return np.int64(node)
    g = i64(cp)
    seen = np.int64(i32(g[R_SEEN])[i32(g[K_MEMORY])[node]])
    if is_noted(root_of(cp, text)):
        memory = append(cp, seen, VALUE_UNKNOWN)
    else:
        memory = intern_memory(cp, seen, 0)
    return memory if memory < 0 else with_memory(cp, node, memory)


@inner
def end_text(cp, memory):
    """The memory after the text being read has ended; DEAD if it was seen before."""
    g = i64(cp)
    text = np.int64(0) if memory <= 0 else np.int64(i32(g[R_TEXT])[memory])
    if text == 0:
        return np.int64(memory)
    root, value = root_of(cp, text), canonical(cp, text)
    seen = np.int64(i32(g[R_SEEN])[memory])
    if value < 0:
        return value
    if (not is_noted(root) or root == KIND_KEY) and is_seen(cp, seen, value):
        return np.int64(DEAD)
    return append(cp, seen, value) if is_noted(root) else insert(cp, seen, value)


@inner
def can_be_unseen(cp, q, low, high, node):
    """Whether the text being read can still become one that wasn't seen: 1, 0, or TRAPPED.

    A terminal that can always go on always can. Else its completions are searched; the search
    leaves the texts met so far at once, or tries values until one is new.
    """
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    text = text_of(cp, node)
    if text == 0:
        return np.int64(1)
    seen = np.int64(i32(g[R_SEEN])[i32(g[K_MEMORY])[node]])
    if seen == 0 or (high < 0 and u8(v[Q_OPEN])[q] != 0):
        return np.int64(1)
    root = root_of(cp, text)
    if is_noted(root) and root != KIND_KEY:
        return np.int64(1)
    stack, top = i32(g[W_ALIVE]), np.int64(1)
    stack[0], stack[1], stack[2], stack[3] = q, low, high, text
    while top > 0:
        top -= 1
        q, low = np.int64(stack[4 * top]), np.int64(stack[4 * top + 1])
        high, text = np.int64(stack[4 * top + 2]), np.int64(stack[4 * top + 3])
        if u8(v[Q_ACCEPT])[q] != 0 and low == 0:
            value = canonical(cp, text)
            if value < 0 or not is_seen(cp, seen, value):
                return value if value < 0 else np.int64(1)
        top = push_completions(cp, top, q, low, high, text)
        if top < 0:
            return np.int64(1) if top == DEAD else np.int64(TRAPPED)
    return np.int64(0)


@inner
def push_completions(cp, top, q, low, high, text):
    """Push what can follow; DEAD when a byte leads off all texts met so far."""
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    stack, delta = i32(g[W_ALIVE]), i32(v[Q_DELTA])
    root = root_of(cp, text)
    for byte in range(256):
        after = np.int64(delta[256 * q + byte])
        if after < 0:
            continue
        ended = np.int64(u8(v[Q_BOUNDARY])[after])
        less, most = max(low - ended, 0), high - ended if high >= 0 else np.int64(-1)
        if (high >= 0 and most < i32(v[Q_LEAST])[after]) or less > i32(v[Q_MOST])[after]:
            continue
        longer = find_pair(cp, (T_PARENT, T_BYTE, T_TABLE), N_TEXTS, text, byte)
        if longer == UNKNOWN:
            if root != KIND_NUMBER:
                return np.int64(DEAD)
            longer = intern_text(cp, text, byte)
            if longer < 0:
                return longer
        if top + 1 > i64(g[G_CAPACITY])[N_ALIVE]:
            return set_trap(cp, TRAP_GROW, N_ALIVE)
        stack[4 * top], stack[4 * top + 1], stack[4 * top + 2] = after, less, most
        stack[4 * top + 3] = longer
        top += 1
    return np.int64(top)


@inner
def reading_flags(cp, memory):
    """What a thread says of its state: that it compares, and perhaps with what no table knows."""
    if memory <= 0:
        return np.int64(0)
    g = i64(cp)
    text, seen = np.int64(i32(g[R_TEXT])[memory]), np.int64(i32(g[R_SEEN])[memory])
    root = np.int64(0) if text == 0 else root_of(cp, text)
    flags = FLAG_DOUBTFUL if is_doubtful(cp, seen, root == KIND_KEY) else 0
    if root == 0 or (is_noted(root) and root != KIND_KEY):
        return np.int64(flags)
    # a text that must be new in a scope may be next to the one that a table took for read
    return np.int64(flags | FLAG_READING | (0 if root == KIND_KEY else FLAG_DOUBTFUL))


@inner
def root_of_reading(cp, node):
    """The kind of the text that a stack node is reading, or 0."""
    text = text_of(cp, node)
    return text if text == 0 else root_of(cp, text)
