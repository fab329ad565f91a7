"""Makes docs/benchmarks.md, its plots and README's figures of benchmarks/results/*.json.

No figure in either is typed by hand; a test compares them with the results. Each kind of result has
a section, which is left out where there is no such file.

    python benchmarks/page.py
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import sections
from benchmarks.tables import Row, engine_rows, heading, markdown, time_of, vocabulary_name

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "benchmarks.md"
README = ROOT / "README.md"
PLOTS = ROOT / "docs" / "_static"
Entry = dict[str, Any]

_INTRODUCTION = """# Benchmarks

<!-- made by benchmarks/page.py of benchmarks/results: don't edit -->

Every figure on this page was measured by a script in `benchmarks/`, with the command that stands
beside it, and was put here by another (`benchmarks/page.py`). Other engines run in the same
process, on the same core, and take turns with tercet.
"""

_MASKBENCH = """## Masks for real schemas

{schemas} schemas of [MaskBench], with valid and invalid instances, over the {size:,} tokens of
{vocabulary}. {machine}; all on core {core}, {date}.

```console
$ {command}
```

[MaskBench]: https://github.com/guidance-ai/jsonschemabench/tree/main/maskbench

- **TBM**, the time between masks: filling a row and advancing by a token, through the public Python
  interface; the token that is refused counts.
- **TTFM**, the time to the first mask: from the schema as a `dict` to a filled row. An engine that
  takes longer than {limit_seconds:g} s is stopped, and counted as if it had taken that.
- Resetting between two instances is not in either. CPU times include
  {clock_ns} ns of reading the clock.
- **Passing**: the schema compiles, and all its instances are judged right.
- Every engine is as it comes, but that it may use only one thread: xgrammar as MaskBench runs it
  (`strict_mode=True, any_whitespace=False`; its "compliant" has both the other way round), with its
  cache across grammars; tercet with what it shares across grammars, but a new constraint for each.
"""

_PLOTS = """```{{image}} _static/benchmarks-token.svg
:alt: Percentiles of the time per token for each engine.
:width: 100%
```

```{{image}} _static/benchmarks-first-mask.svg
:alt: Percentiles of the time to the first mask for each engine.
:width: 100%
```
"""


def maskbench_section(result: Entry) -> str:
    text = _MASKBENCH.format(**{**result, "vocabulary": vocabulary_name(result["vocabulary"])})
    parts = [text, markdown(heading(result), engine_rows(result)), _PLOTS.format()]
    if "tercet" in result["engines"]:
        parts += [_not_passing(result["engines"]["tercet"]), _slowest(result["engines"]["tercet"])]
    return "\n\n".join(part.rstrip("\n") for part in parts)


def _not_passing(own: Entry) -> str:
    reasons = Counter(found["why"] for found in own["valid_refused"])
    words = {"order": "with keys out of the declared order", "spelling": "spelt in another way"}
    parts = [f"{n} {words.get(why, 'wrongly')}" for why, n in sorted(reasons.items())]
    kinds = Counter(re.sub(r"^\w+: ", "", why) for why in own["refused"].values())
    refused = ", ".join(f"{n} × {why}" for why, n in kinds.most_common())
    return (
        f"Valid instances that tercet refuses: {', '.join(parts) or 'none'}. They are refused by"
        f" default and accepted with an option (see [canonical form](canonical-form.md)).\n"
        f"Schemas that it refuses: {refused or 'none'}."
    )


def _slowest(own: Entry) -> str:
    tokens: list[Row] = [
        [f"{name}, test {test}, token {token}", time_of(took)]
        for took, name, test, token in own["slowest_tokens"][:10]
    ]
    masks: list[Row] = [[name, time_of(took)] for took, name in own["slowest_first_masks"][:10]]
    return "\n\n".join(
        [
            "tercet's slowest tokens and first masks:",
            markdown(["token", "µs"], tokens),
            markdown(["first mask", "µs"], masks),
        ]
    )


def figures_of(result: Entry) -> str:
    """README's few lines."""
    engines = result["engines"]
    rows = [
        ["schemas passed", *(f"{found['counts'].get('passing', 0)}" for found in engines.values())],
        *(
            [f"{title}, µs", *(time_of(found[key][name]) for found in engines.values())]
            for title, key, name in (
                ("a token, median", "token_us", "p50"),
                ("a token, mean", "token_us", "mean"),
                ("a token, p99", "token_us", "p99"),
                ("first mask, median", "first_mask_us", "p50"),
                ("first mask, p99", "first_mask_us", "p99"),
            )
        ),
    ]
    where = f"{result['schemas']} real schemas, {result['size']:,} tokens, one core"
    return markdown([where, *heading(result)[1:]], rows) + "\n"


SECTIONS: dict[str, Callable[[Entry], str]] = {
    "maskbench": maskbench_section,
    "vocabularies": sections.vocabularies,
    "batch": sections.batch,
    "jsonschemabench": sections.real_model,
    "gpu": sections.gpu,
    "soak": sections.soak,
}


def page() -> str:
    """The whole page."""
    parts = [_INTRODUCTION.rstrip("\n")]
    for name, section in SECTIONS.items():
        path = RESULTS / f"{name}.json"
        if path.exists():
            parts.append(section(json.loads(path.read_text(encoding="utf-8"))).rstrip("\n"))
    return "\n\n".join(parts) + "\n"


_FIGURES = re.compile(r"(<!-- figures: benchmarks/page.py -->\n).*?(<!-- end -->)", re.DOTALL)


def with_figures(readme: str) -> str:
    """README with the figures of the last run."""
    result = json.loads((RESULTS / "maskbench.json").read_text(encoding="utf-8"))
    return _FIGURES.sub(lambda found: f"{found[1]}\n{figures_of(result)}\n{found[2]}", readme)


def main() -> None:
    from benchmarks.plots import draw

    draw(json.loads((RESULTS / "maskbench.json").read_text(encoding="utf-8")), PLOTS)
    PAGE.write_text(page(), encoding="utf-8")
    README.write_text(with_figures(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
