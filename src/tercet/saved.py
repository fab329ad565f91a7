"""Grammars as JSON values and back, for `Constraint.save`: what they were made of.

Apart from `spec`, whose constructors do the making. Types come back as plain JSON values, options
as strings, tools as dicts.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping
from functools import reduce
from typing import Any

from tercet.errors import TercetError
from tercet.frontends.json_schema.options import JsonOptions

_OPERATORS = {
    "+": operator.add,
    "|": operator.or_,
    "&": operator.and_,
    ">>": operator.rshift,
}


def content_of(grammar: Any, key: tuple[Any, ...]) -> dict[str, Any]:
    """A grammar with this key as JSON values.

    Raises:
        TercetError: its options are not text.
    """
    match key:
        case ("json", text, JsonOptions() as options, others):
            return {
                "json": json.loads(text),
                "whitespace": options.whitespace,
                "order": options.order,
                "numbers": options.numbers,
                "strings": options.strings,
                "formats": options.formats,
                "lax": sorted(options.lax),
                "resources": json.loads(others),
            }
        case ("of", _, text):
            return {"json": json.loads(text)}
        case ("regex", pattern):
            return {"regex": pattern}
        case ("choice", texts, _):
            return {"choice": list(texts)}
        case ("gbnf", text, root):
            return {"gbnf": text, "root": root}
        case ("tools", described, style, choice, parallel):
            return {
                "tools": [_described(name, schema) for name, schema, _ in described],
                "style": style,
                "choice": choice,
                "parallel": parallel,
            }
        case ("lark", text, start, lexer):
            return {"lark": text, "start": start, "lexer": lexer}
        case _:
            return _combined(grammar, key)


def _combined(grammar: Any, key: tuple[Any, ...]) -> dict[str, Any]:
    match key:
        case ("text", text):
            return {"choice": [text]}
        case ("+" | "|" | "&" | "~" | ">>" as name, *parts):
            return {"operator": name, "parts": [part.to_dict() for part in parts]}
        case ("repeat", body, least, most, separator):
            between = separator if isinstance(separator, str) else separator.to_dict()
            return {"repeat": body.to_dict(), "min": least, "max": most, "sep": between}
        case _:
            raise TercetError(f"{grammar!r} can't be saved")


def grammar_of(content: Mapping[str, Any], kind: Any) -> Any:
    """The grammar of `content_of`, made by the constructors of `kind`.

    Raises:
        TercetError: it is no such content.
    """

    def again(part: Mapping[str, Any]) -> Any:
        return grammar_of(part, kind)

    match dict(content):
        case {"tools": functions, **options}:
            return kind.tools(functions, **options)
        case {"json": schema, **options}:
            return kind.json(schema, **options)
        case {"regex": pattern}:
            return kind.regex(pattern)
        case {"choice": texts}:
            return kind.choice(texts)
        case {"gbnf": text, **options}:
            return kind.gbnf(text, **options)
        case {"lark": text, **options}:
            return kind.lark(text, **options)
        case {"operator": "~", "parts": [part]}:
            return ~again(part)
        case {"operator": name, "parts": parts}:
            return reduce(_OPERATORS[name], map(again, parts))
        case {"repeat": body, "min": least, "max": most, "sep": sep}:
            between = sep if isinstance(sep, str) else again(sep)
            return again(body).repeat(least, most, sep=between)
        case _:
            raise TercetError("not a saved grammar", why=f"it has the keys {sorted(content)}")


def _described(name: str, schema: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": json.loads(schema)}}
