"""How many characters are left from each state: least, greatest, and whether all between occur.

Works on any trimmed graph whose transitions cost nought or one, given as the cost of entering each
state: characters cost one, the bytes inside a character cost nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

Rows = Sequence[Sequence[int]]

UNBOUNDED = 2**30


def predecessors(successors: Rows) -> list[list[int]]:
    """For each state, the states with a transition into it, each once."""
    sources: list[list[int]] = [[] for _ in successors]
    for state, targets in enumerate(successors):
        for target in set(targets):
            if target >= 0:
                sources[target].append(state)
    return sources


def least(successors: Rows, accept: Sequence[bool], cost: Sequence[bool]) -> list[int]:
    """The cheapest way from each state to acceptance."""
    sources = predecessors(successors)
    found = [UNBOUNDED] * len(accept)
    queue = deque((0, state) for state, accepting in enumerate(accept) if accepting)
    while queue:
        distance, state = queue.popleft()
        if found[state] <= distance:
            continue
        found[state] = distance
        for source in sources[state]:
            if cost[state]:
                queue.append((distance + 1, source))
            else:
                queue.appendleft((distance, source))
    return found


def greatest(successors: Rows, accept: Sequence[bool], cost: Sequence[bool]) -> list[int]:
    """The dearest way from each state to acceptance; UNBOUNDED where a cycle can be reached."""
    sources = predecessors(successors)
    waiting = [len({target for target in targets if target >= 0}) for targets in successors]
    found = [UNBOUNDED] * len(accept)
    ready = [state for state, count in enumerate(waiting) if not count]
    while ready:
        state = ready.pop()
        steps = (found[t] + cost[t] for t in successors[state] if t >= 0)
        found[state] = max(steps, default=0)
        for source in sources[state]:
            waiting[source] -= 1
            if not waiting[source]:
                ready.append(source)
    return found


def has_gap(
    successors: Rows,
    accept: Sequence[bool],
    cost: Sequence[bool],
    bounds: Sequence[tuple[int, int]],
) -> bool:
    """Whether some state can't reach acceptance with a count between its least and greatest.

    The possible counts are the one solution of "nought if accepting, or a successor's count plus
    its cost", because no cycle is free. So they are the intervals `bounds` exactly when those solve
    it, which takes one look at each state.
    """
    for state, targets in enumerate(successors):
        reach = 0 if accept[state] else bounds[state][0]
        spans = {(bounds[t][0] + cost[t], bounds[t][1] + cost[t]) for t in targets if t >= 0}
        for low, high in sorted(spans):
            if low > reach + 1:
                return True
            reach = max(reach, high)
    return False
