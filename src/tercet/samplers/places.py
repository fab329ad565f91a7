"""The places of a batch: which rows are grown together, and which come next.

What samplers have in common: rows that have ended leave their session, and others take their
places. How a row is grown is each sampler's own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from tercet.samplers.network import JoiningSession, Row, Session


class Grown(Protocol):
    """A row, with whatever a sampler knows about it."""

    @property
    def row(self) -> Row:
        """The row."""
        ...


G = TypeVar("G", bound=Grown)
G_contra = TypeVar("G_contra", bound=Grown, contravariant=True)
S = TypeVar("S", bound=Session)


class Growing(Protocol[G_contra, S]):
    """How a sampler grows rows: each method is one step of the model."""

    def begin(self, fresh: Sequence[G_contra], width: int) -> S:
        """Open a session for new rows and choose what can be chosen; `width` rows are in hand."""
        ...

    def go_on(self, session: S, live: Sequence[G_contra]) -> None:
        """Give the session what was chosen last, and choose what comes next."""
        ...

    def end_step(self, session: S, live: Sequence[G_contra]) -> None:
        """Forget what is to be forgotten, before rows leave or come."""
        ...


class Places(Generic[G, S]):
    """Grows all rows with a sampler, so many at a time."""

    def __init__(self, how: Growing[G, S], rows: Sequence[G], together: int | None) -> None:
        self._how, self._waiting = how, deque(rows)
        self._most = together or len(rows)
        self._live: list[G] = []
        self._session: S | None = None

    def steps(self) -> Iterator[None]:
        """Do all of the work; yields after every step of the model."""
        while self._waiting or self._live:
            if self._waiting and len(self._live) < self._most and self._can_join():
                room = min(self._most - len(self._live), len(self._waiting))
                fresh = [self._waiting.popleft() for _ in range(room)]
                session = self._how.begin(fresh, len(self._live) + room)
                yield
                self._admit(session, self._remaining(session, fresh))
                continue
            assert self._session is not None
            self._how.go_on(self._session, self._live)
            yield
            self._live = self._remaining(self._session, self._live)

    def _can_join(self) -> bool:
        if not self._live:
            return True
        return isinstance(self._session, JoiningSession) and self._session.joins

    def _admit(self, session: S, fresh: list[G]) -> None:
        if not self._live:
            self._session, self._live = session, fresh
        elif fresh:
            assert isinstance(self._session, JoiningSession)
            self._session.join(session)
            self._live += fresh

    def _remaining(self, session: S, live: list[G]) -> list[G]:
        """Those that haven't ended; the others leave the session."""
        self._how.end_step(session, live)
        going = [place for place, one in enumerate(live) if one.row.finish is None]
        if going and len(going) < len(live):
            session.keep(going)
        return [live[place] for place in going]
