"""The arguments of a call as a language: a JSON object, keyword arguments, or bare parameters.

JSON objects are the JSON front end's. The other two know only the properties that a schema
declares, in their order; values other than bare strings are the front end's again.
"""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tercet.automata.regex import ANY_TEXT, Regex, both, concat, negate, text
from tercet.errors import UnsupportedSchemaError
from tercet.frontends.json_schema.compiler import lower
from tercet.frontends.json_schema.options import JsonOptions
from tercet.frontends.tools.style import Field, Piece, Special, Style
from tercet.frontends.tools.tool import Tool
from tercet.grammar.combine import concatenated, either, side_by_side
from tercet.grammar.nodes import (
    EMPTY,
    NOTHING,
    Choice,
    Language,
    Literal,
    Marker,
    Node,
    Rule,
    Terminal,
    Words,
    alt,
    lit,
    seq,
    term,
)
from tercet.grammar.nodes import Sequence as SequenceNode

_ONLY = frozenset(
    {"type", "properties", "required", "additionalProperties", "description", "title", "$defs"}
    | {"definitions", "$schema", "$id", "strict", "examples", "default", "$comment"}
)
_QUOTE = Literal(b'"')


def arguments(tool: Tool, style: Style) -> Language:
    """The arguments of a call of a tool, as a style writes them.

    Raises:
        UnsupportedSchemaError: the style has no form for such arguments.
    """
    if style.arguments == "json":
        return lower(tool.schema).language
    parts = [
        (_parameter(key, schema, style), key in tool.schema.get("required", ()))
        for key, schema in properties(tool, style)
    ]
    return _listed(parts, ", " if style.arguments == "python" else style.join)


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


def _parameter(key: str, schema: Any, style: Style) -> Language:
    """One parameter with its name."""
    if style.arguments == "python":
        value = lower(schema, JsonOptions(constants="python")).language
        return concatenated([Language(lit(f"{key}="), {}), value])
    pieces = style.pieces(style.parameter)
    after = next((p for p in pieces[pieces.index(Field("value")) + 1 :]), "")
    stop = style.quote or (after.name if isinstance(after, Special) else str(after))
    value = lower(schema).language
    bare, others = divided(value)
    quote = filled(style.pieces(style.quote), {}).root
    strings = [seq(quote, _until(node, stop), quote) for node in bare]
    if style.quote and any(_is_container(node, value.rules) for node in others):
        raise UnsupportedSchemaError(
            f"the style {style.name} can't write the argument {key!r}",
            pointer=f"/properties/{key}",
            keyword="type",
            why="arrays and objects have a syntax of their own there",
            hint="let it be a string, a number or a boolean, or use another style",
        )
    options = {
        "true": [Language(node, {}) for node in strings],
        "false": [Language(node, value.rules) for node in others],
    }
    return either(
        [
            filled(pieces, {"key": key, "is_string": is_string, "value": option})
            for is_string, found in options.items()
            for option in found
        ]
    )


def filled(pieces: Sequence[Piece], fields: Mapping[str, str | Language]) -> Language:
    """A template with its fields filled in."""
    parts = []
    for piece in pieces:
        content = fields[piece.name] if isinstance(piece, Field) else piece
        if isinstance(content, Special):
            content = Language(Marker(content.name), {})
        parts.append(Language(lit(content), {}) if isinstance(content, str) else content)
    return concatenated(parts)


def divided(language: Language) -> tuple[list[Node], list[Node]]:
    """The strings that a JSON value may be, bare, and its other options, as they are."""
    strings: list[Node] = []
    others: list[Node] = []
    waiting = [language.root]
    while waiting:
        node = waiting.pop(0)
        match node:
            case Rule(name=name):
                inside = language.rules[name]
                if _is_string(inside) or isinstance(inside, Choice | Rule | Words | Literal):
                    waiting.append(inside)
                else:
                    others.append(node)
            case Choice(options=options):
                waiting += options
            case Words(options=options):
                waiting += map(Literal, options)
            case Literal(data=data) if data.startswith(b'"'):
                strings.append(lit(json.loads(data)))
            case SequenceNode(parts=parts) if _is_string(node):
                strings.append(_unescaped(parts[1]))
            case _:
                others.append(node)
    return strings, others


def _is_string(node: Node) -> bool:
    match node:
        case SequenceNode(parts=(first, Terminal(), last)):
            return first == _QUOTE == last
    return False


def _is_container(node: Node, rules: Mapping[str, Node]) -> bool:
    """Whether a value is an array or an object, as its first byte tells."""
    while isinstance(node, Rule):
        node = rules[node.name]
    first = node.parts[0] if isinstance(node, SequenceNode) and node.parts else node
    return isinstance(first, Literal) and first.data[:1] in {b"[", b"{"}


def _unescaped(node: Node) -> Node:
    """The text of a JSON string without its escapes."""
    assert isinstance(node, Terminal)
    return term(node.regex, "utf8", node.min_chars, node.max_chars, node.exclude)


def without(part: str) -> Regex:
    """Any text in which a part doesn't occur."""
    return negate(concat(ANY_TEXT, text(part), ANY_TEXT))


def _until(node: Node, stop: str) -> Node:
    """A bare string that doesn't hold the text that ends it."""
    match node:
        case Terminal(regex=regex, min_chars=least, max_chars=most, exclude=exclude) if stop:
            inside = both(regex, without(stop))
            words = [word for word in exclude if stop not in word]
            return term(inside, "utf8", least, most, words)
        case Literal(data=data) if stop and stop.encode() in data:
            return NOTHING
    return node
