"""How much to draft: what a guess has been worth, and what a longer step has cost.

A step of k drafted tokens takes about `1 + slope * k` times as long as one of none, and gives one
token and those of the draft that come true. Both sides are learnt while decoding; they only decide
how fast an answer comes, never what it says.
"""

from __future__ import annotations

from tercet.samplers.drafts.protocol import Guess

_LONGEST = 32  # tokens of an automatic draft
_SLOPE = 0.05  # before anything is measured; of a small model on a CPU
_WEIGHT = 30.0  # of what is assumed: that of about two steps with four tokens
_FORGET = 0.97  # what counts of the past at each new step
_PRIOR = 3.0  # of the chance that a guess names, in tokens
_ODD = 3.0  # times the usual: such a step was disturbed


class Pace:
    """A fixed number of tokens, or with None as many as pay."""

    def __init__(self, fixed: int | None = None) -> None:
        self.fixed = fixed
        self._tried: dict[str, float] = {}
        self._true: dict[str, float] = {}
        # sums over steps of 1, k, t, k*k, k*t
        self._sums = [0.0] * 5

    @property
    def slope(self) -> float:
        """How much longer a step takes for one more token, as a share of the shortest step."""
        n, k, t, kk, kt = self._sums
        if t <= 0:
            return _SLOPE
        # least squares for start and rise, drawn towards rise == _SLOPE * start
        a, b, c = n + _WEIGHT * _SLOPE**2, k - _WEIGHT * _SLOPE, kk + _WEIGHT
        start, rise = t * c - b * kt, a * kt - b * t
        return min(max(rise / max(start, 1e-9), 0.002), 1.0)

    def pays(self, length: int, expected: float, reach: float, rows: int) -> bool:
        """Say whether one more token should be drafted.

        `length` tokens are, of which `expected` will come true; `reach` is the chance that they
        all do and the next one too.
        """
        if self.fixed is not None:
            return length < self.fixed
        if length >= _LONGEST:
            return False
        slope = self.slope * rows
        return reach * (1 + slope * length) > (1 + expected) * slope

    def chance(self, guess: Guess) -> float:
        """Return how often tokens of this kind have come true."""
        true = self._true.get(guess.kind, 0.0) + _PRIOR * guess.chance
        return true / (self._tried.get(guess.kind, 0.0) + _PRIOR)

    def count(self, kind: str, *, came_true: bool) -> None:
        """Learn what became of a drafted token whose forerunners had come true."""
        self._tried[kind] = self._tried.get(kind, 0.0) * _FORGET + 1
        self._true[kind] = self._true.get(kind, 0.0) * _FORGET + came_true

    def took(self, tokens: int, seconds: float) -> None:
        """Learn how long a step with some drafted tokens took."""
        n, k, t = self._sums[:3]
        if n > 2 and seconds > _ODD * (t / (n + _SLOPE * k)) * (1 + _SLOPE * tokens):
            return
        new = (1.0, tokens, seconds, tokens * tokens, tokens * seconds)
        self._sums = [old * _FORGET + more for old, more in zip(self._sums, new, strict=True)]
