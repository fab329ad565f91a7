"""How a command ends: exit codes, errors and warnings, for people and for scripts.

Kept apart from the commands because all of them end the same way.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

import typer
from rich.console import Console
from rich.text import Text

from tercet.errors import (
    GrammarError,
    OutputTruncatedError,
    TercetError,
    TercetWarning,
    UnsatisfiableError,
    UnsupportedSchemaError,
)


class Exit(IntEnum):
    """Exit codes; 2 is what typer gives for a wrong command line."""

    OK = 0
    FAILED = 1
    USAGE = 2
    RELAXED = 3
    REFUSED = 4
    UNSATISFIABLE = 5
    NOT_A_SCHEMA = 6
    TRUNCATED = 7
    INTERRUPTED = 130


_CODES: list[tuple[type[TercetError], Exit, str]] = [
    (UnsupportedSchemaError, Exit.REFUSED, "refused"),
    (UnsatisfiableError, Exit.UNSATISFIABLE, "unsatisfiable"),
    (GrammarError, Exit.NOT_A_SCHEMA, "not a schema"),
    (OutputTruncatedError, Exit.TRUNCATED, "truncated"),
    (TercetError, Exit.FAILED, "failed"),
]

_STYLES = {"at": "cyan", "why": "yellow", "try": "green"}


def people(*, stderr: bool = True) -> Console:
    """Return a console for people, made anew because tests and pipes replace the streams."""
    return Console(stderr=stderr, highlight=False, soft_wrap=True)


def write_json(document: object) -> None:
    """Write one line of JSON to standard output."""
    typer.echo(json.dumps(document, ensure_ascii=False, default=str))


@contextmanager
def ending(*, as_json: bool) -> Iterator[None]:
    """Turn what may go wrong inside into a message and an exit code."""
    try:
        with _warnings_shown():
            yield
    except KeyboardInterrupt:
        people().print("interrupted")
        raise typer.Exit(Exit.INTERRUPTED) from None
    except TercetError as error:
        code, verdict = verdict_of(error)
        if as_json:
            write_json({"verdict": verdict, "error": described(error)})
        else:
            people().print(_coloured(error))
        raise typer.Exit(code) from None


@contextmanager
def _warnings_shown() -> Iterator[None]:
    """Show tercet's warnings as one line each, with neither file nor source line."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", TercetWarning)
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *rest: object) -> None:
            if issubclass(category, TercetWarning):
                people().print(Text.assemble(("warning: ", "yellow"), str(message)))
            else:
                usual(message, category, *rest)  # type: ignore[arg-type]

        warnings.showwarning = show  # type: ignore[assignment]
        yield


def verdict_of(error: TercetError) -> tuple[Exit, str]:
    """Return the exit code for an error, and the word for it."""
    return next((code, word) for kind, code, word in _CODES if isinstance(error, kind))


def described(error: TercetError) -> dict[str, object]:
    """Return what an error says as a JSON object; empty parts are left out."""
    fields = ("message", "pointer", "keyword", "at", "excerpt", "why", "hint")
    found = {name: getattr(error, name, None) for name in fields}
    return {"type": type(error).__name__, **{k: v for k, v in found.items() if v not in ("", None)}}


def _coloured(error: TercetError) -> Text:
    """Colour the labels of the rendered message; the words are those of `str(error)`."""
    first, *rest = str(error).split("\n")
    text = Text.assemble((type(error).__name__, "bold red"), ": ", first)
    for line in rest:
        label = line[:5].strip()
        text.append("\n")
        if label in _STYLES:
            text.append(line[:5], _STYLES[label])
            text.append(line[5:])
        else:
            text.append(line, "red" if set(line) <= {" ", "^"} else "")
    return text
