"""`tercet check`: is this schema enforced exactly, relaxed, refused, or impossible to satisfy?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from tercet.cli.outcome import Exit, ending, people, write_json
from tercet.cli.schema import read_schema

if TYPE_CHECKING:
    from tercet.frontends.json_schema.report import Report


def command(
    schema: Annotated[str, typer.Argument(help='A file with a JSON Schema; "-" is stdin.')],
    *,
    lax: Annotated[
        list[str] | None,
        typer.Option(metavar="KEYWORD", help="Don't enforce KEYWORD; may be given many times."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write one line of JSON.")] = False,
) -> None:
    """Say what tercet makes of a JSON Schema; the exit code says it too.

    0 exact, 3 relaxed, 4 refused, 5 unsatisfiable, 6 not a schema, 2 wrong usage, 1 anything else.
    """
    with ending(as_json=as_json):
        document = read_schema(schema)
        from tercet.constraint import check

        report = check(document, lax=tuple(lax or ()))
    if as_json:
        write_json(
            {
                "verdict": "exact" if report.exact else "relaxed",
                "relaxed": list(report.relaxed),
                "warnings": list(report.warnings),
            }
        )
    else:
        people(stderr=False).print(_sentence(report))
    raise typer.Exit(Exit.OK if report.exact else Exit.RELAXED)


def _sentence(report: Report) -> Text:
    if report.exact:
        return Text.assemble(("exact", "bold green"), ": every keyword is enforced")
    keywords = ", ".join(report.relaxed)
    return Text.assemble(("relaxed", "bold yellow"), f": all is enforced but {keywords}")
