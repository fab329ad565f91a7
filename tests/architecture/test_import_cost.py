"""`import tercet` loads its own few lines, and nothing heavy before it is needed."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("torch", "transformers", "numba", "llvmlite", "pydantic", "numpy", "rich", "typer")


def _imported(code: str) -> dict[str, float]:
    """Every module that `code` imports, with its cumulative seconds, in a fresh interpreter."""
    command = [sys.executable, "-X", "importtime", "-c", code]
    trace = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    rows = [line.split("|") for line in trace.splitlines() if line.startswith("import time:")]
    return {row[2].strip(): int(row[1]) / 1e6 for row in rows if row[1].strip().isdecimal()}


def test_import_is_light() -> None:
    imported = _imported("import tercet")
    print(f"import tercet: {imported['tercet']:.3f} s")  # a bound would fail on a busy machine
    assert not [name for name in imported if name.split(".")[0] in HEAVY]
    ours = [name for name in imported if name.startswith("tercet.")]
    assert ours == ["tercet._version"]


def test_grammars_need_no_model() -> None:
    imported = _imported("import tercet; tercet.Grammar.regex('a+'); tercet.TercetError")
    heavy = [n for n in imported if n.split(".")[0] in {"torch", "transformers", "rich", "typer"}]
    assert not heavy
