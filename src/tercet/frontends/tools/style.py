"""Styles of tool calls, read from `styles.toml`: templates, what of them are special tokens.

A template becomes pieces: texts, special tokens (`Marker`) and fields (`$name`). Nothing here knows
tools; `calls` fills the fields in.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from tercet.errors import TercetError

ArgumentKind = Literal["json", "python", "parameters"]


@dataclass(frozen=True)
class Field:
    """A place in a template that is filled in."""

    name: str


@dataclass(frozen=True)
class Special:
    """A special token in a template."""

    name: str


Piece = str | Special | Field


@dataclass(frozen=True)
class Style:
    """How one family of models writes calls; see the head of `styles.toml`."""

    name: str
    call: str
    families: tuple[str, ...] = ()
    begin: str = ""
    between: str = ""
    end: str = ""
    special: tuple[str, ...] = ()
    arguments: ArgumentKind = "json"
    parameter: str = ""
    quote: str = ""  # around strings, where they aren't bare
    join: str = ""
    optional: str = ""
    thought: str = ""
    answer: str = ""
    opening: bool = False
    single: bool = False
    template: str = ""
    flat: bool = False
    space: str = ""  # whitespace that is the model's choice, as JsonOptions names it
    exclude: tuple[str, ...] = ()  # not in bare strings

    def pieces(self, template: str) -> list[Piece]:
        """A template taken apart.

        >>> style("mistral").pieces("[ARGS]$arguments!")
        [Special(name='[ARGS]'), Field(name='arguments'), '!']
        """
        cut = "|".join([r"\$\w+", *map(re.escape, self.special)])
        found = [part for part in re.split(f"({cut})", template) if part]
        return [
            Field(part[1:])
            if part.startswith("$")
            else Special(part)
            if part in self.special
            else part
            for part in found
        ]

    @property
    def trigger(self) -> str:
        """The text that calls begin with, up to a special token or a field."""
        found = ""
        for piece in self.pieces(self.begin + self.call):
            if isinstance(piece, str):
                found += piece
            else:
                return found + (piece.name if isinstance(piece, Special) else "")
        return found


@cache
def styles() -> dict[str, Style]:
    """All styles by name."""
    text = files(__package__).joinpath("styles.toml").read_text(encoding="utf-8")
    lists = {"families", "special"}
    return {
        name: Style(name, **{k: tuple(v) if k in lists else v for k, v in table.items()})  # type: ignore[arg-type]
        for name, table in tomllib.loads(text).items()
    }


def style(name: Any) -> Style:
    """The style of a name, or that of a tokenizer's chat template.

    Raises:
        TercetError: there is none.
    """
    if not isinstance(name, str):
        template = getattr(name, "chat_template", None)
        return guessed(template if isinstance(template, str) else json.dumps(template))
    found = styles().get(name)
    if found is None:
        raise TercetError(f"there is no style {name!r}", hint=f"one of {', '.join(styles())}")
    return found


def guessed(chat_template: str) -> Style:
    r"""The style in which a chat template shows calls to the model; plain JSON if it shows none.

    Of several that fit, the one that is recognised by the longest part of the template.

    >>> guessed("... <tool_call>\n{\"name\": <function-name> ...").name
    'hermes'
    """
    unescaped = chat_template.replace("\\n", "\n").replace('\\"', '"')
    fitting: Sequence[Style] = [
        known for known in styles().values() if known.template and known.template in unescaped
    ]
    return max(fitting, key=lambda known: len(known.template), default=style("json"))
