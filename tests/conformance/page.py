"""The page of the docs about keywords, written from the record of the conformance tests.

python -m tests.conformance.page            write it; a test compares
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tercet.automata.formats import FORMATS
from tercet.frontends.json_schema.keywords import KEYWORDS, OPENAPI, Keyword
from tests.conformance.categories import DRAFTS
from tests.conformance.official import table
from tests.conformance.ratchet import FILE

PAGE = Path(__file__).parents[2] / "docs" / "json-schema.md"

HEAD = """# JSON Schema, keyword by keyword

Every keyword of drafts 4, 6, 7, 2019-09 and 2020-12 is enforced exactly, or the schema is refused
with the place, the reason and a way out. `$schema` chooses the draft. Without it, 2020-12 applies
and the words of older drafts and of OpenAPI are understood too, as real schemas mix them.
References never fetch anything: other schemas come in `resources=`, by their URI.

This page is written from the record of the conformance tests (`tests/conformance`). They run the
official suite with `order`, `numbers`, `strings` and `whitespace` set to `"any"`, so that every
text of a value counts, and with `formats="annotate"` where the draft says so.

## Keywords

"""

NOTES = {
    "uniqueItems": "arrays and objects among the items must be free to have more, or be few",
    "contains": "up to 6 different things are counted at once",
    "minContains": "as `contains`",
    "maxContains": "as `contains`",
    "pattern": "ECMA-262, lookaround included; no backreferences",
    "format": 'checked, unless `formats="annotate"`; the formats are below',
    "nullable": "of OpenAPI, beside `type`, where there is no `$schema`",
    "multipleOf": "steps with too many remainders are refused",
    "$dynamicRef": "resolved for every way to it",
    "$recursiveRef": "resolved for every way to it",
    "$ref": "up to draft 7 its neighbours are ignored, as those drafts say",
    "dependencies": "also where the draft has none",
    "unevaluatedItems": "by the choices of branches, up to 256",
    "unevaluatedProperties": "by the choices of branches, up to 256",
}

TESTS = """
## The official suite

The required tests of each draft. None may be accepted that is invalid. The table is printed anew by
`python -m tests.conformance.official`.

"""

REAL = """
## Real schemas

The fixed twentieth of MaskBench with the defaults: members in declared order, numbers as json.dumps
writes them. Where only the order of keys differs, a judge that knows no grammar names two keys that
are out of order (`python -m tests.conformance.ordering`); `order="any"` takes those.

The makers of the corpus wrote instances in declared order for the schemas that llguidance compiles:
of the 10,038 valid instances of those, 13 are refused (0.13 %); of the 1,136 of other schemas 371,
as counted on 2026-12-07.

| schemas | right | keys out of declared order | refuses valid | accepts invalid | refused |
|---|---|---|---|---|---|
"""

FILES = """
## The official suite, file by file

Groups of tests that come out right, of all in each file of the suite. What isn't right is named.

"""


def page() -> str:
    """The whole page."""
    record = json.loads(FILE.read_text("utf-8"))
    return "".join(
        (
            HEAD,
            "| keyword | constrains | since draft | remarks |\n|---|---|---|---|\n",
            *(_keyword(name, word) for name, word in KEYWORDS.items()),
            f"\nFormats: {', '.join(f'`{name}`' for name in sorted(FORMATS))}. ",
            "Any other is an annotation.\n",
            TESTS,
            *table(record["official tests"]),
            REAL,
            *_real(record),
            FILES,
            f"| file | {' | '.join(draft[5:] for draft in DRAFTS)} | otherwise |\n",
            f"|---|{'---|' * (len(DRAFTS) + 1)}\n",
            *_files(record["official"], record["official totals"]),
        )
    )


def _keyword(name: str, word: Keyword) -> str:
    since = (
        "OpenAPI" if word.since == OPENAPI else {2019: "2019-09", 2020: "2020-12"}.get(word.since)
    )
    return f"| `{name}` | {word.kind or 'all'} | {since or word.since} | {NOTES.get(name, '')} |\n"


def _real(record: dict[str, Any]) -> Iterator[str]:
    total = record["maskbench total"]
    found = Counter(category.partition(":")[0] for category in record["maskbench"].values())
    yield f"| {total} | {total - sum(found.values())} | {found['order'] + found['spelling']} | "
    yield f"{found['valid_refused']} | {found['invalid_accepted']} | "
    yield f"{sum(found[kind] for kind in ('unsupported', 'unsatisfiable', 'error'))} |\n"


def _files(record: dict[str, str], totals: dict[str, int]) -> Iterator[str]:
    for file in sorted({name.split("/")[1] for name in totals}, key=str.lower):
        wrong = {draft: _categories(record, f"{draft}/{file}/") for draft in DRAFTS}
        cells = (_cell(totals.get(f"{draft}/{file}"), len(wrong[draft])) for draft in DRAFTS)
        reasons = Counter(reason for found in wrong.values() for reason in found)
        yield f"| {file} | {' | '.join(cells)} | {'; '.join(map(_reason, reasons))} |\n"


def _categories(record: dict[str, str], prefix: str) -> list[str]:
    return [category for name, category in record.items() if name.startswith(prefix)]


def _cell(total: int | None, wrong: int) -> str:
    return "" if total is None else f"{total - wrong}/{total}"


def _reason(category: str) -> str:
    kind, _, keyword = category.partition(": ")
    return f"refused for `{keyword}`" if kind == "unsupported" else kind


def main() -> None:
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
