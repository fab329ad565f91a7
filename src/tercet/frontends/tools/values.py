"""The values of a parameter by their kind: strings, which a style writes bare, and JSON.

A schema is lowered once, for writing calls and for reading them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tercet.frontends.json_schema.compiler import lower
from tercet.frontends.tools.tool import Tool
from tercet.grammar.nodes import Choice, Language, Literal, Node, Rule, Terminal, Words, lit, term
from tercet.grammar.nodes import Sequence as SequenceNode

_QUOTE = Literal(b'"')
_KINDS = {"{": "object", "[": "array", "t": "boolean", "f": "boolean", "n": "null"}


@dataclass(frozen=True, eq=False)
class Values:
    """What a parameter may be: strings, bare, and JSON of any other kind, with its rules."""

    strings: list[Node]
    others: list[Node]
    rules: Mapping[str, Node]

    def kind(self, other: Node) -> str:
        """JSON Schema's name of the type of one of the others, as its first byte tells.

        >>> Values([], [], {}).kind(Literal(b"true"))
        'boolean'
        """
        node = other
        while isinstance(node, Rule | SequenceNode):
            node = self.rules[node.name] if isinstance(node, Rule) else node.parts[0]
        first = node.data[:1].decode() if isinstance(node, Literal) else ""
        return _KINDS.get(first, "number")

    def with_kind(self, *kinds: str) -> list[Node]:
        """The others that are of these kinds."""
        return [node for node in self.others if self.kind(node) in kinds]


def values_of(tool: Tool, key: str, schema: Any) -> Values:
    """The values of a tool's parameter, whose schema this is.

    Raises:
        UnsupportedSchemaError: the schema can't be enforced exactly.
    """
    found = tool.known.get(key)
    if found is None:
        found = tool.known[key] = divided(lower(schema).language)
    return found


def divided(language: Language) -> Values:
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
    return Values(strings, others, language.rules)


def _is_string(node: Node) -> bool:
    match node:
        case SequenceNode(parts=(first, Terminal(), last)):
            return first == _QUOTE == last
    return False


def _unescaped(node: Node) -> Node:
    """The text of a JSON string without its escapes."""
    assert isinstance(node, Terminal)
    return term(node.regex, "utf8", node.min_chars, node.max_chars, node.exclude)
