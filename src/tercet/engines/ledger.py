"""What compiled grammars hold in memory, and who has to let go of it when that is too much.

States, rows and tables are a cache, as the states of a lazy DFA are in RE2: they can be made again
from a sequence's tokens. Over the limit, what nobody uses goes first, the least recently used
before the rest. What is in use follows, the fattest first, but only once it has doubled since it
was last made: then the work of making it again is paid for, and a limit below what the texts in
hand need doesn't make everything slow.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from typing import Protocol
from weakref import ref

from tercet.engines.exclusive import exclusive
from tercet.errors import TercetError

_DEFAULT = 512 << 20
_UNITS = {"": 0, "K": 10, "M": 20, "G": 30}


class Holder(Protocol):
    """Something that holds memory which can be had again."""

    @property
    def size(self) -> int:
        """Bytes held now."""

    @property
    def base(self) -> int:
        """Bytes it needed at least when it was last made."""

    @property
    def is_idle(self) -> bool:
        """Whether nobody uses it."""

    def let_go(self) -> bool:
        """Hold nothing any more, unless somebody is at work on it: then return False."""


class Ledger:
    """Holders in the order in which they were last used; none is kept alive by it."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.used = 0
        self._sizes: OrderedDict[ref[Holder], int] = OrderedDict()

    def enter(self, holder: Holder) -> ref[Holder]:
        """Begin to count a holder; returns the key to speak of it."""
        key = ref(holder, self._strike)
        self._sizes[key] = 0
        self.note(key, holder.size)
        return key

    def note(self, key: ref[Holder], size: int) -> None:
        """Say what a holder has now; it has just been used."""
        self.used += size - self._sizes[key]
        self._sizes[key] = size
        self._sizes.move_to_end(key)

    def touch(self, key: ref[Holder]) -> None:
        """Say that a holder has just been used."""
        self._sizes.move_to_end(key)

    def _strike(self, key: ref[Holder]) -> None:
        self.used -= self._sizes.pop(key, 0)

    def settle(self) -> None:
        """Make holders let go until the limit is kept, or nothing more can be gained."""
        if self.used <= self.limit:
            return
        with exclusive():
            for key, holder in self._candidates():
                if self.used <= self.limit:
                    break
                if holder.let_go():
                    self.note(key, holder.size)

    def _candidates(self) -> list[tuple[ref[Holder], Holder]]:
        everyone = [(key, found) for key in list(self._sizes) if (found := key()) is not None]
        idle = [pair for pair in everyone if pair[1].is_idle]
        grown = [pair for pair in everyone if not pair[1].is_idle and _has_doubled(pair[1])]
        grown.sort(key=lambda pair: pair[1].size, reverse=True)
        return [*idle, *grown]


def _has_doubled(holder: Holder) -> bool:
    return holder.size >= 2 * holder.base


def parsed_size(text: str) -> int:
    """Bytes as people write them.

    >>> parsed_size("512MB"), parsed_size("2g"), parsed_size("4096")
    (536870912, 2147483648, 4096)

    Raises:
        TercetError: it is not a size.
    """
    plain = text.strip().upper().removesuffix("B").removesuffix("I")
    number, unit = (plain[:-1], plain[-1]) if plain[-1:] in ("K", "M", "G") else (plain, "")
    try:
        return int(float(number) * (1 << _UNITS[unit]))
    except ValueError:
        raise TercetError(
            f"{text!r} is not a size", hint='write bytes, or a number with a unit: "512MB"'
        ) from None


LEDGER = Ledger(parsed_size(os.environ.get("TERCET_MEMORY") or str(_DEFAULT)))
