"""Schema files: JSON text, read strictly.

Apart from reading schemas, because a text can be wrong where a value can't: keys that come twice,
NaN, and the syntax itself. Errors say the line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tercet.errors import GrammarError, TercetError


def read_schema(path: str | Path) -> Any:
    """The schema in a file.

    Raises:
        TercetError: the file can't be read.
        GrammarError: it isn't JSON, has a key twice in one object, or is nested too deeply.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TercetError(f"can't read the schema file: {error}", at=str(path)) from error
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_not_finite)
    except json.JSONDecodeError as error:
        message = f"the schema file is not JSON: {error.msg}"
        raise _at_line(message, path, text, (error.lineno, error.colno, 1)) from error
    except _Wrong as error:
        where = (*_last(text, error.word), len(error.word))
        raise _at_line(str(error), path, text, where) from error
    except RecursionError as error:
        raise GrammarError(
            "the schema file is nested too deeply to be read",
            at=str(path),
            why="Python's reader of JSON has a limit of about 1,000 levels",
            hint="pass the schema as a dict",
        ) from error


class _Wrong(Exception):
    """What `json` lets through; `word` is the text that is wrong."""

    def __init__(self, message: str, word: str) -> None:
        super().__init__(message)
        self.word = word


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Wrong(f'the schema file has the key "{twice}" twice in one object', f'"{twice}"')
    return content


def _not_finite(word: str) -> Any:
    raise _Wrong(f"the schema file has {word}, which JSON does not", word)


def _last(text: str, word: str) -> tuple[int, int]:
    """Line and column of the last time a word comes."""
    before = text[: max(text.rfind(word), 0)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _at_line(
    message: str, path: str | Path, text: str, where: tuple[int, int, int]
) -> GrammarError:
    line, column, width = where
    lines = text.splitlines() or [""]
    return GrammarError(
        message,
        at=f"{path}, line {line}, column {column}",
        excerpt=lines[min(line, len(lines)) - 1],
        span=(column - 1, column - 1 + width),
    )
