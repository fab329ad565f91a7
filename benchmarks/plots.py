"""Percentile plots of a maskbench result: a line for each engine, both axes logarithmic.

The horizontal axis stretches the tail: 90, 99 and 99.9 % are equally far apart. Needs matplotlib
(the extra `bench`); SVG or PNG by the file's suffix.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from benchmarks.timing import CURVE

Entry = dict[str, Any]

_TITLES = {
    "token": "time per token: mask and advance",
    "first_mask": "time to the first mask: compile and mask",
}
_TICKS = (0, 50, 90, 99, 99.9, 99.99)
_COLOURS = {
    "tercet": "#c2410c",
    "llguidance": "#2563eb",
    "xgrammar": "#15803d",
    "xgrammar-compliant": "#65a30d",
    "outlines-core": "#7c3aed",
}


def stretched(percentile: float) -> float:
    """Where a percentile stands on the axis; the last one a little after 99.99.

    >>> [round(stretched(q), 2) for q in (0, 90, 99, 100)]
    [0.0, 1.0, 2.0, 4.3]
    """
    return min(4.3, math.log10(100 / (100 - percentile))) if percentile < 100 else 4.3


def draw(result: Entry, folder: Path, suffix: str = "svg") -> list[Path]:
    """Write benchmarks-token and benchmarks-first_mask."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams["svg.hashsalt"] = "tercet"  # the same file for the same figures
    mpl.rcParams["svg.fonttype"] = "none"
    made = []
    for kind, title in _TITLES.items():
        figure = Figure(figsize=(7.2, 3.6), layout="constrained")
        axes = figure.subplots()
        for name, found in result["engines"].items():
            curve = found[f"{kind}_curve"]
            axes.plot([stretched(q) for q in CURVE], curve, label=name, color=_COLOURS.get(name))
        axes.set_yscale("log")
        axes.set_xticks([stretched(q) for q in _TICKS], [f"{q:g} %" for q in _TICKS])
        axes.set_ylabel("microseconds")
        axes.set_title(title, fontsize=10)
        axes.grid(visible=True, which="major", alpha=0.3)
        axes.legend(frameon=False, fontsize=9)
        made.append(folder / f"benchmarks-{kind.replace('_', '-')}.{suffix}")
        figure.savefig(made[-1], metadata={"Date": None} if suffix == "svg" else None, dpi=160)
    return made
