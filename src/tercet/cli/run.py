"""`tercet run`: a schema and a prompt in, the answer out; or one answer for each line of a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from tercet.cli.outcome import ending, people, write_json
from tercet.cli.schema import read_schema
from tercet.errors import TercetError

if TYPE_CHECKING:
    from tercet.constraint import Constraint
    from tercet.models.completion import Completion
    from tercet.models.model import Model, Options


def command(
    prompt: Annotated[str | None, typer.Argument(help="What to ask; stdin if left out.")] = None,
    *,
    schema: Annotated[str, typer.Option(metavar="FILE", help="The JSON Schema of the answer.")],
    model: Annotated[
        str, typer.Option(help='"smollm2", a hub name, a folder or a GGUF file.')
    ] = "smollm2",
    prompts: Annotated[
        str | None, typer.Option(metavar="FILE", help="One prompt a line; one answer a line.")
    ] = None,
    lax: Annotated[
        list[str] | None,
        typer.Option(metavar="KEYWORD", help="Don't enforce KEYWORD; may be given many times."),
    ] = None,
    max_tokens: Annotated[int, typer.Option(min=1, help="Where an answer is cut off.")] = 512,
    temperature: Annotated[float, typer.Option(min=0.0, help="0 takes the likeliest token.")] = 0.0,
    seed: Annotated[int | None, typer.Option(help="Makes sampled answers repeatable.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One line of JSON an answer, with its figures.")
    ] = False,
) -> None:
    """Answer PROMPT with a JSON document that the schema allows.

    Exit codes: 0 answered, 7 cut off by --max-tokens, 4 schema refused, 5 unsatisfiable,
    6 not a schema, 2 wrong usage, 130 interrupted, 1 anything else.
    """
    if prompt is not None and prompts is not None:
        raise typer.BadParameter("give either a prompt or --prompts, not both")
    options: Options = {"max_tokens": max_tokens, "temperature": temperature, "seed": seed}
    with ending(as_json=as_json):
        document = read_schema(schema)
        asked = [_prompt(prompt)] if prompts is None else lines_of(prompts)
        loaded, constraint = _prepared(model, document, lax or ())
        if prompts is None:
            _one(_written(loaded, asked[0], constraint, options), as_json=as_json)
        else:
            answers = loaded.batch(asked, constraint, **options)
            _many(asked, answers, as_json=as_json)


def _prompt(given: str | None) -> str:
    if given is None and sys.stdin.isatty():
        raise typer.BadParameter("give a prompt, or pipe one in")
    return given if given is not None else sys.stdin.read().strip()


def lines_of(path: str) -> list[str]:
    """Return the lines of a file that aren't blank; "-" is standard input."""
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TercetError(f"cannot read the lines: {reason}", at=path) from error
    return [line for line in text.splitlines() if line.strip()]


def _prepared(name: str, document: Any, lax: Sequence[str]) -> tuple[Model, Constraint[Any]]:
    """Refuse a bad schema before loading a model, which takes longer."""
    from tercet.constraint import compile
    from tercet.models.load import load
    from tercet.spec import Grammar

    grammar = Grammar.json(document, lax=tuple(lax))
    console = people()
    if console.is_terminal:
        console.print(f"loading {name}", style="dim")
    model = load(name)
    with console.status("compiling the schema, the first time also the engine"):
        return model, compile(grammar, model.vocabulary)


def _written(
    model: Model, prompt: str, constraint: Constraint[Any], options: Options
) -> Completion[Any]:
    """Run to the end; a terminal sees the end of the answer as it grows."""
    stream = model.stream(prompt, constraint, **options)
    console = people()
    with console.status("reading the prompt") as status:
        for snapshot in stream:
            status.update(Text(snapshot.text[-console.width + 4 :].replace("\n", " ")))
    return stream.complete()


def _one(completion: Completion[Any], *, as_json: bool) -> None:
    value, stats = completion.value, completion.stats
    if as_json:
        write_json(
            {
                "value": value,
                "text": completion.text,
                "tokens": stats.tokens,
                "logprob": round(completion.logprob, 4),
                "seconds": round(stats.seconds, 4),
                "mask_microseconds": round(stats.mask_seconds_per_step * 1e6, 1),
                "seed": stats.seed,
            }
        )
        return
    _show(value)
    mask = f"{stats.mask_seconds_per_step * 1e6:.0f} µs of it for the mask"
    speed = f"{stats.tokens} tokens, {stats.tokens_per_second:.0f} a second"
    people().print(f"{speed}; {mask}", style="dim")


def _many(prompts: Sequence[str], answers: Sequence[Any], *, as_json: bool) -> None:
    for prompt, value in zip(prompts, answers, strict=True):
        write_json({"prompt": prompt, "value": value} if as_json else value)


def _show(value: Any) -> None:
    """Indent and colour for a terminal; plain indented JSON for a pipe or a file."""
    console = Console()
    if console.is_terminal:
        console.print_json(data=value, ensure_ascii=False)
    else:
        typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
