"""Cursors: one sequence under a grammar, its tokens and the state before and after each.

A cursor names its grammar by a handle, not by its context: the memory of a grammar may be let go
and made anew, and the handle's epoch then says that the states of the cursor mean nothing any more
(STALE). Only end-of-sequence tokens are known here and not below: after one, a state s is written
ENDED - s, its mask is the end-of-sequence tokens, and nothing follows.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.layout import (
    CURSOR_CAPACITY,
    CURSOR_EPOCH,
    CURSOR_HANDLE,
    CURSOR_LENGTH,
    CURSOR_STATES,
    CURSOR_TOKENS,
    DEAD,
    DRAFT_COUNT,
    DRAFT_PARENTS,
    DRAFT_ROWS,
    DRAFT_STATES,
    DRAFT_STRIDE,
    DRAFT_TOKENS,
    ENDED,
    FLAG_ACCEPTING,
    FULL,
    G_VOCABULARY,
    HANDLE_CONTEXT,
    HANDLE_EPOCH,
    MANY_CURSORS,
    MANY_ORDER,
    MANY_RESULTS,
    MANY_VALUES,
    S_FLAGS,
    STALE,
    TRAPPED,
    UNKNOWN,
    V_EOS,
    V_EOS_COUNT,
    V_WORDS,
)
from tercet.kernels.masks import copy_row, known_row, write_row
from tercet.kernels.pointers import entry, i32, i64, inner, u8
from tercet.kernels.steps import is_busy, read_token


@inner
def context_of(at):
    """The grammar context of a cursor, or STALE."""
    cursor = i64(at)
    handle = i64(cursor[CURSOR_HANDLE])
    if handle[HANDLE_EPOCH] != cursor[CURSOR_EPOCH]:
        return np.int64(STALE)
    return handle[HANDLE_CONTEXT]


@inner
def last_state(at):
    """The state that a cursor stands in."""
    cursor = i64(at)
    return np.int64(i32(cursor[CURSOR_STATES])[cursor[CURSOR_LENGTH]])


@inner
def ends(cp, token):
    """Whether a token ends the sequence."""
    v = i64(i64(cp)[G_VOCABULARY])
    eos = i32(v[V_EOS])
    for j in range(v[V_EOS_COUNT]):
        if eos[j] == token:
            return True
    return False


@inner
def follow(cp, state, token):
    """The state after one more token, DEAD or TRAPPED."""
    if state <= ENDED:
        return np.int64(DEAD)
    if ends(cp, token):
        is_accepting = u8(i64(cp)[S_FLAGS])[state] & FLAG_ACCEPTING != 0
        return np.int64(ENDED) - state if is_accepting else np.int64(DEAD)
    return read_token(cp, state, token)


@inner
def write_end(cp, row):
    """The mask after the end of a text: end-of-sequence tokens again."""
    v = i64(i64(cp)[G_VOCABULARY])
    eos = i32(v[V_EOS])
    for w in range(v[V_WORDS]):
        row[w] = 0
    for j in range(v[V_EOS_COUNT]):
        row[eos[j] >> 5] |= np.int32(1) << np.int32(eos[j] & 31)


@inner
def write_mask(cp, state, out):
    """The mask of a state, also of one that has ended; 0 or TRAPPED."""
    if state <= ENDED:
        write_end(cp, i32(out))
        return np.int64(0)
    return write_row(cp, state, out)


@inner
def write_known_mask(cp, state, row):
    """The mask of a state if it takes no work, else UNKNOWN; the grammar's arrays are only read."""
    if state <= ENDED:
        write_end(cp, row)
        return np.int64(0)
    known = known_row(cp, state)
    if known < 0:
        return np.int64(UNKNOWN)
    copy_row(cp, known, row)
    return np.int64(0)


