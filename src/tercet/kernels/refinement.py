"""The minimal form of a deterministic automaton, trimmed, its states numbered breadth first.

The refinement is Valmari's ("Fast brief practical DFA minimization", 2012), a form of Hopcroft's
algorithm on partial automata: a partition of the states and one of the transitions split each other
until neither can. Both are kept as an order of elements in which each block is an interval, with
the marked ones of a block in front.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.pointers import entry, i32, i64, inner

(
    Y_ROWS,  # int32[Y_STATES, Y_WIDTH] targets or -1
    Y_STATES,
    Y_WIDTH,
    Y_START,
    Y_COLOUR,  # int32[Y_STATES] states of different colours stay apart; odd ones accept
    Y_COLOURS,
    Y_SCRATCH,  # int32[SCRATCH * Y_SIZE]
    Y_SIZE,  # more than states, moves, columns and colours together
    Y_RESULT,  # int32[Y_STATES, Y_WIDTH] the rows of the minimal automaton
    Y_ORDER,  # int32[Y_STATES] for each of its states, one of those that became it
    Y_SLOTS,
) = range(11)

# A partition is six arrays of integers in a row: the elements in order, the place of each, the
# block of each, and for each block where it begins, where it ends and how many are marked.
_ELEMENTS, _PLACE, _BLOCK, _FIRST, _PAST, _MARKED, _PARTITION = range(7)
# After three partitions come what each move reads, where it is from and to, a list, which states
# can accept, and the new numbers of blocks.
_LABEL, _FROM, _TO, _TODO, _ALIVE, _NAME, SCRATCH = range(3 * _PARTITION, 3 * _PARTITION + 7)


@inner
def mark(partition, size, element, todo, waiting):
    """Put an element among the marked ones of its block; blocks with any are in `todo`."""
    p = i32(partition)
    block, at = p[_BLOCK * size + element], p[_PLACE * size + element]
    to = p[_FIRST * size + block] + p[_MARKED * size + block]
    if at < to:
        return waiting
    other = p[to]
    p[at], p[_PLACE * size + other] = other, at
    p[to], p[_PLACE * size + element] = element, to
    if p[_MARKED * size + block] == 0:
        todo[waiting] = block
        waiting += 1
    p[_MARKED * size + block] += 1
    return waiting


@inner
def split(partition, size, todo, waiting, blocks):
    """Part marked elements from others, the smaller part as a new block; how many blocks."""
    p = i32(partition)
    while waiting > 0:
        waiting -= 1
        block = todo[waiting]
        first, past = p[_FIRST * size + block], p[_PAST * size + block]
        middle = first + p[_MARKED * size + block]
        p[_MARKED * size + block] = 0
        if middle == past:
            continue
        if middle - first <= past - middle:
            p[_FIRST * size + block] = past = middle
        else:
            p[_PAST * size + block] = first = middle
        p[_FIRST * size + blocks], p[_PAST * size + blocks] = first, past
        p[_MARKED * size + blocks] = 0
        for i in range(first, past):
            p[_BLOCK * size + p[i]] = blocks
        blocks += 1
    return blocks


@inner
def group(partition, size, count, key, keys):
    """A partition of the numbers below `count` by an integer for each."""
    p = i32(partition)
    for k in range(keys):
        p[_PAST * size + k], p[_MARKED * size + k] = 0, 0
    for e in range(count):
        p[_PAST * size + key[e]] += 1
    total = 0
    for k in range(keys):
        p[_FIRST * size + k] = total
        total += p[_PAST * size + k]
        p[_PAST * size + k] = p[_FIRST * size + k]
    for e in range(count):
        at = p[_PAST * size + key[e]]
        p[_PAST * size + key[e]] = at + 1
        p[at], p[_PLACE * size + e], p[_BLOCK * size + e] = e, at, key[e]


@inner
def array(cp, which):
    """One of the arrays to write on."""
    g = i64(cp)
    return i32(g[Y_SCRATCH] + 4 * which * g[Y_SIZE])


@inner
def list_moves(cp):
    """All moves, by the column that they read; how many there are."""
    g = i64(cp)
    rows, states, width = i32(g[Y_ROWS]), g[Y_STATES], g[Y_WIDTH]
    scratch, size, moves = i32(g[Y_SCRATCH]), g[Y_SIZE], 0
    for c in range(width):
        for s in range(states):
            target = rows[s * width + c]
            if target >= 0:
                scratch[_LABEL * size + moves] = c
                scratch[_FROM * size + moves] = s
                scratch[_TO * size + moves] = target
                moves += 1
    return moves


@inner
def trim(cp, moves, into):
    """Drop the moves to states that can't accept; how many are left, or -1: not even the start."""
    g = i64(cp)
    states, colour, size = g[Y_STATES], i32(g[Y_COLOUR]), g[Y_SIZE]
    scratch, p = i32(g[Y_SCRATCH]), i32(into)
    alive, stack = array(cp, _ALIVE), array(cp, _TODO)
    waiting, kept = 0, 0
    for s in range(states):
        alive[s] = colour[s] & 1
        if alive[s]:
            stack[waiting] = s
            waiting += 1
    while waiting > 0:
        waiting -= 1
        s = stack[waiting]
        for i in range(p[_FIRST * size + s], p[_PAST * size + s]):
            source = scratch[_FROM * size + p[i]]
            if alive[source] == 0:
                alive[source] = 1
                stack[waiting] = source
                waiting += 1
    if alive[g[Y_START]] == 0:
        return -1
    for m in range(moves):
        if alive[scratch[_TO * size + m]]:
            for part in (_LABEL, _FROM, _TO):
                scratch[part * size + kept] = scratch[part * size + m]
            kept += 1
    return kept


