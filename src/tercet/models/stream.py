"""An answer while it is written.

A stream is pulled: the model takes its next step when the next snapshot is asked for. What is given
out is text (`Snapshot`), or with `fields` the values of parts that are closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from tercet.models.completion import Completion, Snapshot
from tercet.models.run import Run, text_of
from tercet.values.build import TypeReader
from tercet.values.closed import ClosedValues

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

    def fields(self) -> Iterator[tuple[str, Any]]:
        """Yield the parts of a JSON answer as soon as they are closed: JSON Pointer and value.

        Inner parts come before those that hold them; the whole is left to `result`. Where the spec
        is a type, parts are what it says: an item of `list[Person]` is a `Person`. Use it instead
        of iterating, not beside.

        >>> from tercet.testing import scripted
        >>> stream = scripted('{"a": [1, 2]}').stream("?", dict[str, tuple[int, int]])
        >>> list(stream.fields())
        [('/a/0', 1), ('/a/1', 2), ('/a', (1, 2))]

        Raises:
            TercetError: the answer isn't JSON.
        """
        values, read = ClosedValues(), self._run.constraint.grammar.read
        for snapshot in self._snapshots:
            for pointer, value in values.feed(snapshot.piece):
                if pointer:
                    yield (
                        pointer,
                        read.part(pointer, value) if isinstance(read, TypeReader) else value,
                    )

    def cancel(self) -> None:
        """Stop the model after the step at hand, from any thread; `finish` says "cancelled"."""
        self._run.cancel()

    def complete(self) -> Completion[T]:
        """Run to the end, and return the answer with all that is known about it."""
        for _ in self._snapshots:
            pass
        return self._run.completions()[0]

    def result(self) -> T:
        """Run to the end, and return the value.

        Raises:
            OutputTruncatedError: `max_tokens` ran out first, or it was cancelled.
        """
        return self.complete().value
