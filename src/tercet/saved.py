"""Grammars as JSON values, and back: what a saved constraint holds.

A grammar is saved as what it was made of, not as nodes: nodes change between versions.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping
from functools import reduce
from typing import Any

from tercet.errors import TercetError
from tercet.frontends.json_schema.options import JsonOptions
from tercet.spec import Grammar

_OPERATORS = {
    "+": operator.add,
    "|": operator.or_,
    "&": operator.and_,
    ">>": operator.rshift,
}


def to_dict(grammar: Grammar[Any]) -> dict[str, Any]:
    """What a grammar was made of.

    Raises:
        TercetError: it was made of Python objects that no file can hold.
    """
    match grammar._key:
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
        case ("bundled", name):
            return {"bundled": name}
        case ("gbnf", text, root):
            return {"gbnf": text, "root": root}
        case ("lark", text, start, lexer):
            return {"lark": text, "start": start, "lexer": lexer}
        case ("text", until, include, exclude):
            groups = [list(group) for group in include]
            return {"text": until, "include": groups, "exclude": list(exclude)}
        case ("substring", text, unit):
            return {"substring": text, "unit": unit}
        case ("ltlf", formula, actions, separator):
            return {"ltlf": formula, "actions": dict(actions), "sep": separator}
    return _answers(grammar)


def _answers(grammar: Grammar[Any]) -> dict[str, Any]:
    match grammar._key:
        case ("structural_tag", text):
            return {"structural_tag": json.loads(text)}
        case ("tools", described, style, choice, parallel):
            functions = [{"name": n, "parameters": json.loads(text)} for n, text, _ in described]
            return {"tools": functions, "style": style, "choice": choice, "parallel": parallel}
    return _combination(grammar)


def _combination(grammar: Grammar[Any]) -> dict[str, Any]:
    match grammar._key:
        case ("literal", text):
            return {"choice": [text]}
        case ("+" | "|" | "&" | "~" | ">>" as name, *parts):
            return {"operator": name, "parts": [to_dict(part) for part in parts]}
        case ("repeat", body, least, most, separator):
            between = separator if isinstance(separator, str) else to_dict(separator)
            return {"repeat": to_dict(body), "min": least, "max": most, "sep": between}
        case ("infill", body, before, after):
            return {"infill": to_dict(body), "before": before, "after": after}
    raise TercetError(f"{grammar!r} can't be saved")


def from_dict(content: Mapping[str, Any]) -> Grammar[Any]:
    """The grammar again; types come back as plain JSON values, options as strings."""
    match dict(content):
        case {"json": schema, **options}:
            return Grammar.json(schema, **options)
        case {"tools": functions, **options}:
            return Grammar.tools(functions, **options)
        case {"regex": pattern}:
            return Grammar.regex(pattern)
        case {"text": until, "include": include, "exclude": exclude}:
            return Grammar.text(until=until, include=include, exclude=exclude)
        case {"structural_tag": content}:
            return Grammar.structural_tag(content)
        case {"substring": text, "unit": unit}:
            return Grammar.substring(text, unit=unit)
        case {"infill": body, "before": before, "after": after}:
            return from_dict(body).infill(before, after)
        case {"ltlf": formula, "actions": actions, "sep": separator}:
            return Grammar.ltlf(formula, actions, sep=separator)
        case {"choice": texts}:
            return Grammar.choice(texts)
        case {"gbnf": text, **options}:
            return Grammar.gbnf(text, **options)
        case {"lark": text, **options}:
            return Grammar.lark(text, **options)
        case {"bundled": name}:
            return Grammar.bundled(name)
        case {"operator": "~", "parts": [part]}:
            return ~from_dict(part)
        case {"operator": name, "parts": parts}:
            return reduce(_OPERATORS[name], map(from_dict, parts))
        case {"repeat": body, "min": least, "max": most, "sep": sep}:
            between = sep if isinstance(sep, str) else from_dict(sep)
            return from_dict(body).repeat(least, most, sep=between)
        case _:
            raise TercetError("not a saved grammar", why=f"it has the keys {sorted(content)}")
