"""What starting costs: kernels compiled and loaded, vocabularies prepared and found on the disk.

Each figure is of a process of its own: wall and CPU seconds, imports of others' packages and the
loading of the tokenizer itself aside.

    python benchmarks/startup.py
    python benchmarks/startup.py --vocabularies gemma3 --without-kernels
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.tokenizers_for_tests import NAMES, tokenizer_path

RESULTS = Path(__file__).parent / "results" / "startup.json"

_BEGIN = """
import json, sys, time
def clocks(): return time.perf_counter(), time.process_time()
"""
_END = """
after = clocks()
print(json.dumps([after[0] - before[0], after[1] - before[1]]))
"""
_KERNELS = """
import numba, numba.core.ccallback
before = clocks()
import tercet.engines.batches, tercet.engines.generations
"""
_FROM_OBJECT = """
from tokenizers import Tokenizer
import tercet.engines.terminals as engine
from tercet import Vocabulary
tokenizer = Tokenizer.from_file(sys.argv[1])
before = clocks()
engine.terminal_tables(Vocabulary.from_transformers(tokenizer))
"""
_FROM_FILE = """
import tokenizers
import tercet.engines.terminals as engine
from tercet import Vocabulary
before = clocks()
engine.terminal_tables(Vocabulary.from_tokenizer_json(sys.argv[1]))
"""


def seconds(program: str, *arguments: str, cache: str | None = None) -> list[float]:
    """Wall and CPU seconds that a program reports."""
    environment = {**os.environ, **({"TERCET_CACHE": cache} if cache else {})}
    code = [sys.executable, "-c", _BEGIN + program + _END, *arguments]
    done = subprocess.run(code, capture_output=True, text=True, env=environment, check=True)
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return [round(value, 3) for value in found]


def kernels() -> dict[str, Any]:
    """Compiled in an empty folder, then loaded from it."""
    with tempfile.TemporaryDirectory() as folder:
        compiled = seconds(_KERNELS, cache=folder)
        loaded = min(seconds(_KERNELS, cache=folder) for _ in range(3))
    return {"kernels compiled": compiled, "kernels loaded": loaded}


def vocabulary(name: str) -> dict[str, Any]:
    """From a tokenizer in memory; from its file; and from the disk cache."""
    path = tokenizer_path(name)
    if path is None:
        return {}
    file = str(path)
    cold = min(seconds(_FROM_OBJECT, file) for _ in range(3))
    read = seconds(_FROM_FILE, file)  # at the latest now it is kept
    kept = min(seconds(_FROM_FILE, file) for _ in range(3))
    return {f"{name} prepared": cold, f"{name} read": read, f"{name} from the cache": kept}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vocabularies", nargs="*", default=NAMES)
    parser.add_argument("--without-kernels", action="store_true")
    options = parser.parse_args()
    found = {} if options.without_kernels else kernels()
    for name in options.vocabularies:
        found |= vocabulary(name)
    table = Table("what", "wall s", "CPU s")
    for what, (wall, cpu) in found.items():
        table.add_row(what, f"{wall:.3f}", f"{cpu:.3f}")
    Console().print(table)
    RESULTS.write_text(json.dumps({"load": os.getloadavg()[0], "seconds": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
