"""How structural tags write arguments that aren't JSON: the styles of `json_schema`.

Each is a style of `frontends.tools`, with whitespace around names and values. Names and delimiters
are xgrammar's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tercet.frontends.tools.arguments import arguments
from tercet.frontends.tools.style import Style
from tercet.frontends.tools.tool import Tool
from tercet.grammar.combine import concatenated
from tercet.grammar.nodes import Language, lit

_DSML = '<｜DSML｜{0}parameter name="$key" string="$is_string">$value</｜DSML｜{0}parameter>'
_PARAMETERS = {
    "qwen_xml": "<parameter=$key>$value</parameter>",
    "minimax_xml": '<parameter name="$key">$value</parameter>',
    "minimax_m3_xml": "]<]minimax[>[<$key>$value]<]minimax[>[</$key>",
    "deepseek_xml": _DSML.format(""),
    "deepseek_v4_1_xml": _DSML.format(" "),
    "glm_xml": "<arg_key>$key</arg_key><arg_value>$value</arg_value>",
    "cohere_xml": '<cofl:value name="$key" type="$raw">$value</cofl:value>',
    "kimi_k3_xml": '<|open|>argument key="$key" type="$type"<|sep|>$value<|close|>argument<|sep|>',
}
_SPECIAL = {"kimi_k3_xml": ("<|open|>", "<|close|>", "<|sep|>"), "gemma": ('<|"|>',)}
_FLAT = {"minimax_m3_xml", "cohere_xml", "gemma"}
STYLES = (*_PARAMETERS, "gemma")


def written(schema: Any, name: str, whitespace: str, excluded: Sequence[str]) -> Language:
    """The arguments that a schema allows, in a style; nothing excluded occurs in their strings.

    Raises:
        UnsupportedSchemaError: the style has no form for such arguments.
    """
    is_gemma = name == "gemma"
    style = Style(
        name,
        call="",
        arguments="parameters",
        parameter="$key:$value" if is_gemma else _PARAMETERS[name],
        quote='<|"|>' if is_gemma else "",
        join="," if is_gemma else "",
        special=_SPECIAL.get(name, ()),
        flat=name in _FLAT,
        space=whitespace,
        exclude=tuple(excluded),
    )
    inside = arguments(Tool(name, schema), style)
    around = ("{", "}") if is_gemma else ("", "")
    before, after = (Language(lit(text), {}) for text in around)
    return concatenated([before, inside, after])
