"""The arguments of a call as a language: a JSON object, keyword arguments, or bare parameters.

JSON objects are the JSON front end's. The other two know only the properties that a schema
declares, in their order; values other than bare strings are the front end's again.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tercet.automata.regex import ANY_TEXT, both
from tercet.errors import UnsupportedSchemaError
from tercet.frontends.free_text import without
from tercet.frontends.json_schema.compiler import lower
from tercet.frontends.json_schema.options import JsonOptions
from tercet.frontends.json_schema.whitespace import whitespace
from tercet.frontends.tools.style import Field, Piece, Special, Style
from tercet.frontends.tools.tool import Tool
from tercet.frontends.tools.values import Values, values_of
from tercet.grammar.combine import concatenated, either, side_by_side
from tercet.grammar.nodes import (
    EMPTY,
    NOTHING,
    Language,
    Literal,
    Marker,
    Node,
    Rule,
    Terminal,
    alt,
    lit,
    seq,
    term,
)

_ONLY = frozenset(
    {"type", "properties", "required", "additionalProperties", "description", "title", "$defs"}
    | {"definitions", "$schema", "$id", "strict", "examples", "default", "$comment"}
)


def arguments(tool: Tool, style: Style) -> Language:
    """The arguments of a call of a tool, as a style writes them.

    Raises:
        UnsupportedSchemaError: the style has no form for such arguments.
    """
    if style.arguments == "json":
        return lower(tool.schema).language
    parts = [
        (_parameter(tool, key, schema, style), key in tool.schema.get("required", ()))
        for key, schema in properties(tool, style)
    ]
    listed = _listed(parts, ", " if style.arguments == "python" else style.join)
    return concatenated([listed, _space(style)])


def properties(tool: Tool, style: Style) -> Iterator[tuple[str, Any]]:
    """The declared properties of the arguments, each with a schema that stands for itself."""
    schema = tool.schema
    extra = sorted(set(schema) - _ONLY) if isinstance(schema, Mapping) else ["true"]
    declared = schema.get("properties", {}) if isinstance(schema, Mapping) else {}
    extra += [key for key in schema.get("required", ()) if key not in declared] if not extra else []
    if extra:
        raise UnsupportedSchemaError(
            f"the style {style.name} can't write the arguments of {tool.name}",
            pointer=f"/{extra[0]}",
            keyword=extra[0],
            why="it writes them one by one, so all it can know is which there are",
            hint='give the tool "properties" and "required", or use a style with JSON arguments',
        )
    shared = {key: schema[key] for key in ("$defs", "definitions", "$schema") if key in schema}
    for key, value in declared.items():
        yield key, {**shared, **value} if isinstance(value, Mapping) else value


def _listed(parts: Sequence[tuple[Language, bool]], join: str) -> Language:
    """One part after another, those that are optional or not; `join` between any two."""
    if not parts:
        return Language(EMPTY, {})
    roots, known = side_by_side([language for language, _ in parts])
    rules: dict[str, Node] = {}
    first: Node = EMPTY  # of the parts from here on, before any was written
    more: Node = EMPTY  # after one was
    for number in reversed(range(len(parts))):
        is_required = parts[number][1]
        written = seq(roots[number], more)
        rules[f"first {number}"] = written if is_required else alt(written, first)
        joined = seq(lit(join), written)
        rules[f"more {number}"] = joined if is_required else alt(joined, more)
        first, more = Rule(f"first {number}"), Rule(f"more {number}")
    return Language(first, ChainMap(rules, known))  # type: ignore[arg-type]


def _parameter(tool: Tool, key: str, schema: Any, style: Style) -> Language:
    """One parameter with its name."""
    if style.arguments == "python":
        value = lower(schema, JsonOptions(constants="python")).language
        return concatenated([Language(lit(f"{key}="), {}), value])
    values = values_of(tool, key, schema)
    _refuse_containers(key, values, style)
    space = _space(style)
    pieces = [space, *style.pieces(style.parameter)]
    fields = {"key": key, "is_string": "true", "type": "string", "raw": "raw"}
    options = [filled(pieces, {**fields, "value": one}) for one in _strings(values, style)]
    fields |= {"is_string": "false", "raw": "json"}
    for node in values.others:
        value = concatenated([space, Language(node, values.rules), space])
        options.append(filled(pieces, {**fields, "type": values.kind(node), "value": value}))
    return either(options)


def _strings(values: Values, style: Style) -> list[Language]:
    """The strings as a style writes them: between its quotes, or up to what follows."""
    pieces = style.pieces(style.parameter)
    after = next((p for p in pieces[pieces.index(Field("value")) + 1 :]), "")
    stop = style.quote or (after.name if isinstance(after, Special) else str(after))
    stops = tuple(part for part in (stop, *style.exclude) if part)
    quote = filled(style.pieces(style.quote), {}).root
    return [Language(seq(quote, _until(node, stops), quote), {}) for node in values.strings]


def _refuse_containers(key: str, values: Values, style: Style) -> None:
    if style.flat and values.with_kind("array", "object"):
        raise UnsupportedSchemaError(
            f"the style {style.name} can't write the argument {key!r}",
            pointer=f"/properties/{key}",
            keyword="type",
            why="arrays and objects have a syntax of their own there",
            hint="let it be a string, a number or a boolean, or use another style",
        )


def _space(style: Style) -> Language:
    """Whitespace that a style leaves to the model."""
    return Language(whitespace(style.space).gap if style.space else EMPTY, {})


def filled(pieces: Sequence[Piece | Language], fields: Mapping[str, str | Language]) -> Language:
    """A template with its fields filled in."""
    parts = []
    for piece in pieces:
        content = fields[piece.name] if isinstance(piece, Field) else piece
        if isinstance(content, Special):
            content = Language(Marker(content.name), {})
        parts.append(Language(lit(content), {}) if isinstance(content, str) else content)
    return concatenated(parts)


def _until(node: Node, stops: tuple[str, ...]) -> Node:
    """A bare string that holds none of the texts that would end it."""
    match node:
        case Terminal(regex=regex, min_chars=least, max_chars=most, exclude=exclude) if stops:
            free = without(stops)
            assert isinstance(free, Terminal)
            inside = free.regex if regex is ANY_TEXT else both(regex, free.regex)
            words = [word for word in exclude if not any(stop in word for stop in stops)]
            return term(inside, "utf8", least, most, words)
        case Literal(data=data) if any(stop.encode() in data for stop in stops):
            return NOTHING
    return node
