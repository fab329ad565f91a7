"""How much to draft: what a guess has been worth, and what a longer step has cost.

A step of k drafted tokens takes `jump * (1 + slope * k)` times as long as one of none, and gives
one token and those of the draft that come true. Reading two tokens may cost half as much again as
reading one (SmolLM2 on a CPU: 58 and 88 ms), and each further one next to nothing (4 ms). Both
sides are learnt while decoding; they only decide how fast an answer comes, never what it says.
"""

from __future__ import annotations

from tercet.samplers.drafts.protocol import Guess

_LONGEST = 32  # tokens of an automatic draft
_SLOPE = 0.05  # before anything is measured; of a small model on a CPU
_WEIGHT = 30.0  # of what is assumed: that of about two steps with four tokens
_FORGET = 0.97  # what counts of the past at each new step
_PRIOR = 3.0  # of the chance that a guess names, in tokens
_FEW = 2.5  # steps that say little yet
_HIGHEST = 3.0  # jump that is believed
_ODD = 3.0  # times the usual: such a step was disturbed


class Pace:
    """A fixed number of tokens, or with None as many as pay."""

    def __init__(self, fixed: int | None = None) -> None:
        self.fixed = fixed
        self._tried: dict[str, float] = {}
        self._true: dict[str, float] = {}
        self._bare = [0.0] * 2  # sums over steps without a draft of 1, t
        self._sums = [0.0] * 5  # over those with one of 1, k, t, k*k, k*t

    @property
    def slope(self) -> float:
        """How much longer a step with a draft takes for one more token, as a share of its base."""
        start, rise = self._line()
        return min(max(rise / max(start, 1e-9), 0.002), 1.0) if rise else _SLOPE

    @property
    def jump(self) -> float:
        """How much longer a step takes for having a draft at all."""
        (bare, seconds), drafted = self._bare, self._sums[0]
        if min(bare, drafted) < _FEW:
            return 1.0
        return min(max(self._line()[0] * bare / seconds, 1.0), _HIGHEST)

    def _line(self) -> tuple[float, float]:
        """Seconds of a step with a draft: at none, and for each token."""
        n, k, t, kk, kt = self._sums
        if t <= 0:
            return 0.0, 0.0
        # least squares for start and rise, drawn towards rise == _SLOPE * start
        a, b, c = n + _WEIGHT * _SLOPE**2, k - _WEIGHT * _SLOPE, kk + _WEIGHT
        scale = a * c - b * b
        return (t * c - b * kt) / scale, (a * kt - b * t) / scale

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

    def worth(self, length: int, expected: float, rows: int) -> bool:
        """Say whether a draft of which so much will come true is better than none."""
        if self.fixed is not None or not length:
            return True
        return self.jump * (1 + self.slope * rows * length) < 1 + expected

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
        n, t = (self._sums[0], self._sums[2]) if tokens else self._bare
        if n > _FEW and seconds > _ODD * t / n:
            return
        if tokens:
            new = (1.0, tokens, seconds, tokens * tokens, tokens * seconds)
            self._sums = [old * _FORGET + one for old, one in zip(self._sums, new, strict=True)]
        else:
            self._bare = [n * _FORGET + 1, t * _FORGET + seconds]
