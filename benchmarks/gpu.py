"""Everything that runs on a device, checked and timed on a CUDA machine in under three minutes.

- `apply_bitmask`: torch's operations and Triton, all float types and layouts, row numbers from a
  table on the device, in a CUDA graph; its time against the memory's bandwidth.
- Rows of a `RowTable` sent by number, against sending them whole.
- A step of decoding by a model of random weights, with and without a constraint for each sequence.

    python benchmarks/gpu.py [--tokenizer PATH]

Without a CUDA device it says so, checks all of it on the CPU (Triton in its interpreter), and times
nothing. Ends with 1 if a check fails. Writes benchmarks/results/gpu.json where there is a device.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import applying, decoding, summing
from tests.tokenizers_for_tests import tokenizer_path

RESULTS = Path(__file__).parent / "results" / "gpu.json"
Entry = dict[str, Any]

_SIZES = [(33, 33), (100, 150), (1000, 700)]
_LARGE = (128_256, 128_256)
_SHAPES = [(count, width) for width in (128_256, 262_144) for count in (1, 64, 256)]
_BATCHES = (1, 64, 256)


def check(device: Any, console: Console) -> tuple[dict[str, int], list[str]]:
    """How many cases of each implementation were right, and the names of the others."""
    right: dict[str, int] = {}
    wrong: list[str] = []
    applies = applying.implementations(device, has_triton=find_spec("triton") is not None)
    for name, apply in applies.items():
        sizes = _SIZES if device.type == "cpu" else [*_SIZES, _LARGE]
        for case in applying.cases(sizes):
            if applying.is_right(apply, case, device):
                right[name] = right.get(name, 0) + 1
            else:
                wrong.append(f"{name}: {case}")
        if device.type == "cuda" and not applying.is_right_in_a_graph(apply, device):
            wrong.append(f"{name}: in a CUDA graph")
        console.print(f"apply_bitmask by {name}: {right.get(name, 0)} cases right")
    return right, wrong


def check_decoding(device: Any, console: Console) -> None:
    """A small model and constraints for 8 sequences: every token that is drawn must be taken."""
    vocabulary = decoding.made_up_vocabulary(2000)
    model = decoding.random_model(vocabulary, device, layers=2, hidden=64)
    constrained = decoding.Constrained(vocabulary, 8, device)
    decoding.decode(model, device, 8, 40, constrained)
    console.print("decoding: 8 sequences, 41 steps, every token taken")


def time_all(device: Any, tokenizer: Path | None, console: Console) -> Entry:
    applies = applying.implementations(device, has_triton=find_spec("triton") is not None)
    apply_us = {
        f"{count} x {width:,}, {kind}": applying.times(applies, device, (count, width), kind)
        for count, width in _SHAPES
        for kind in ("bfloat16", "float32")
    }
    show("apply_bitmask, microseconds", apply_us, console)
    rows_us = {f"{count} rows": time_rows(device, count) for count in (1, 64, 256)}
    show("mask rows to the device, microseconds", rows_us, console)
    vocabulary = vocabulary_of(tokenizer)
    model = decoding.random_model(vocabulary, device, layers=16, hidden=2048)
    step_ms = {
        f"batch of {count}": decoding.milliseconds(model, vocabulary, device, count, steps=48)
        for count in _BATCHES
    }
    show("a step of decoding, milliseconds", step_ms, console)
    return {
        "model": f"Llama, {sum(p.numel() for p in model.parameters()) / 1e9:.1f} billion weights",
        "vocabulary": repr(vocabulary),
        "apply_us": apply_us,
        "rows_us": rows_us,
        "step_ms": step_ms,
    }


def time_rows(device: Any, count: int) -> Entry:
    """Known rows by number, and whole ones; both waited for."""
    import torch

    from tercet import RowTable

    bits = np.random.default_rng(1).integers(0, 2**31, (count, 4008)).astype(np.int32)
    table = RowTable(4008 * 32, device=device)
    table.put(bits)
    found = {}
    for name, call in {
        "by number": lambda: table.put(bits),
        "whole": lambda: torch.from_numpy(bits).to(device),
    }.items():
        took = []
        for _ in range(50):
            start = perf_counter()
            call()
            torch.cuda.synchronize()
            took.append(perf_counter() - start)
        found[name] = round(1e6 * float(np.median(took)), 1)
    return found


def vocabulary_of(tokenizer: Path | None) -> Any:
    """Llama 3.1's where it is, else one of its size that is made up."""
    from tercet import Vocabulary

    path = tokenizer or tokenizer_path("llama3_1")
    return Vocabulary.from_tokenizer_json(path) if path else decoding.made_up_vocabulary(128_256)


def show(title: str, found: dict[str, Entry], console: Console) -> None:
    table = Table(title=title)
    for index, name in enumerate(("", *next(iter(found.values())))):
        table.add_column(name, justify="right" if index else "left")
    for name, figures in found.items():
        table.add_row(name, *(f"{value:,.2f}" for value in figures.values()))
    console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokenizer", type=Path, help="tokenizer.json; Llama 3.1's if it is here")
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    console, started = Console(), perf_counter()
    import torch

    has_cuda = torch.cuda.is_available()
    if not has_cuda:
        os.environ["TRITON_INTERPRET"] = "1"  # before Triton is imported
        console.print("no CUDA device: checked on the CPU, and nothing is timed")
    device = torch.device("cuda" if has_cuda else "cpu")
    right, wrong = check(device, console)
    check_decoding(device, console)
    for name in wrong:
        console.print(f"[red]WRONG: {name}")
    if has_cuda:
        content = {
            "command": "python benchmarks/gpu.py",
            "device": torch.cuda.get_device_name(),
            "torch": torch.__version__,
            **summing.machine(),
            "right": right,
            "wrong": wrong,
            **time_all(device, options.tokenizer, console),
        }
        options.output.write_text(json.dumps(content, indent=1) + "\n")
    console.print(f"{perf_counter() - started:.0f} s")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
