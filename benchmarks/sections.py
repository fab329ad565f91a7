"""The sections of docs/benchmarks.md but for the first: a function for each kind of result.

Only words and tables; `page.py` puts them together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from benchmarks import jsonschemabench
from benchmarks.tables import Row, heading, markdown, time_of, vocabulary_name

Entry = dict[str, Any]


def _section(title: str, text: str, result: Entry, *tables: str) -> str:
    command = f"```console\n$ {result['command']}\n```"
    return "\n\n".join([f"## {title}", text, command, *tables])


def _figures(found: dict[str, Entry], columns: Iterable[str]) -> str:
    """A row for each name, a column for each of its figures."""
    rows = [[name, *(time_of(value) for value in row.values())] for name, row in found.items()]
    return markdown(["", *columns], rows)


def vocabularies(result: Entry) -> str:
    """A row for each vocabulary and engine."""
    rows: list[Row] = []
    for name, found in result["rows"].items():
        for engine, figures in found["engines"].items():
            token, first = figures["token_us"], figures["first_mask_us"]
            rows.append(
                [
                    f"{vocabulary_name(name)} ({found['size']:,}), {engine}",
                    f"{figures['counts'].get('passing', 0):,}",
                    *(time_of(token[q]) for q in ("p50", "p90", "p99", "mean")),
                    *(time_of(first[q]) for q in ("p50", "p99")),
                    f"{found['prepared'][engine][1]:.2f}",
                ]
            )
    head = ["", "passing", "TBM p50", "p90", "p99", "mean", "TTFM p50", "p99", "vocabulary, s"]
    some = next(iter(result["rows"].values()))
    text = (
        f"{some['schemas']} schemas for each; times in microseconds. {some['machine']}, one core."
    )
    return _section("Other vocabularies", text, result, markdown(head, rows))


def real_model(result: Entry) -> str:
    """JSONSchemaBench's measures."""
    text = (
        f"{result['model']} answers {result['schemas']} prompts with a schema in them, in"
        f" `transformers.generate`, greedily, up to {result['tokens']} tokens, through the logits"
        f" processor of each engine; the measures are those of JSONSchemaBench (arXiv 2501.10868)."
        f" {result['machine']}, one core. An answer counts as valid if it came to an end and"
        " jsonschema accepts it, formats included; a small model often doesn't come to an end."
    )
    table = markdown(heading(result), jsonschemabench.rows_of(result))
    return _section("On a real model", text, result, table)


def batch(result: Entry) -> str:
    """One call for many sequences."""
    text = (
        f"One call writes the rows of {result['rows']} sequences of {result['schemas']} schemas,"
        " each at another place; one more call takes a token with each. Microseconds per row;"
        f" {result['machine']}."
    )
    columns = ("wall, median", "wall, p90", "wall, least", "CPU, median")
    return _section("Batches", text, result, _figures(result["us_per_row"], columns))


def soak(result: Entry) -> str:
    """Memory over a long time."""
    later = [point["rss_mb"] for point in result["points"][len(result["points"]) // 2 :]]
    text = (
        f"One process compiles {result['schemas']:,} schemas one after another and takes"
        f" {result['tokens']:,} random tokens; it never has more than {result['peak_mb']:,.0f} MB,"
        f" and between {min(later):,.0f} and {max(later):,.0f} MB in the second half."
        f" {result['machine']}, {result['seconds'] / 60:,.0f} minutes."
    )
    shown = result["points"][:: max(1, len(result["points"]) // 8)]
    rows = [
        [f"{p['schemas']:,}", f"{p['tokens']:,}", f"{p['rss_mb']:,.0f}", f"{p['ledger_mb']:,.0f}"]
        for p in shown
    ]
    head = ["schemas", "tokens", "resident, MB", "of it what compiled grammars hold"]
    return _section("Memory", text, result, markdown(head, rows))


def gpu(result: Entry) -> str:
    """What runs on a device."""
    checks = ", ".join(f"{count} cases by {name}" for name, count in result["right"].items())
    text = (
        f"{result['device']}, torch {result['torch']}. `apply_bitmask` was checked in {checks}, and"
        f" {len(result['wrong'])} were wrong. The step is that of {result['model']}, random ones,"
        " with a constraint for each sequence; the tokens go to the host with and without it."
    )
    tables = [
        f"{title}:\n\n{_figures(found, next(iter(found.values())))}"
        for title, found in (
            ("`apply_bitmask`, microseconds; `fill_` is the memory's limit", result["apply_us"]),
            ("Rows that are known to the device, microseconds", result["rows_us"]),
            ("A step of decoding, milliseconds", result["step_ms"]),
        )
    ]
    return _section("On a GPU", text, result, *tables)
