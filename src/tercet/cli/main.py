"""The commands of `tercet`, gathered. What each one does stands in the file of its name."""

from __future__ import annotations

from typing import Annotated

import typer

from tercet._version import __version__
from tercet.cli import bench, check, run, vocabulary

app = typer.Typer(
    name="tercet",
    help="Structured generation: a schema, a model, an answer that fits.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.command("bench")(bench.command)
app.command("check")(check.command)
app.command("run")(run.command)
app.command("vocabulary")(vocabulary.command)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it
    if wanted:
        typer.echo(f"tercet {__version__}")
        raise typer.Exit


@app.callback()
def main(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Say which version."),
    ] = False,
) -> None:
    """Structured generation: a schema, a model, an answer that fits."""
