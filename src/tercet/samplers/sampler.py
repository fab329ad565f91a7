"""What a sampler is to those who run it: a way to choose, and a way to grow rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from tercet.samplers.choosing import Rule
from tercet.samplers.network import Network, Row


class Sampler(Protocol):
    """Grows rows until each is finished; see `samplers.masked` and `samplers.speculative`."""

    @property
    def rule(self) -> Rule:
        """How it chooses among allowed tokens."""
        ...

    def decode(
        self, network: Network, rows: Sequence[Row], *, together: int | None = None
    ) -> Iterator[None]:
        """Grow all rows until each has its `finish`; yields once per step of the model.

        With `together`, so many at most are grown at a time: where the model can take them in, new
        rows take the places of those that have ended, else the next ones wait for all.
        """
        ...
