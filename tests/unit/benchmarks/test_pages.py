"""Scripts that need a device, or hours: what they do without, and the sections made of results."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from benchmarks import batch, gpu, maskbench, sections, soak
from tercet.testing import byte_vocabulary

ROOT = Path(gpu.__file__).parents[1]


def test_gpu_without_a_device(tmp_path: Path) -> None:
    """Every implementation is checked on the CPU, nothing is timed, and it says so."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    output = tmp_path / "gpu.json"
    done = subprocess.run(
        [sys.executable, "benchmarks/gpu.py", "--output", str(output)],
        cwd=ROOT,
        env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no CUDA device" in done.stdout
    assert "by operations: 240 cases right" in done.stdout
    assert "every token taken" in done.stdout
    assert not output.exists()


def test_a_wrong_implementation_is_found() -> None:
    """The checks see a token too many, and one too few."""
    torch = pytest.importorskip("torch")
    from benchmarks import applying
    from tercet import apply_bitmask

    def leaves_one(logits: Any, bits: Any, rows: Any = None) -> None:
        kept = logits[0, 0].clone()
        apply_bitmask(logits, bits, rows)
        logits[0, 0] = kept

    def forgets_the_padding(logits: Any, bits: Any, rows: Any = None) -> None:
        apply_bitmask(logits[:, : bits.shape[1] * 32], bits, rows)

    device = torch.device("cpu")
    padded = [applying.Case("float32", "contiguous", form, 100, 150) for form in applying.FORMS]
    assert all(applying.is_right(apply_bitmask, case, device) for case in padded)
    assert not any(applying.is_right(forgets_the_padding, case, device) for case in padded)
    assert not all(applying.is_right(leaves_one, case, device) for case in padded)


def test_soak_walks_and_counts() -> None:
    walker = soak.Soak(byte_vocabulary())
    walker.note()
    for schema in ({"enum": [1, 22]}, {"type": "boolean"}, {"type": "nonsense"}):
        walker.walk(schema, 40)
    walker.note()
    assert (walker.schemas, walker.refused, walker.tokens) == (2, 1, 80)
    assert walker.ended > 10
    assert walker.points[1]["tokens"] == 80
    assert walker.points[1]["rss_mb"] > 10


def test_soak_takes_only_what_is_allowed() -> None:
    walker = soak.Soak(byte_vocabulary())
    walker.bits[:] = 0
    walker.bits[3] = 1 << 7
    assert {walker._allowed() for _ in range(20)} == {103}


def test_batches_are_summed_up_by_row() -> None:
    found = batch.summary({"x": {"fill": [(2000, 4000), (4000, 8000), (6000, 6000)]}}, rows=2)
    assert found["x fill"] == {
        "wall_median": 2.0,
        "wall_p90": 2.8,
        "wall_least": 1.0,
        "cpu_median": 3.0,
    }


def test_plots_are_drawn_in_both_formats(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = json.loads((maskbench.RESULTS / "maskbench.json").read_text(encoding="utf-8"))
    maskbench.draw(result, tmp_path / "plots", Console(quiet=True))
    drawn = sorted(tmp_path.rglob("*.*"))
    assert [path.suffix for path in drawn] == [".png", ".svg"] * 2
    assert all(path.stat().st_size > 5000 for path in drawn)


def _common() -> dict[str, Any]:
    return {"command": "python benchmarks/x.py", "machine": "a machine"}


def test_sections() -> None:
    figures = {"wall_median": 0.5, "wall_p90": 0.7, "wall_least": 0.4, "cpu_median": 0.9}
    rows = {"rows": 256, "schemas": 64, "us_per_row": {"tercet fill": figures}}
    assert "| tercet fill | 0.5 | 0.7 | 0.4 | 0.9 |" in sections.batch({**_common(), **rows})
    choose = random.Random(1)
    points = [
        {"schemas": n, "tokens": 100 * n, "rss_mb": 300 + choose.random(), "ledger_mb": 9}
        for n in range(20)
    ]
    long = {"schemas": 19, "tokens": 1900, "peak_mb": 301.0, "seconds": 60, "points": points}
    assert "never has more than 301 MB" in sections.soak({**_common(), **long})
    device = {
        "device": "H",
        "torch": "2",
        "right": {"Triton": 240},
        "wrong": [],
        "model": "Llama, 1.0 billion weights",
        "apply_us": {"1 x 128,256, bfloat16": {"fill_": 3.0, "Triton, 1 % allowed": 4.0}},
        "rows_us": {"64 rows": {"by number": 20.0, "whole": 90.0}},
        "step_ms": {"batch of 64": {"without": 8.0, "with": 8.2}},
    }
    found = sections.gpu({**_common(), **device})
    assert "240 cases by Triton, and 0 were wrong" in found
    assert "| batch of 64 | 8.0 | 8.2 |" in found
