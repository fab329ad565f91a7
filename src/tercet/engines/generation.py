"""One recognizer of the fast engine, from when it is made until its memory is let go."""

from __future__ import annotations

from weakref import ref

from tercet.engines.fast import FastRecognizer


class Lease:
    """Held by every cursor that has states in a generation; when all are gone, it is idle."""

    __slots__ = ("__weakref__",)


class Generation:
    """A recognizer, and what cursors need to know of it."""

    __slots__ = ("_lease", "base", "epoch", "recognizer", "start")

    def __init__(self, recognizer: FastRecognizer, epoch: int) -> None:
        self.recognizer = recognizer
        self.epoch = epoch
        self.start = recognizer.start()
        self.base = recognizer.size
        self._lease: ref[Lease] | None = None

    def lease(self) -> Lease:
        """The lease that this generation's cursors hold."""
        lease = None if self._lease is None else self._lease()
        if lease is None:
            lease = Lease()
            self._lease = ref(lease)
        return lease

    @property
    def is_leased(self) -> bool:
        """Whether any cursor has states here."""
        return self._lease is not None and self._lease() is not None
