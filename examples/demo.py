"""Six prompts, six kinds of answer, one small real model on the CPU: `make demo`.

Every answer is checked by somebody else: jsonschema, re, or the type itself.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Annotated, Any, Literal

import jsonschema
import numpy as np
from pydantic import BaseModel, Field, TypeAdapter
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

import tercet
from tercet import Grammar

Short = Annotated[str, Field(min_length=2, max_length=24)]


class Person(BaseModel):
    name: Short
    born: Annotated[int, Field(ge=1000, le=2026)]
    profession: Short


@dataclass
class Stop:
    city: Annotated[str, Field(pattern="^[A-Z][a-z]{2,15}$")]
    nights: Annotated[int, Field(ge=1, le=7)]


def set_alarm(hour: Annotated[int, Field(ge=0, le=23)], day: Literal["today", "tomorrow"]) -> str:
    """What the model may call."""
    return f"alarm at {hour}:00 {day}"


Trip = Annotated[list[Stop], Field(min_length=2, max_length=3)]
Mood = Literal["positive", "negative"]
PHONE = r"\+33 [1-9]( \d\d){4}"
MENU = {
    "$ref": "#/$defs/item",
    "$defs": {
        "item": {
            "type": "object",
            "properties": {
                "label": {"type": "string", "pattern": "^[A-Z][a-z]{2,9}$"},
                "items": {"type": "array", "items": {"$ref": "#/$defs/item"}, "maxItems": 3},
            },
            "required": ["label"],
            "additionalProperties": False,
        }
    },
}
CALL = TypeAdapter(set_alarm).json_schema()  # pydantic's view of it, as a judge


@dataclass
class Case:
    kind: str
    prompt: str
    spec: Any
    check: Callable[[Any, str], object]  # of the value and the text; raises, or returns False


CASES = [
    Case(
        "pydantic model",
        "Who was Ada Lovelace? Answer in JSON with name, born, profession.",
        Person,
        lambda value, text: Person.model_validate_json(text) == value,
    ),
    Case(
        "list of a dataclass",
        "Plan a trip to Italy. Answer with a JSON list of city and nights.",
        Trip,
        lambda value, text: TypeAdapter(Trip).validate_json(text) == value,
    ),
    Case(
        "Literal",
        'What is the sentiment of "I loved every minute of this film!"?',
        Mood,
        lambda value, _: value in ("positive", "negative"),
    ),
    Case(
        "regular expression",
        "Make up a French phone number.",
        Grammar.regex(PHONE),
        lambda _, text: re.fullmatch(PHONE, text),
    ),
    Case(
        "recursive JSON Schema",
        'A menu in JSON, for example {"label": "File", "items": [{"label": "Open"}]}. '
        "Write the menu of a text editor.",
        Grammar.json(MENU, whitespace="spaced"),
        lambda _, text: jsonschema.validate(json.loads(text), MENU) is None,
    ),
    Case(
        "arguments of a function",
        "Wake me up at 7 tomorrow. Answer in JSON with hour and day.",
        set_alarm,
        lambda value, _: jsonschema.validate(value, CALL) is None and set_alarm(**value),
    ),
]


def known_mask_seconds(constraint: tercet.Constraint[Any], tokens: list[int]) -> float:
    """The same answer under the same constraint once more: all its states are known now."""
    matcher = constraint.matcher()
    row = np.zeros(-(-constraint.vocabulary.size // 32), np.int32)
    started = perf_counter()
    for token in tokens:
        matcher.fill_bitmask(row)
        matcher.advance(token)
    return (perf_counter() - started) / len(tokens)


def main() -> int:
    console = Console()
    console.print("loading SmolLM2-135M-Instruct; the first time, it is converted (half a minute)")
    model = tercet.load("smollm2")
    table = Table(show_lines=True, caption="mask: mean time that the constraint takes for a token")
    for column in ("spec", "prompt and answer", "valid"):
        table.add_column(column)
    for column in ("tokens/s", "mask, first use", "mask, known"):
        table.add_column(column, justify="right")
    failures = 0
    for case in track(CASES, "answering", console=console, transient=True):
        constraint = tercet.compile(case.spec, model.vocabulary)
        answer = model.complete(case.prompt, constraint, max_tokens=200)
        valid = bool(case.check(answer.value, answer.text))
        failures += not valid
        table.add_row(
            case.kind,
            f"[dim]{escape(case.prompt)}[/dim]\n{escape(repr(answer.value))}",
            "yes" if valid else "NO",
            f"{answer.stats.tokens_per_second:.0f}",
            f"{answer.stats.mask_seconds_per_step * 1e6:.0f} µs",
            f"{known_mask_seconds(constraint, answer.tokens) * 1e6:.1f} µs",
        )
    console.print(table)
    return failures


if __name__ == "__main__":
    sys.exit(main())
