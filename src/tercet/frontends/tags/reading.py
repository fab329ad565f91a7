"""A structural tag in JSON, in any of its spellings, becomes a language.

The formats are those of xgrammar's `structural_tag`, which vLLM and SGLang pass on; the older
spelling with `structures` and `triggers` is vLLM's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tercet.errors import GrammarError, UnsatisfiableError
from tercet.frontends.tags.fields import Fields
from tercet.frontends.tags.formats import lowered
from tercet.grammar.nodes import NOTHING, Language


def content_of(tag: Any) -> dict[str, Any]:
    """A structural tag as JSON values.

    >>> content_of('{"format": {"type": "any_text"}}')
    {'format': {'type': 'any_text'}}

    Raises:
        GrammarError: it is no JSON object.
    """
    if isinstance(tag, str):
        try:
            tag = json.loads(tag)
        except ValueError as error:
            place = getattr(error, "pos", 0)
            raise GrammarError(
                "a structural tag is JSON", excerpt=tag, span=(place, place + 1), why=str(error)
            ) from None
    if not isinstance(tag, Mapping):
        raise GrammarError(
            f"a {type(tag).__name__} is no structural tag",
            hint='pass {"type": "structural_tag", "format": {...}}, or the same as JSON text',
        )
    return json.loads(json.dumps(dict(tag)))  # type: ignore[no-any-return]


def lower(content: dict[str, Any]) -> Language:
    """The texts of a structural tag.

    >>> lower({"format": {"type": "const_string", "value": "yes"}}).root
    Literal(b'yes')

    Raises:
        GrammarError: it isn't one, or asks for what isn't a matter of text.
        UnsupportedSchemaError: a schema in it can't be enforced exactly.
        UnsatisfiableError: no text matches.
    """
    kind = content.get("type", "structural_tag")
    if kind != "structural_tag":
        raise GrammarError(
            f"a structural tag of type {kind!r}",
            at="/type",
            hint='its "type" is "structural_tag", and its "format" says what is in it',
        )
    tag = Fields(content, content, "")
    found = lowered(_older(tag) if tag.has("structures") else _format(tag))
    if found.root is NOTHING:
        raise UnsatisfiableError("no text matches the structural tag")
    return found


def _format(tag: Fields) -> Fields:
    tag.only("format")
    return tag.inside("format")


def _older(tag: Fields) -> Fields:
    """VLLM's older spelling as the format that it stands for."""
    tag.only("structures", "triggers")
    tags = []
    for structure in tag.all_inside("structures"):
        structure.only("begin", "schema", "end")
        schema = structure.value("schema")
        schema = json.loads(schema) if isinstance(schema, str) else schema
        form = {"type": "json_schema", "json_schema": schema}
        ends = {"begin": structure.text("begin"), "end": structure.text("end")}
        tags.append({"type": "tag", **ends, "content": form})
    form = {"type": "triggered_tags", "triggers": tag.texts("triggers"), "tags": tags}
    return Fields(form, form, "")
