"""A constraint inside `transformers.generate`.

A logits processor is called with rows that beams reorder, that drafts run ahead of and come back
to, and that end at different times. So nothing here is kept per row: what a row may write next is
looked up by the tokens it has written so far (`PrefixStates`), and where a prompt ends is found
out from the calls themselves. Neither torch nor transformers is imported: tensors are only asked
for their methods, and `generate` only calls.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tercet.apply import apply_bitmask
from tercet.batch import Batch
from tercet.errors import TercetError, TokenRejectedError

if TYPE_CHECKING:
    from tercet.constraint import Constraint
    from tercet.matcher import Matcher

Tokens = NDArray[np.int64]

_KEPT = 512  # prefixes; the last calls of many rows, or of a long draft
_KEPT_PER_ROW = 16


class ConstraintProcessor:
    """Made by `Constraint.processor`; pass it as `logits_processor=[...]` to `generate`.

    It may be used for any number of calls to `generate`, one at a time: with batches, left
    padding, beams, `num_return_sequences`, prompt lookup and assisted generation. A call whose
    prompt is the last one's with a part of its answer is taken as a continuation of that answer;
    `reset` says that it isn't.
    """

    supports_continuous_batching = False

    def __init__(self, constraint: Constraint[Any]) -> None:
        self._size = constraint.vocabulary.size
        self._states = PrefixStates(constraint.matcher())
        self._ended = np.zeros((self._size + 31) // 32, np.int32)
        for token in constraint.vocabulary.eos:
            self._ended.view(np.uint32)[token >> 5] |= np.uint32(1 << (token & 31))
        self.reset()

    def reset(self) -> None:
        """Take the next call as the first of a new `generate`."""
        self._start = self._longest = -1
        self._prompts: frozenset[bytes] = frozenset()

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Return new scores, -inf for what a row's text doesn't allow; `scores` stays as it is.

        A row that has ended, or that was never allowed (beams go on with such rows), may only end.
        """
        if scores.shape[-1] < self._size:
            raise TercetError(
                f"the logits are narrower than the vocabulary: {scores.shape[-1]} against "
                f"{self._size}",
                why="the constraint was compiled for another model's tokenizer",
                hint="compile it with the vocabulary of this model",
            )
        ids = input_ids.cpu().numpy()
        self._settle(ids)
        bits = np.tile(self._ended, (len(ids), 1))
        found = [self._states.at(row[self._start :]) for row in ids]
        going_on = [number for number, matcher in enumerate(found) if matcher is not None]
        Batch([m for m in found if m is not None]).fill_bitmask(bits, going_on)
        self._states.forget(max(_KEPT, _KEPT_PER_ROW * len(ids)))
        masked = scores.clone()
        apply_bitmask(masked, bits)
        return masked

    def _settle(self, ids: Tokens) -> None:
        """Find out whether this is a new `generate`, whose prompts are then all of `ids`."""
        if not self._goes_on(ids):
            self._start = ids.shape[1]
            self._prompts = frozenset(row.tobytes() for row in ids)
            self._states.begin()
            self._longest = -1
        self._longest = max(self._longest, ids.shape[1])

    def _goes_on(self, ids: Tokens) -> bool:
        length, start = ids.shape[1], self._start
        return (
            0 <= start <= length <= self._longest + 1
            and all(row[:start].tobytes() in self._prompts for row in ids)
            and (length == start or all(self._states.was_asked(row[start:-1]) for row in ids))
        )


class _Known(NamedTuple):
    matcher: Matcher | None  # None when the prefix has ended or isn't allowed
    call: int


class PrefixStates:
    """Matchers by what was written: each is forked from that of the text one token shorter.

    The least recently used are forgotten; they can always be made again from their tokens.
    """

    def __init__(self, root: Matcher) -> None:
        self._root = root
        self._known: OrderedDict[bytes, _Known] = OrderedDict()
        self._call = 0

    def begin(self) -> None:
        """Forget what was asked for, though not the answers."""
        self._call += 1

    def was_asked(self, written: Tokens) -> bool:
        """Whether `at` was asked for exactly this text since `begin`."""
        known = self._known.get(written.tobytes())
        return known is not None and known.call == self._call

    def at(self, written: Tokens) -> Matcher | None:
        """Return the matcher after these tokens, not to be moved; None if nothing may follow."""
        key = written.tobytes()
        known = self._known.get(key)
        matcher = self._made(written) if known is None else known.matcher
        self._known[key] = _Known(matcher, self._call)
        self._known.move_to_end(key)
        return matcher

    def _made(self, written: Tokens) -> Matcher | None:
        parent = self._known.get(written[:-1].tobytes()) if len(written) else None
        matcher = self._root if parent is None else parent.matcher
        rest = written if parent is None else written[-1:]
        if matcher is None or not len(rest):
            return matcher
        matcher = matcher.fork()
        try:
            for token in rest.tolist():
                matcher.advance(token)
        except TokenRejectedError:
            return None
        return matcher

    def forget(self, kept: int) -> None:
        """Keep only the last `kept` texts that were asked for."""
        while len(self._known) > kept:
            self._known.popitem(last=False)
