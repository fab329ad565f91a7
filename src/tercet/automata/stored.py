"""Automata that take tens of milliseconds to build, as data beside the code.

`stored.npz` holds, for each name, the ranges of the classes, the table and the accepting states.
``python -m tests.unit.automata.storing`` writes it anew from what the languages are made of, and a
test compares the two. International names aren't in it: they are as Python's Unicode data has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import IO

import numpy as np

from tercet.automata.chardfa import CharDFA
from tercet.automata.charset import CharSet

PATH = Path(__file__).with_name("stored.npz")


def write(automata: Mapping[str, CharDFA], file: IO[bytes]) -> None:
    """Write automata under their names."""
    arrays = {}
    for name, dfa in automata.items():
        spans = [(n, *span) for n, charset in enumerate(dfa.classes) for span in charset.ranges]
        arrays[f"{name}.spans"] = np.array(spans, np.int32)
        arrays[f"{name}.table"] = dfa.array.astype(np.int16)
        arrays[f"{name}.accept"] = np.array(dfa.accept)
    np.savez_compressed(file, allow_pickle=False, **arrays)


@cache
def stored(name: str) -> CharDFA | None:
    """The automaton of a name, or None if there is none."""
    with np.load(PATH, allow_pickle=False) as arrays:
        if f"{name}.table" not in arrays:
            return None
        ranges: dict[int, list[tuple[int, int]]] = {}
        for number, low, high in arrays[f"{name}.spans"].tolist():
            ranges.setdefault(number, []).append((low, high))
        table = np.ascontiguousarray(arrays[f"{name}.table"], np.int32)
        accept = tuple(arrays[f"{name}.accept"].tolist())
    return CharDFA(tuple([CharSet(spans) for spans in ranges.values()]), table, accept)
