"""The measuring process of maskbench.py: engines take turns on each schema, on one core.

Started by `supervising.py`, which may end it: an engine that hangs in C++ can't be interrupted from
within. It reads one job, and writes a line of JSON before each step that may hang, and one for each
(schema, engine) that is done.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns, process_time_ns
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import corpus, timing
from benchmarks.rivals import RIVALS, Rival, Session, load_tokenizer

Entry = dict[str, Any]
Say = Callable[[Entry], None]

# Of no corpus; it meets every kernel and import before anyone is timed.
_WARM = {"type": "object", "properties": {"warm up": {"type": "array", "items": {"type": "null"}}}}


def measured(rival: Rival, entry: Entry, texts: list[list[int]], say: Say) -> Entry:
    """Compile one schema and follow all its instances: what became of each, and all the times."""

    def first_mask() -> Session:
        session = rival.compile(entry["schema"])
        session.start()
        session.mask()
        return session

    say({"begin": "compiling"})
    try:
        session, *took = timing.timed(first_mask)
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}".splitlines()[0][:300]}
    say({"begin": "following"})
    found: Entry = {"first_mask": took, "wall": [], "cpu": [], "tests": [], "differ": 0}
    for test, tokens in zip(entry["tests"], texts, strict=True):
        accepted, at = follow(session, tokens, found)
        found["tests"].append([test["valid"], accepted, at, len(tokens)])
    return found


def follow(session: Session, tokens: list[int], found: Entry) -> tuple[bool, int]:
    """Whether the engine takes these tokens and may stop then; and where it refused one."""
    session.start()  # a reset, which isn't timed
    row = session.row
    for at, token in enumerate(tokens):
        cpu = process_time_ns()
        start = perf_counter_ns()
        session.mask()
        taken = session.advance(token)
        end = perf_counter_ns()
        found["cpu"].append(process_time_ns() - cpu)
        found["wall"].append(end - start)
        if bool(row[token >> 5] >> (token & 31) & 1) != taken:
            found["differ"] += 1
        if not taken:
            return False, at
    return session.is_accepting(), len(tokens)


def warm_up(rival: Rival, tokenizer: Any) -> None:
    text = tokenizer.encode('{"warm up": [null], "x": 1.5', add_special_tokens=False)
    entry = {"schema": _WARM, "tests": [{"valid": True, "data": None}]}
    measured(rival, entry, [text], lambda _: None)


def work(job: Entry, say: Say) -> None:
    """Do the pairs of a job in order; those of one schema stand together."""
    core = timing.pin(job["core"])
    size = int(job["gigabytes"] * 2**30)
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    entries = {entry["name"]: entry for entry in corpus.load(job["data"], job["slices"])}
    tokenizer = load_tokenizer(Path(job["tokenizer"]))
    size = len(tokenizer)
    rivals = {}
    for name in job["engines"]:
        rivals[name] = RIVALS[name](tokenizer, size)
        warm_up(rivals[name], tokenizer)
    prepared = {name: [rival.version, rival.vocabulary_seconds] for name, rival in rivals.items()}
    say({"ready": prepared, "core": core, "size": size, "clock_ns": timing.clock_ns()})
    texts: dict[str, list[list[int]]] = {}
    for name, engine in job["pairs"]:
        if name not in texts:
            written = [corpus.text_of(test["data"]) for test in entries[name]["tests"]]
            texts = {name: [tokenizer.encode(text, add_special_tokens=False) for text in written]}
            gc.collect()
        say({"next": [name, engine]})
        gc.disable()  # for everyone: a collection would hit whoever is on
        say(measured(rivals[engine], entries[name], texts[name], say))
        gc.enable()


def main() -> None:
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever an engine prints must not come between

    def say(message: Entry) -> None:
        lines.write(json.dumps(message) + "\n")
        lines.flush()

    warnings.simplefilter("ignore")
    work(json.loads(sys.stdin.readline()), say)


if __name__ == "__main__":
    main()
