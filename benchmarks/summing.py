"""Records of maskbench.py summed up: percentiles, verdicts, and what was slowest, for each engine.

Only sums: what is measured stands in following.py, what it looks like in tables.py and plots.py.
"""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import corpus, timing

Entry = dict[str, Any]
_SHOWN = 20


def sum_up(records: Iterable[Entry], engines: list[str], limit_seconds: float) -> Entry:
    """What each engine did on these schemas."""
    by_engine: dict[str, list[Entry]] = {engine: [] for engine in engines}
    for record in records:
        by_engine[record["engine"]].append(record)
    return {
        "schemas": max(map(len, by_engine.values()), default=0),
        "limit_seconds": limit_seconds,
        "engines": {name: _sum_of(found, limit_seconds) for name, found in by_engine.items()},
    }


def _sum_of(records: list[Entry], limit_seconds: float) -> Entry:
    followed = [record for record in records if "first_mask" in record]
    first = {clock: list(_first_masks(records, at, limit_seconds)) for at, clock in _CLOCKS}
    tokens = {
        clock: [took for record in followed for took in record[clock]] for _, clock in _CLOCKS
    }
    return {
        "counts": counts(records),
        "token_us": timing.percentiles(tokens["wall"]),
        "token_cpu_us": timing.percentiles(tokens["cpu"]),
        "first_mask_us": timing.percentiles(first["wall"]),
        "first_mask_cpu_us": timing.percentiles(first["cpu"]),
        "token_curve": timing.curve(tokens["wall"]),
        "first_mask_curve": timing.curve(first["wall"]),
        "refused": {r["name"]: r["refused"] for r in records if "refused" in r},
        "failed": {r["name"]: f"{r['step']}: {r['failed']}" for r in records if "failed" in r},
        "valid_refused": list(misjudged(followed, valid=True)),
        "invalid_accepted": list(misjudged(followed, valid=False)),
        "slowest_tokens": slowest_tokens(followed),
        "slowest_first_masks": slowest_first_masks(followed),
    }


_CLOCKS = ((0, "wall"), (1, "cpu"))


def _first_masks(records: list[Entry], at: int, limit_seconds: float) -> Iterator[int]:
    """Those that came, and for each that didn't come in time the limit, which flatters it."""
    for record in records:
        if "first_mask" in record:
            yield record["first_mask"][at]
        elif record.get("step") == "compiling":
            yield int(limit_seconds * 1e9)


def counts(records: list[Entry]) -> dict[str, int]:
    """How many schemas and instances came to what."""
    found: Counter[str] = Counter()
    for record in records:
        if "first_mask" not in record:
            found["refused" if "refused" in record else "failed"] += 1
            continue
        found["compiled"] += 1
        found["mask and advance differ"] += record["differ"]
        judged = [(valid, accepted) for valid, accepted, *_ in record["tests"]]
        for valid, accepted in judged:
            found[timing.verdict(valid=valid, accepted=accepted)] += 1
        found["passing"] += timing.is_passing(judged)
    return dict(found)


def misjudged(followed: list[Entry], *, valid: bool) -> Iterator[Entry]:
    """The valid instances that were refused, or the invalid ones that were accepted."""
    for record in followed:
        for index, (is_valid, accepted, at, of) in enumerate(record["tests"]):
            if is_valid == valid and accepted != valid:
                yield {"name": record["name"], "test": index, "token": at, "of": of}


def slowest_tokens(followed: list[Entry]) -> list[list[Any]]:
    """[microseconds, schema, test, token], the slowest first."""
    return _slowest(
        (took, record["name"], test, token)
        for record in followed
        for took, (test, token) in zip(record["wall"], places(record["tests"]), strict=True)
    )


def slowest_first_masks(followed: list[Entry]) -> list[list[Any]]:
    """[microseconds, schema], the slowest first."""
    return _slowest((record["first_mask"][0], record["name"]) for record in followed)


def _slowest(found: Iterable[tuple[Any, ...]]) -> list[list[Any]]:
    return [[timing.rounded(ns / 1000), *at] for ns, *at in sorted(found, reverse=True)[:_SHOWN]]


def places(tests: list[list[Any]]) -> Iterator[tuple[int, int]]:
    """(test, token) of each time, in the order in which they were taken.

    A test takes as many as it has tokens, or up to the one that was refused, which counts.

    >>> list(places([[True, True, 2, 2], [False, False, 0, 5]]))
    [(0, 0), (0, 1), (1, 0)]
    """
    for index, (_, _, at, of) in enumerate(tests):
        for token in range(min(at + 1, of)):
            yield index, token


def explain_refusals(result: Entry, entries: dict[str, Entry]) -> None:
    """Say of each valid instance that tercet refuses whether it is only written otherwise."""
    for found in result["engines"].get("tercet", {}).get("valid_refused", ()):
        entry = entries[found["name"]]
        instance = entry["tests"][found["test"]]["data"]
        found["why"] = corpus.why_refused(entry["schema"], instance)


def only_figures(result: Entry) -> Entry:
    """A result without its lists of names."""
    kept = ("counts", "token_us", "token_cpu_us", "first_mask_us", "first_mask_cpu_us")
    engines = {name: {key: found[key] for key in kept} for name, found in result["engines"].items()}
    rest = {key: value for key, value in result.items() if key != "command"}
    return {**rest, "engines": engines}


def machine() -> Entry:
    """Where and when a run was made."""
    return {
        "machine": f"{_processor()}, {platform.system()}, Python {platform.python_version()}",
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "date": datetime.now(UTC).date().isoformat(),
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