@inner
def refine(cp, into, by_state, by_move, blocks, splitters):
    """Split both partitions by each other until they agree."""
    g = i64(cp)
    size, scratch = g[Y_SIZE], i32(g[Y_SCRATCH])
    todo = array(cp, _TODO)
    b, p, moves_into = i32(by_state), i32(by_move), i32(into)
    done_blocks, done = 1, 0
    while done < splitters:
        waiting = 0
        for i in range(p[_FIRST * size + done], p[_PAST * size + done]):
            waiting = mark(by_state, size, scratch[_FROM * size + p[i]], todo, waiting)
        blocks = split(by_state, size, todo, waiting, blocks)
        done += 1
        while done_blocks < blocks:
            waiting = 0
            for i in range(b[_FIRST * size + done_blocks], b[_PAST * size + done_blocks]):
                s = b[i]
                for j in range(moves_into[_FIRST * size + s], moves_into[_PAST * size + s]):
                    waiting = mark(by_move, size, moves_into[j], todo, waiting)
            splitters = split(by_move, size, todo, waiting, splitters)
            done_blocks += 1


@inner
def number(cp, by_state):
    """Write the rows of the blocks that the start's block reaches; how many those are."""
    g = i64(cp)
    rows, states, width, size = i32(g[Y_ROWS]), g[Y_STATES], g[Y_WIDTH], g[Y_SIZE]
    result, order, b = i32(g[Y_RESULT]), i32(g[Y_ORDER]), i32(by_state)
    alive, name = array(cp, _ALIVE), array(cp, _NAME)
    for block in range(states + g[Y_COLOURS]):
        name[block] = -1
    start = g[Y_START]
    name[b[_BLOCK * size + start]], order[0], count, at = 0, start, 1, 0
    while at < count:
        for c in range(width):
            target = rows[width * order[at] + c]
            if target < 0 or alive[target] == 0:
                result[width * at + c] = -1
                continue
            block = b[_BLOCK * size + target]
            if name[block] < 0:
                name[block], order[count] = count, target
                count += 1
            result[width * at + c] = name[block]
        at += 1
    return np.int64(count)


@entry("int64(int64)")
def minimise(cp):
    """The number of states of the minimal automaton, whose rows are written; 0 if it has none."""
    g = i64(cp)
    size, states, scratch = g[Y_SIZE], g[Y_STATES], g[Y_SCRATCH]
    into, by_state = scratch, scratch + 4 * _PARTITION * size
    by_move = scratch + 8 * _PARTITION * size
    moves = list_moves(cp)
    group(into, size, moves, array(cp, _TO), states)
    kept = trim(cp, moves, into)
    if kept < 0:
        return np.int64(0)
    if kept < moves:
        group(into, size, kept, array(cp, _TO), states)
    group(by_state, size, states, i32(g[Y_COLOUR]), g[Y_COLOURS])
    group(by_move, size, kept, array(cp, _LABEL), g[Y_WIDTH])
    refine(cp, into, by_state, by_move, g[Y_COLOURS], g[Y_WIDTH])
    return number(cp, by_state)
