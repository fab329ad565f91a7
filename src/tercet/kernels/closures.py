"""What follows a stack node: the *closure*, the threads that stand at the next byte.

Everything that follows is expanded until a literal, a terminal or the end of the text. It is
computed once per node, and shared by every state that the node appears in.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.composites import end_composite
from tercet.kernels.layout import (
    DEAD,
    END_POSITION,
    G_A,
    G_B,
    G_C,
    G_COUNT,
    G_MAKE_CLOSURE,
    G_OP,
    G_RULE,
    G_VOCABULARY,
    K_CLOSURE,
    K_LENGTH,
    K_MEMORY,
    L_LENGTH,
    L_OFFSET,
    L_POOL,
    N_CLOSURE,
    N_STAMP,
    N_VISITED,
    OP_CALL,
    OP_COMPOSED,
    OP_CONTEXT,
    OP_ENTER,
    OP_EXCLUDE,
    OP_JUMP,
    OP_LEXEME,
    OP_LITERAL,
    OP_LOOP,
    OP_RETURN,
    OP_SCOPE,
    OP_TERMINAL,
    OP_UNLEXED,
    OP_UNSCOPE,
    OP_UNSEEN,
    Q_ACCEPT,
    Q_MORE,
    TRAP_RULE,
    TRAPPED,
    UNBOUNDED,
    W_STACK,
    X_COUNT,
    X_END,
)
from tercet.kernels.lexing import enter_context, lexeme_start
from tercet.kernels.memories import begin_text, can_be_unseen, end_text
from tercet.kernels.pending import emit, first_visit, push, push_node
from tercet.kernels.pointers import i32, i64, inner, u8
from tercet.kernels.shared import call, shared
from tercet.kernels.stacks import intern_node, set_trap, with_memory


@inner
def follow_jumps(cp, pc):
    """The first place at or after `pc` that does something."""
    g = i64(cp)
    op, a = i32(g[G_OP]), i32(g[G_A])
    while op[pc] == OP_JUMP:
        pc = np.int64(a[pc])
    return pc


@inner
def callers_of(cp, pc, parents):
    """What a callee returns to when it is called just before `pc`: a tail call adds nothing."""
    pc = follow_jumps(cp, pc)
    if i32(i64(cp)[G_OP])[pc] == OP_RETURN:
        return parents
    node = intern_node(cp, pc, 0, 0, parents, 0)
    return node if node < 0 else 2 * node


@inner
def continuation(cp, pc, parents, memory):
    """The node at which a leaf that ends just before `pc` goes on."""
    pc = follow_jumps(cp, pc)
    if i32(i64(cp)[G_OP])[pc] == OP_RETURN:
        if parents >= 0 and parents & 1 == 0:
            return with_memory(cp, parents >> 1, memory)
        pc = np.int64(0)
    return intern_node(cp, pc, 0, 0, parents, memory)


@inner
def expand_scope(cp, top, pc, parents, memory):
    """Push the body with nothing seen; the memory around it waits in the stack."""
    g = i64(cp)
    node = intern_node(cp, i32(g[G_B])[pc], memory, 0, parents, 0)
    if node < 0:
        return node
    return push(cp, top, i32(g[G_A])[pc], 0, 0, 2 * node, 0)


@inner
def expand_unseen(cp, top, pc, parents, memory):
    """Push the terminal with a text being read."""
    reading = begin_text(cp, memory, i32(i64(cp)[G_A])[pc])
    return reading if reading < 0 else push(cp, top, pc + 1, 0, 0, parents, reading)


@inner
def can_go_on(cp, q, high):
    """Whether a terminal in DFA state q can take another byte with `high` characters left."""
    more = i32(i64(i64(cp)[G_VOCABULARY])[Q_MORE])[q]
    return more <= high if high >= 0 else more < UNBOUNDED


@inner
def expand_leaf(cp, length, pc, parents, memory):
    """Emit the thread of a leaf at `pc`; returns the new length of the closure."""
    g = i64(cp)
    op, a, b, c = i32(g[G_OP])[pc], i32(g[G_A])[pc], i32(g[G_B])[pc], i32(g[G_C])[pc]
    node = continuation(cp, pc + 1, parents, memory)
    if node < 0:
        return node
    if op == OP_LITERAL:
        return emit(cp, length, a, 0, 0, node) if i32(g[X_COUNT])[a] > 0 else np.int64(length)
    if not can_go_on(cp, a, c if op == OP_TERMINAL else -1):
        return np.int64(length)
    alive = can_be_unseen(cp, a, b, c, node) if op == OP_TERMINAL else np.int64(1)
    if alive != 1:
        return np.int64(length) if alive == 0 else alive
    if op == OP_EXCLUDE:
        return emit(cp, length, -1 - a, -2 - b, -1, node)
    return emit(cp, length, -1 - a, b, c, node)


@inner
def expand_lexeme(cp, length, pc, parents, memory):
    """Emit the thread of a lexeme; after it, nothing of what is carried now counts."""
    q = lexeme_start(cp, memory, i32(i64(cp)[G_A])[pc])
    if q < 0:
        return q if q == TRAPPED else np.int64(length)
    node = continuation(cp, pc + 1, parents, 0)
    return node if node < 0 else emit(cp, length, -1 - q, 0, -1, node)


@inner
def expand_context(cp, top, pc, parents, memory):
    """Go on in another context of the lexer."""
    g = i64(cp)
    before = np.int64(0) if i32(g[G_B])[pc] == 1 else np.int64(-memory)
    carry = enter_context(cp, i32(g[G_A])[pc], before)
    return carry if carry < 0 else push(cp, top, pc + 1, 0, 0, parents, -carry)


@inner
def can_be_empty(cp, pc):
    """Whether the leaf at `pc` matches the empty text."""
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    op, a, b = i32(g[G_OP])[pc], i32(g[G_A])[pc], i32(g[G_B])[pc]
    if op == OP_LITERAL:
        return u8(g[X_END])[a] != 0
    if u8(v[Q_ACCEPT])[a] == 0:
        return False
    return u8(g[X_END])[b] == 0 if op == OP_EXCLUDE else b == 0


@inner
def expand_loop(cp, top, pc, low, high, parents, memory):
    """Push the body once more, and what follows the loop when enough has come."""
    g = i64(cp)
    if low == 0:
        top = push(cp, top, i32(g[G_B])[pc], 0, 0, parents, memory)
        if top < 0:
            return top
    if high == 0:
        return np.int64(top)
    node = intern_node(cp, pc, max(low - 1, 0), high - 1 if high > 0 else -1, parents, 0)
    if node < 0:
        return node
    return push(cp, top, i32(g[G_A])[pc], 0, 0, 2 * node, memory)


@inner
def expand_call(cp, top, pc, parents, memory):
    """Push the first place of a rule; traps when the rule isn't compiled yet."""
    g = i64(cp)
    rule = i32(g[G_A])[pc]
    target = i32(g[G_RULE])[rule]
    if target < 0:
        return set_trap(cp, TRAP_RULE, rule)
    callers = callers_of(cp, pc + 1, parents)
    if callers == TRAPPED:
        return callers
    return push(cp, top, target, 0, 0, callers, memory)


