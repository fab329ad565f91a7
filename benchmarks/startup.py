"""What has to be done before the first mask: import, kernels, vocabularies, each in a new process.

Kernels are compiled into an empty cache folder, and loaded from it by the processes after that one.
A vocabulary's time is from its tokenizer.json to a first mask, kernels being there: in a process
that has never seen it, and in one after that.

    python benchmarks/startup.py [--vocabularies llama3_1,qwen3,gemma3] [--repeats 3]

Prints a table and writes benchmarks/results/startup.json. Seconds, the least of the repeats, wall
and CPU.
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
from benchmarks import summing
from tests.tokenizers_for_tests import NAMES, tokenizer_path

RESULTS = Path(__file__).parent / "results" / "startup.json"
_CLOCKS = (
    "from time import perf_counter, process_time\nwall, cpu = perf_counter(), process_time()\n"
)
_SAY = "print(perf_counter() - wall, process_time() - cpu)\n"
_MASK = "tercet.compile(tercet.Grammar.json({'type': 'object'}), v).matcher().mask()\n"

_IMPORT = f"{_CLOCKS}import tercet\n{_SAY}"
_KERNELS = f"""import tercet
from tercet.testing import byte_vocabulary
v = byte_vocabulary()
{_CLOCKS}{_MASK}{_SAY}"""
_VOCABULARY = f"""import sys, tercet
from tercet.testing import byte_vocabulary
v = byte_vocabulary()
{_MASK}{_CLOCKS}v = tercet.Vocabulary.from_tokenizer_json(sys.argv[1])
{_MASK}{_SAY}"""


def ran(code: str, cache: Path, *arguments: str) -> tuple[float, float]:
    """Wall and CPU seconds that a new process says."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *arguments],
        env={**os.environ, "TERCET_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    wall, cpu = done.stdout.split()[-2:]
    return float(wall), float(cpu)


def least(code: str, cache: Path, repeats: int, *arguments: str) -> dict[str, float]:
    """The least of several processes; wall and CPU each by itself."""
    times = [ran(code, cache, *arguments) for _ in range(repeats)]
    wall, cpu = (min(clock) for clock in zip(*times, strict=True))
    return {"wall": round(wall, 3), "cpu": round(cpu, 3)}


def measure(tokenizers: dict[str, Path], repeats: int) -> dict[str, dict[str, float]]:
    """Everything, in a cache folder of its own."""
    with tempfile.TemporaryDirectory(prefix="tercet-startup-") as folder:
        cache = Path(folder)
        found = {
            "import tercet": least(_IMPORT, cache, repeats),
            "kernels, compiled": least(_KERNELS, cache, 1),
            "kernels, loaded": least(_KERNELS, cache, repeats),
        }
        for name, path in tokenizers.items():
            found[f"{name}, never seen"] = least(_VOCABULARY, cache, 1, str(path))
            found[f"{name}, again"] = least(_VOCABULARY, cache, repeats, str(path))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vocabularies", default="llama3_1,qwen3,gemma3", help=", ".join(NAMES))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    console = Console()
    paths = {name: tokenizer_path(name) for name in options.vocabularies.split(",") if name}
    found = measure({name: path for name, path in paths.items() if path}, options.repeats)
    table = Table(title="seconds before the first mask")
    for column in ("", "wall", "CPU"):
        table.add_column(column, justify="right" if column else "left")
    for name, times in found.items():
        table.add_row(name, *(f"{value:.3f}" for value in times.values()))
    console.print(table)
    content: dict[str, Any] = {
        "command": " ".join(["python benchmarks/startup.py", *sys.argv[1:]]),
        **summing.machine(),
        "seconds": found,
    }
    options.output.write_text(json.dumps(content, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
