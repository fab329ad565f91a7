"""Reads `tests/data/<area>/*.toml`: what a spec accepts, rejects, forces and refuses, as data.

The fields of a case (all but `name` and the spec are optional):

    regex | json | python | choice | lark   the spec; `json` is JSON text, `python` an expression
    grammar, matches                  an expression of grammars, and the pattern that judges it
    gbnf, twin                        a grammar, and the same in lark's language, that judges it
    options = {...}                   keywords of the constructor
    accept = [text]                   complete texts of the language; judged from outside
    reject = [text]                   not valid, judged too; `invalid` is the same list, by name for
                                      texts that aren't even JSON
    depart = [text]                   valid for the judge, but written otherwise by us (order...)
    accept_repeat, reject_repeat      [{before, text, times, after}] for long texts
    next   = [{after, bytes}]         the first bytes (hex) that may follow; or `any`, at least
                                      these, or `none` of these
    forced = [{after, text}]          what must follow, with no choice
    raises, error, pointer            the error's class, a part of its message, its JSON Pointer
    judge  = "none"                   where the outside judge is known to differ (say why)
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"
KINDS = ("regex", "json", "python", "choice", "lark", "gbnf", "grammar")


@dataclass(frozen=True, eq=False)
class Case:
    """One entry of a case file."""

    id: str
    kind: str
    spec: Any
    options: dict[str, Any] = field(default_factory=dict)
    accept: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    depart: tuple[str, ...] = ()
    next: tuple[dict[str, Any], ...] = ()
    forced: tuple[dict[str, str], ...] = ()
    raises: str = ""
    error: str = ""
    pointer: str | None = None
    judge: str = ""
    twin: str = ""
    matches: str = ""

    def __str__(self) -> str:
        return self.id


@cache
def all_cases() -> tuple[Case, ...]:
    """Every case of every file, in order."""
    files = sorted(DATA.glob("*/*.toml"))
    return tuple(
        _case(file, table) for file in files for table in tomllib.loads(_text(file))["case"]
    )


def working_cases() -> list[Case]:
    """Cases that compile."""
    return [case for case in all_cases() if not case.raises]


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _case(file: Path, table: dict[str, Any]) -> Case:
    table = dict(table)
    name = f"{file.parent.name}/{file.stem}/{table.pop('name')}"
    (kind,) = [kind for kind in KINDS if kind in table]
    accept = [*table.pop("accept", ()), *map(_repeated, table.pop("accept_repeat", ()))]
    reject = [*table.pop("reject", ()), *table.pop("invalid", ())]
    reject += map(_repeated, table.pop("reject_repeat", ()))
    lists = {key: tuple(table.pop(key, ())) for key in ("depart", "next", "forced")}
    return Case(
        name, kind, table.pop(kind), accept=tuple(accept), reject=tuple(reject), **lists, **table
    )


def _repeated(piece: dict[str, Any]) -> str:
    return piece.get("before", "") + piece["text"] * piece["times"] + piece.get("after", "")
