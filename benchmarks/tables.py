"""Results as tables: for a terminal (rich) and for the docs (Markdown).

One list of rows serves both, so that they can't say different things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.timing import QUANTILES

Entry = dict[str, Any]
Row = list[str]

_COUNTS = {
    "passing schemas": "passing",
    "compiled": "compiled",
    "refused": "refused",
    "over a limit, or crashed": "failed",
    "valid instances refused": "valid refused",
    "invalid instances accepted": "invalid accepted",
    "mask and advance differ": "mask and advance differ",
}
_WHY = {
    "order": "keys out of declared order",
    "spelling": "written another way",
    "": "WRONG",
}

_VOCABULARIES = {
    "llama3_1": "Llama 3.1",
    "qwen3": "Qwen3",
    "gpt4o": "GPT-4o",
    "gptoss": "gpt-oss",
    "deepseek_v3": "DeepSeek-V3",
    "llama2": "Llama 2",
    "gemma3": "Gemma 3",
}


def vocabulary_name(name: str) -> str:
    """What people call a vocabulary."""
    return _VOCABULARIES.get(name, name)


def time_of(microseconds: float) -> str:
    """A time as people read it.

    >>> time_of(2.345), time_of(1234.6), time_of(2500000)
    ('2.3', '1,235', '2,500,000')
    """
    return f"{microseconds:,.1f}" if microseconds < 100 else f"{microseconds:,.0f}"


def engine_rows(result: Entry) -> list[Row]:
    """A row for each figure, a column for each engine; an empty row is a gap."""
    engines = result["engines"].values()
    rows = [
        [title, *(f"{found['counts'].get(key, 0):,}" for found in engines)]
        for title, key in _COUNTS.items()
    ]
    for title, key in (("TBM", "token_us"), ("TTFM", "first_mask_us")):
        rows.append([])
        for name in (*QUANTILES, "mean"):
            times = [time_of(found[key].get(name, 0)) for found in engines]
            rows.append([f"{title} {name}, µs", *times])
        for name in ("p50", "p99", "p99.9", "mean"):
            times = [time_of(found[f"{key[:-3]}_cpu_us"].get(name, 0)) for found in engines]
            rows.append([f"{title} {name}, µs of CPU", *times])
    rows.append([])
    prepared = result["prepared"]
    rows.append(
        ["vocabulary, seconds", *(f"{prepared[name][1]:.2f}" for name in result["engines"])]
    )
    return rows


def heading(result: Entry) -> Row:
    return ["", *(f"{name} {result['prepared'][name][0]}" for name in result["engines"])]


def engines_table(result: Entry) -> Table:
    size = f"{result['size']:,} tokens"
    return rich_table(
        f"{result['schemas']} schemas, {vocabulary_name(result['vocabulary'])} ({size})",
        heading(result),
        engine_rows(result),
    )


def rich_table(title: str, head: Row, rows: Iterable[Row]) -> Table:
    table = Table(title=title)
    for index, name in enumerate(head):
        table.add_column(name, justify="right" if index else "left", no_wrap=not index)
    for row in rows:
        if row:
            table.add_row(*row)
        else:
            table.add_section()
    return table


def markdown(head: Row, rows: Iterable[Row]) -> str:
    """A Markdown table.

    >>> print(markdown(["", "a"], [["x|y", "1"]]))
    | | a |
    |---|--:|
    | x\\|y | 1 |
    """
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (head, *rows) if row]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    rule = "|---" + "|--:" * (len(head) - 1) + "|"
    return "\n".join([lines[0].replace("|  |", "| |", 1), rule, *lines[1:]])


def print_findings(console: Console, result: Entry) -> None:
    """What is wrong or slow: each with the schema that shows it."""
    for engine, found in result["engines"].items():
        for took, name, test, token in found["slowest_tokens"][:5]:
            place = f"{name}, test {test}, token {token}"
            console.print(f"{engine}: slow token: {time_of(took)} µs: {place}")
        for took, name in found["slowest_first_masks"][:5]:
            console.print(f"{engine}: slow first mask: {time_of(took)} µs: {name}")
        for name, why in found["failed"].items():
            console.print(f"{engine}: failed: {name}: {why}")
    own = result["engines"].get("tercet")
    if own is None:
        return
    for why, count in Counter(found["why"] for found in own["valid_refused"]).items():
        console.print(f"tercet: {count} valid instances refused: {_WHY.get(why, why)}")
    for found in own["valid_refused"]:
        if not found["why"]:
            console.print(f"[red]tercet: valid instance refused: {found['name']} {found['test']}")
    for found in own["invalid_accepted"]:
        console.print(f"[red]tercet: invalid instance accepted: {found['name']} {found['test']}")
    for name, other in result["engines"].items():
        if name != "tercet":
            console.print(ratios(own, other, name))


def ratios(own: Entry, other: Entry, name: str) -> str:
    """tercet's times as parts of another engine's."""
    parts = [
        f"{title} {figure} {own[key][figure] / other[key][figure]:.2f}"
        for title, key in (("TBM", "token_us"), ("TTFM", "first_mask_us"))
        for figure in ("p50", "p90", "p99", "p99.9", "mean")
        if other[key].get(figure)
    ]
    return f"tercet / {name}: {', '.join(parts)}"