@inner
def advance(at, token):
    """One token further: 1, 0 if it is refused, or negative with nothing changed."""
    cp = context_of(at)
    if cp < 0 or is_busy(cp):
        return np.int64(STALE) if cp < 0 else np.int64(TRAPPED)
    cursor = i64(at)
    length = cursor[CURSOR_LENGTH]
    if length >= cursor[CURSOR_CAPACITY]:
        return np.int64(FULL)
    after = follow(cp, last_state(at), token)
    if after == DEAD or after == TRAPPED:
        return np.int64(0) if after == DEAD else after
    i32(cursor[CURSOR_TOKENS])[length] = token
    i32(cursor[CURSOR_STATES])[length + 1] = after
    cursor[CURSOR_LENGTH] = length + 1
    return np.int64(1)


@entry("int64(int64, int64)")
def advance_cursor(at, token):
    """`advance`, for Python."""
    return advance(at, token)


@entry("int64(int64, int64)")
def advance_many(request, count):
    """One token further with each of `count` cursors; the results are those of `advance`."""
    r = i64(request)
    cursors, tokens, results = i64(r[MANY_CURSORS]), i64(r[MANY_VALUES]), i64(r[MANY_RESULTS])
    for i in range(count):
        results[i] = advance(cursors[i], tokens[i])
    return np.int64(0)


@entry("int64(int64, int64)")
def fill_cursor(at, out):
    """Write the mask of a cursor to the int32 words at address `out`: 0, STALE or TRAPPED."""
    cp = context_of(at)
    if cp < 0 or is_busy(cp):
        return np.int64(STALE) if cp < 0 else np.int64(TRAPPED)
    return write_mask(cp, last_state(at), out)


@inner
def draft_state(cp, request, i):
    """The state after entry i of a draft, which is noted; DEAD after a refused one."""
    r = i64(request)
    states = i32(r[DRAFT_STATES])
    before = np.int64(states[i32(r[DRAFT_PARENTS])[i] + 1])
    after = np.int64(DEAD)
    if before != DEAD:
        after = follow(cp, before, i64(r[DRAFT_TOKENS])[i])
    states[i + 1] = after
    return after


@entry("int64(int64, int64)")
def fill_draft(at, request):
    """Follow a tree of tokens from a cursor and write the mask at each place that is reached.

    Returns how many entries were taken, STALE or TRAPPED; the cursor stays where it is.
    """
    cp = context_of(at)
    if cp < 0 or is_busy(cp):
        return np.int64(STALE) if cp < 0 else np.int64(TRAPPED)
    r, taken, state = i64(request), np.int64(0), last_state(at)
    i32(r[DRAFT_STATES])[0] = state
    for place in range(r[DRAFT_COUNT] + 1):
        if place > 0:
            state = draft_state(cp, request, place - 1)
            if state == TRAPPED:
                return state
            if state == DEAD:
                continue
            taken += 1
        if r[DRAFT_ROWS] != 0:
            if write_mask(cp, state, r[DRAFT_ROWS] + place * r[DRAFT_STRIDE]) < 0:
                return np.int64(TRAPPED)
    return taken


@inner
def fill_one(at, out, may_learn):
    """The mask of one cursor among many: 0, or what is to be done first."""
    cp = context_of(at)
    if cp < 0:
        return np.int64(STALE)
    if may_learn != 0:
        return write_mask(cp, last_state(at), out)
    return write_known_mask(cp, last_state(at), i32(out))


@entry("int64(int64, int64, int64, int64)", nogil=True)
def fill_many(request, first, last, may_learn):
    """Write the masks of entries order[first:last]; returns how many still lack theirs.

    It doesn't hold the interpreter lock, so nobody else may use the grammars. With `may_learn` it
    writes to their arrays, and all entries of a grammar must be in the same call.
    """
    r = i64(request)
    cursors, rows, results = i64(r[MANY_CURSORS]), i64(r[MANY_VALUES]), i64(r[MANY_RESULTS])
    order, lacking = i64(r[MANY_ORDER]), np.int64(0)
    for j in range(first, last):
        i = order[j]
        results[i] = fill_one(cursors[i], rows[i], may_learn)
        if results[i] < 0:
            lacking += 1
    return lacking
