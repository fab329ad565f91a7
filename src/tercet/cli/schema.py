"""Reading a JSON Schema from a file or from standard input.

Separate because both `check` and `run` take one. Judging the schema is left to the front end.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tercet.errors import GrammarError, TercetError


def read_schema(path: str) -> Any:
    """Return the JSON document in the file `path`; "-" is standard input."""
    return _parsed(_text_of(path), "standard input" if path == "-" else path)


def _text_of(path: str) -> str:
    if path == "-":
        return sys.stdin.read()
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TercetError(f"cannot read the schema: {reason}", at=path) from error


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = text.split("\n")[error.lineno - 1]
        raise GrammarError(
            f"this is not JSON: {error.msg}",
            at=f"{name}, line {error.lineno}, column {error.colno}",
            excerpt=line,
            span=(error.colno - 1, error.colno),
        ) from error
    except RecursionError as error:
        raise GrammarError(
            "this JSON is nested too deeply to be read",
            at=name,
            why="Python's reader follows nesting by recursion",
            hint='name the inner parts under "$defs" and refer to them with "$ref"',
        ) from error
