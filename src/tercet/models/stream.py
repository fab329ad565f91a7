"""An answer while it is written.

A stream is pulled: the model takes its next step when the next snapshot is asked for. Values of
parts of the answer are not read here, only text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from tercet.models.completion import Completion, Snapshot
from tercet.models.run import Run, text_of

T = TypeVar("T")


class Stream(Generic[T]):
    """Iterate for snapshots, then take the result; dropping the stream stops the model.

    Snapshots come once: a second loop goes on where the first stopped.
    """

    def __init__(self, run: Run[T]) -> None:
        self._run = run
        self._snapshots = self._written()

    def _written(self) -> Iterator[Snapshot]:
        text = ""
        for _ in self._run.steps():
            grown = text_of(self._run.rows[0])
            if grown != text:
                yield Snapshot(grown, grown[len(text) :])
                text = grown

    def __iter__(self) -> Iterator[Snapshot]:
        return self._snapshots

    def complete(self) -> Completion[T]:
        """Run to the end, and return the answer with all that is known about it."""
        for _ in self._snapshots:
            pass
        return self._run.completions()[0]

    def result(self) -> T:
        """Run to the end, and return the value.

        Raises:
            OutputTruncatedError: `max_tokens` ran out first.
        """
        return self.complete().value
