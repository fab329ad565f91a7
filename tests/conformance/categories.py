"""What becomes of a schema and its instances, in one word.

pass            every valid instance is accepted, every invalid one refused
order           as pass, but some valid instances have their keys out of the declared order
spelling        as order, or there are integers written with a fraction (1.0)
valid_refused   some valid instance is refused for another reason
unsupported     the schema is refused, with the keyword (`unsupported: oneOf`)
unsatisfiable   the schema is refused because nothing matches, and no instance is valid
error           the schema is refused for another reason
invalid_accepted  must not happen at all
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks import corpus
from tercet import Grammar, TercetError, UnsatisfiableError, UnsupportedSchemaError

RANKS = (
    "invalid_accepted",
    "error",
    "valid_refused",
    "unsupported",
    "spelling",
    "order",
    "pass",
)
DRAFTS = ("draft4", "draft6", "draft7", "draft2019-09", "draft2020-12")


def category_of(schema: Any, tests: list[dict[str, Any]], **options: Any) -> str:
    """The category of a schema with tests `{data, valid}`."""
    return worst(outcomes_of(schema, tests, **options))


def worst(outcomes: Iterable[str]) -> str:
    """The category of a schema whose tests have these."""
    return min(outcomes, key=rank, default="pass")


def outcomes_of(schema: Any, tests: list[dict[str, Any]], **options: Any) -> list[str]:
    """The category of each test `{data, valid}` of a schema; of a refused one at least one."""
    count = max(len(tests), 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            grammar = Grammar.json(schema, **options)
    except UnsupportedSchemaError as error:
        return [f"unsupported: {error.keyword}"] * count
    except UnsatisfiableError:
        return ["valid_refused" if test["valid"] else "pass" for test in tests]
    except TercetError:
        return ["error"] * count
    return [_outcome(grammar, schema, test) for test in tests]


def _outcome(grammar: Grammar[Any], schema: Any, test: dict[str, Any]) -> str:
    accepted = corpus.text_of(test["data"]) in grammar
    if accepted == test["valid"]:
        return "pass"
    if accepted:
        return "invalid_accepted"
    return corpus.why_refused(schema, test["data"]) or "valid_refused"


def rank(category: str) -> int:
    """Higher is better."""
    return RANKS.index(category.partition(":")[0])


def official_groups(suite: Path) -> Iterator[tuple[str, Any, list[dict[str, Any]]]]:
    """Name, schema and tests of every group of the official suite, its optional part left out."""
    import json

    for draft in DRAFTS:
        for file in sorted((suite / "tests" / draft).glob("*.json")):
            for group in json.loads(file.read_text("utf-8")):
                name = f"{draft}/{file.stem}/{group['description']}"
                yield name, _declared(draft, group["schema"]), group["tests"]


def official_options(name: str, suite: Path) -> dict[str, Any]:
    """Every text of a value; formats are annotations from 2019-09 on, as the suite has it."""
    formats = "annotate" if name.startswith("draft20") else "assert"
    spelled = dict.fromkeys(("whitespace", "order", "numbers", "strings"), "any")
    return {"resources": official_resources(suite), "formats": formats, **spelled}


@cache
def official_resources(suite: Path) -> dict[str, Any]:
    """The remote schemas that the suite refers to, and the meta-schemas."""
    import json

    from jsonschema_specifications import REGISTRY

    remotes = suite / "remotes"
    return {uri: REGISTRY[uri].contents for uri in REGISTRY} | {
        f"http://localhost:1234/{file.relative_to(remotes).as_posix()}": json.loads(
            file.read_text("utf-8")
        )
        for file in remotes.rglob("*.json")
    }


def _declared(draft: str, schema: Any) -> Any:
    """The schema with the draft that it is written in, which the older suites leave unsaid."""
    if not isinstance(schema, dict) or "$schema" in schema or not draft[5:].isdigit():
        return schema
    return {"$schema": f"http://json-schema.org/draft-0{draft[5:]}/schema#", **schema}