@inner
def expand_return(cp, top, parents, memory):
    """Push every caller."""
    g = i64(cp)
    pool, start, size = i32(g[L_POOL]), np.int64(0), np.int64(1)
    if parents & 1 == 1:
        start = np.int64(i32(g[L_OFFSET])[parents >> 1])
        size = np.int64(i32(g[L_LENGTH])[parents >> 1])
    for j in range(size):
        k = np.int64(pool[start + j]) if parents & 1 == 1 else np.int64(parents >> 1)
        top = push_node(cp, top, k, memory)
        if top < 0:
            return top
    return np.int64(top)


@inner
def expand_inner(cp, top, pc, low, high, parents, memory):
    """Push what an inner place (split, jump, call, loop) leads to; returns the new top."""
    g = i64(cp)
    op, a, b, c = i32(g[G_OP])[pc], i32(g[G_A])[pc], i32(g[G_B])[pc], i32(g[G_C])[pc]
    if op == OP_JUMP:
        return push(cp, top, a, 0, 0, parents, memory)
    if op == OP_ENTER:
        return push(cp, top, pc + 1, b, c, parents, memory)
    if op == OP_UNSCOPE:
        return push(cp, top, pc + 1, 0, 0, parents, low)
    if op == OP_COMPOSED:
        after = end_composite(cp, low, memory, a)
        if after < 0:
            return np.int64(top) if after == DEAD else after
        return push(cp, top, pc + 1, 0, 0, parents, after)
    if op == OP_UNLEXED:
        return push(cp, top, pc + 1, 0, 0, parents, 0)
    if op == OP_CONTEXT:
        return expand_context(cp, top, pc, parents, memory)
    seen = first_visit(cp, pc, low, high, parents, memory)
    if seen != 1:
        return np.int64(top) if seen == 0 else seen
    if op == OP_CALL:
        return expand_call(cp, top, pc, parents, memory)
    if op == OP_LOOP:
        return expand_loop(cp, top, pc, low, high, parents, memory)
    if op == OP_RETURN:
        return expand_return(cp, top, parents, memory)
    if op == OP_SCOPE:
        return expand_scope(cp, top, pc, parents, memory)
    if op == OP_UNSEEN:
        return expand_unseen(cp, top, pc, parents, memory)
    # the first option is pushed last, so that closures keep the order of the grammar
    top = push(cp, top, b, 0, 0, parents, memory)
    return top if top < 0 else push(cp, top, a, 0, 0, parents, memory)


