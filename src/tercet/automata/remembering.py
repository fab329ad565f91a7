"""Results that are remembered by what they weigh, not by how many they are.

`functools.lru_cache` counts; but an automaton has ten states or fifty thousand, and four thousand
of the large ones would fill a machine.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import TypeVar

T = TypeVar("T")


def remembered(
    room: int, weight: Callable[[T], int]
) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Remember the results last used that together weigh no more than `room`; errors never.

    >>> calls = []
    >>> spell = remembered(10, len)(lambda text: calls.append(text) or 2 * text)
    >>> [spell(text) for text in ("ab", "abc", "ab", "d", "abc")]
    ['abab', 'abcabc', 'abab', 'dd', 'abcabc']
    >>> calls
    ['ab', 'abc', 'd', 'abc']
    """

    def remember(function: Callable[..., T]) -> Callable[..., T]:
        known: OrderedDict[Hashable, T] = OrderedDict()
        lock = Lock()
        used = 0

        def keep(key: Hashable, result: T) -> None:
            nonlocal used
            with lock:
                if key not in known:
                    known[key] = result
                    used += weight(result)
                while used > room:
                    used -= weight(known.popitem(last=False)[1])

        @wraps(function)
        def call(*key: Hashable) -> T:
            try:
                result = known[key]
                known.move_to_end(key)
            except KeyError:  # new, or another thread made room just now
                result = function(*key)
                keep(key, result)
            return result

        return call

    return remember
