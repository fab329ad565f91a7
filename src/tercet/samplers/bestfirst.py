"""Best-first search: the most probable texts of a grammar, proved to be so.

What costs the least so far (minus the logarithm of its probability) is looked at next, and costs
only grow; so the first whole text that comes up is the most probable of all, the second one the
next (exact-extract, Castel et al. 2022, is this for the spans of a passage). The children of a
beginning wait behind one another, so that a place with 50,000 allowed tokens is one entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any

import numpy as np

from tercet.errors import TercetError
from tercet.matcher import Matcher
from tercet.samplers.growing import allowed_tokens
from tercet.samplers.network import DraftNetwork, Row, Tokens
from tercet.samplers.paths import Logprobs, Paths

_END = -1  # the child that is the end of the text, by whichever token says it


@dataclass(frozen=True)
class Whole:
    """A text that may end: its tokens, and the log-probability of these and an end."""

    tokens: tuple[int, ...]
    logprob: float


@dataclass
class _Node:
    """A beginning whose next log-probabilities are known; its children, the likeliest first."""

    tokens: tuple[int, ...]
    matcher: Matcher
    logprob: float
    ids: list[int] = field(default_factory=list)
    totals: list[float] = field(default_factory=list)


class BestFirst:
    """Texts of a constraint in the order of their probability, as far as `limit` tokens.

    `frontier` is the log-probability of the likeliest beginning that waits, -inf when there is
    none: nothing that hasn't come up is more probable.
    """

    def __init__(self, network: DraftNetwork, row: Row) -> None:
        self._vocabulary, self._row = network.vocabulary, row
        self._paths = Paths(network, row.prompt)
        self._known: dict[tuple[int, ...], tuple[Tokens, Logprobs]] = {}
        self._numbers = count()
        self._waiting: list[tuple[float, int, _Node, int]] = []
        self._fresh: list[tuple[float, tuple[int, ...], Matcher]] = [(0.0, (), row.matcher.fork())]
        self.ends: list[Whole] = []  # all that have been seen, whether they have come up or not

    @property
    def calls(self) -> int:
        """How often the model was run."""
        return self._paths.calls

    @property
    def frontier(self) -> float:
        """The log-probability that nothing still to come can surpass."""
        waiting = [-self._waiting[0][0]] if self._waiting else []
        return max([*waiting, *(logprob for logprob, _, _ in self._fresh)], default=-np.inf)

    def texts(self, most_calls: int) -> Iterator[Whole]:
        """Yield whole texts, the most probable first, until so many runs are spent."""
        while self._fresh or self._waiting:
            if self._fresh:
                if self.calls >= most_calls and self._fresh[-1][1] not in self._known:
                    return
                self._open(*self._fresh.pop())
                continue
            cost, _, node, rank = heappop(self._waiting)
            if rank + 1 < len(node.ids):
                self._wait(node, rank + 1)
            if node.ids[rank] == _END:
                yield Whole(node.tokens, -cost)
                continue
            token = node.ids[rank]
            matcher = node.matcher.fork()
            matcher.advance(token)
            self._fresh.append((-cost, (*node.tokens, token), matcher))

    def waiting_mass(self) -> float:
        """The probability of all beginnings that wait: what they lead to has no more together."""
        masses = [float(np.exp(node.totals[rank:]).sum()) for _, _, node, rank in self._waiting]
        return sum(masses) + sum(float(np.exp(logprob)) for logprob, _, _ in self._fresh)

    def _wait(self, node: _Node, rank: int) -> None:
        heappush(self._waiting, (-node.totals[rank], next(self._numbers), node, rank))

    def _open(self, logprob: float, tokens: tuple[int, ...], matcher: Matcher) -> None:
        """Find out what may follow a beginning, and let its children wait."""
        if tokens not in self._known:
            self._read(tokens, matcher)
        ids, logprobs = self._known.pop(tokens)
        is_end = np.isin(ids, list(self._vocabulary.eos))
        ends = logprobs[is_end]
        if len(tokens) == self._row.limit:
            ids, logprobs = ids[:0], logprobs[:0]
        else:
            ids, logprobs = ids[~is_end], logprobs[~is_end]
        if len(ends):
            end = float(np.logaddexp.reduce(ends))
            self.ends.append(Whole(tokens, logprob + end))
            ids, logprobs = np.append(ids, _END), np.append(logprobs, end)
        possible = np.flatnonzero(logprobs > -np.inf)
        order = possible[np.argsort(-logprobs[possible], kind="stable")]
        if len(order):
            node = _Node(tokens, matcher, logprob, ids[order].tolist())
            node.totals = (logprob + logprobs[order]).tolist()
            self._wait(node, 0)

    def _read(self, tokens: tuple[int, ...], matcher: Matcher) -> None:
        """Ask the model, and along what the grammar forces in the same run."""
        room = self._row.limit - len(tokens)
        ahead = matcher.forced()[:room]
        asked = Row(self._row.prompt, matcher.fork(), self._row.limit)
        for place, logprobs in enumerate(self._paths.after(tokens, ahead)):
            ids = allowed_tokens(asked, self._vocabulary.size)
            self._known[(*tokens, *ahead[:place])] = ids, logprobs[ids]
            if place < len(ahead):
                asked.matcher.advance(ahead[place])


def row_for(network: DraftNetwork, matcher: Matcher, prompt: Any, max_tokens: int) -> Row:
    """Return a row for a prompt, as long as the context allows.

    Raises:
        TercetError: the prompt leaves no room.
    """
    tokens = network.encode(prompt)
    room = network.context_size - len(tokens)
    if room <= 0:
        raise TercetError(
            f"the prompt has {len(tokens)} tokens, the model reads {network.context_size}",
            hint="shorten the prompt, or use a model with a longer context",
        )
    return Row(tokens, matcher, min(max_tokens, room))