@inner
def closure(cp, k):
    """Compute what follows node k, once; negative on a trap."""
    g = i64(cp)
    if i32(g[K_CLOSURE])[k] != 0:
        return np.int64(0)
    return call(g[G_MAKE_CLOSURE], (cp, np.int64(k)))


@shared("int64(int64, int64)")
def make_closure(cp, k):
    """Compute what follows node k."""
    g = i64(cp)
    count, stack, ops = i64(g[G_COUNT]), i32(g[W_STACK]), i32(g[G_OP])
    count[N_STAMP] += 1
    count[N_VISITED] = 0
    length = np.int64(0)
    top = push_node(cp, 0, k, i32(g[K_MEMORY])[k])
    while top > 0:
        top -= 1
        pc, low = np.int64(stack[5 * top]), np.int64(stack[5 * top + 1])
        high, parents = np.int64(stack[5 * top + 2]), np.int64(stack[5 * top + 3])
        memory = np.int64(stack[5 * top + 4])
        op = ops[pc]
        if op == OP_RETURN and parents < 0:
            length = emit(cp, length, END_POSITION, 0, 0, 0)
        elif op == OP_LEXEME:
            length = expand_lexeme(cp, length, pc, parents, memory)
        elif op == OP_LITERAL or op == OP_TERMINAL or op == OP_EXCLUDE:
            length = expand_leaf(cp, length, pc, parents, memory)
            if length >= 0 and can_be_empty(cp, pc):
                after = end_text(cp, memory)
                if after == TRAPPED:
                    return after
                if after >= 0:
                    top = push(cp, top, pc + 1, 0, 0, parents, after)
        else:
            top = expand_inner(cp, top, pc, low, high, parents, memory)
        if length < 0:
            return length
    if top < 0:
        return np.int64(top)
    i32(g[K_CLOSURE])[k] = count[N_CLOSURE] + 1
    i32(g[K_LENGTH])[k] = length
    count[N_CLOSURE] += length
    return np.int64(0)
