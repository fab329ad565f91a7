"""`tercet bench`: what one's own schema costs: compile, first mask, and each token."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from tercet.cli.outcome import ending, people, write_json
from tercet.cli.run import lines_of
from tercet.cli.schema import read_schema
from tercet.cli.vocabulary import vocabulary_in

if TYPE_CHECKING:
    from tercet.spec import Grammar

_SOURCE = 'A GGUF file, tokenizer.json, its folder, tokenizer.model, or "smollm2".'
_LAX = "Don't enforce KEYWORD; may be given many times."


def command(
    schema: Annotated[str, typer.Argument(help='A file with a JSON Schema; "-" is stdin.')],
    *,
    vocabulary: Annotated[str, typer.Option(metavar="SOURCE", help=_SOURCE)] = "smollm2",
    texts: Annotated[
        str | None, typer.Option(metavar="FILE", help="Texts to follow, one a line.")
    ] = None,
    walks: Annotated[
        int, typer.Option(min=1, help="How many random texts to follow if none are given.")
    ] = 20,
    tokens: Annotated[int, typer.Option(min=1, help="The longest random text.")] = 200,
    seed: Annotated[int, typer.Option(help="Makes random texts repeatable.")] = 0,
    lax: Annotated[list[str] | None, typer.Option(metavar="KEYWORD", help=_LAX)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write one line of JSON.")] = False,
) -> None:
    """Measure what a JSON Schema costs on this machine: compile, first mask, time per token.

    A token's time is its mask and its advance. "first" are the first visits, when most states are
    new; "again" are the same texts once more. Nothing here needs a model.
    """
    with ending(as_json=as_json):
        document = read_schema(schema)

        def make() -> Grammar[Any]:
            from tercet.spec import Grammar

            return Grammar.json(document, lax=tuple(lax or ()))

        written = None if texts is None else lines_of(texts)
        make()  # refuses a bad schema before the vocabulary is read
        found = _measured(
            make, vocabulary, written, walks={"count": walks, "length": tokens, "seed": seed}
        )
    if as_json:
        write_json(found)
    else:
        _show(found)


def _measured(
    make: Callable[[], Grammar[Any]],
    source: str,
    texts: list[str] | None,
    *,
    walks: dict[str, int],
) -> dict[str, Any]:
    from tercet.cli import measuring

    with people().status("reading the vocabulary; the first time, the kernels are compiled"):
        vocabulary = vocabulary_in(_path_of(source))
        constraint, found = measuring.compiled(make, vocabulary)
    times = measuring.Times()
    if texts is None:
        followed = list(measuring.walks(constraint, **walks))
        constraint, _ = measuring.compiled(make, vocabulary)  # the walks have made its states
    else:
        followed = [measuring.tokens_of(text, vocabulary) for text in texts]
    verdicts = [measuring.follow(constraint, tokens, times) for tokens in followed]
    result: dict[str, Any] = {**{name: round(value, 3) for name, value in found.items()}}
    result |= {"vocabulary": source, "size": vocabulary.size, "followed": len(followed)}
    if texts is not None:
        result["verdicts"] = verdicts
    result["first_us"] = measuring.summary(times.first)
    result["again_us"] = measuring.summary(times.known)
    result["slowest_us"] = [[round(took, 1), place] for took, place in times.slowest]
    return result


def _path_of(source: str) -> Path:
    if source.lower() != "smollm2":
        return Path(source)
    from tercet.models.smollm2 import embedded_file

    return embedded_file()


def _show(found: dict[str, Any]) -> None:
    console = people(stderr=False)
    for verdict in found.get("verdicts", ()):
        if verdict != "accepted":
            console.print(Text(verdict, style="yellow"))
    kind = "texts" if "verdicts" in found else "random texts"
    table = Table(title=f"{found['followed']} {kind}, {found['size']:,} tokens, microseconds")
    columns = ("p50", "p90", "p99", "max", "mean")
    for index, name in enumerate(("", "tokens", *columns)):
        table.add_column(name, justify="right" if index else "left")
    for title, key in (("first", "first_us"), ("again", "again_us")):
        times = found[key]
        cells = [f"{times[name]:,.1f}" if name in times else "" for name in columns]
        table.add_row(title, f"{times['tokens']:,}", *cells)
    console.print(
        f"compile {found['compile_ms']:.2f} ms, first mask {found['first_mask_ms']:.2f} ms"
    )
    console.print(table)
    for took, place in found["slowest_us"]:
        console.print(Text(f"{took:>10,.1f} µs  {place}", style="dim"))
