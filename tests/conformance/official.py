"""The official suite as a table: how many of each draft's required tests come out how.

python -m tests.conformance.official            work it out anew and print it
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.conformance.ratchet import official_tests


def table(counts: dict[str, dict[str, int]]) -> Iterator[str]:
    """The lines of the table, in Markdown."""
    columns = list(next(iter(counts.values())))
    yield f"| draft | tests | {' | '.join(columns)} | of all |\n"
    yield f"|---|{'---|' * (len(columns) + 2)}\n"
    for draft, found in counts.items():
        total = sum(found.values())
        cells = " | ".join(str(found[column]) for column in columns)
        yield f"| {draft[5:]} | {total} | {cells} | {100 * found['right'] / total:.1f} % |\n"


if __name__ == "__main__":
    sys.stdout.writelines(table(official_tests()))
