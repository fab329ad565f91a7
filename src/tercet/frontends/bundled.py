"""The grammars that come with tercet: `grammars/*.lark`, and what their headers say of them.

A header is the comment that a file begins with: a title, then lines `key: value` for where the
grammar was taken from (`source`), what of that it leaves out (`omits`), and the lexer that it is
written for. In a wheel the files lie inside the package, in a checkout beside `src`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple, cast

from tercet.errors import TercetError
from tercet.frontends.lark.compiler import LarkLexer

_KEYS = ("source", "omits", "lexer")


class Bundled(NamedTuple):
    """A grammar's text in lark's language, and what its header says."""

    text: str
    title: str
    source: str
    omits: str
    lexer: LarkLexer


def folder() -> Traversable:
    """Where the files are."""
    installed = files("tercet") / "grammars"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "grammars"


def names() -> list[str]:
    """The grammars that there are, sorted."""
    found = (file.name for file in folder().iterdir())
    return sorted(name.removesuffix(".lark") for name in found if name.endswith(".lark"))


@cache
def bundled(name: str) -> Bundled:
    """One of `names()`.

    >>> bundled("semver").title
    'Semantic versions'

    Raises:
        TercetError: there is no grammar of this name; the message has all names.
    """
    if name not in names():
        raise TercetError(f"there is no bundled grammar {name!r}", hint=f"one of {_listed()}")
    text = (folder() / f"{name}.lark").read_text(encoding="utf-8")
    title, keys = _header(text.splitlines())
    lexer = cast("LarkLexer", keys["lexer"])
    return Bundled(text, title, keys["source"], keys["omits"], lexer)


def _listed() -> str:
    return ", ".join(names())


def _header(lines: Iterable[str]) -> tuple[str, dict[str, str]]:
    """The title and the keys; what is indented goes on with the key above."""
    found = dict.fromkeys(_KEYS, "")
    title = key = ""
    for line in lines:
        if not line.startswith("//"):
            break
        comment = line[2:]
        entry = re.match(rf" ({'|'.join(_KEYS)}): (.*)", comment)
        if entry:
            key, found[entry[1]] = entry[1], entry[2]
        elif key and comment.startswith("   "):
            found[key] += " " + comment.strip()
        else:
            key, title = "", title or comment.strip()
    return title, found
