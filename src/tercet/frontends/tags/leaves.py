"""The formats of structural tags that stand for themselves: texts, tokens, schemas, grammars.

Special tokens are asked for by name, as in `frontends.tools`. What counts tokens or knows them by
number is refused: a grammar is a set of texts, whatever the vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tercet.automata.parse import parse
from tercet.automata.regex import both
from tercet.errors import GrammarError
from tercet.frontends import free_text, gbnf
from tercet.frontends.json_schema import compiler as json_compiler
from tercet.frontends.json_schema.options import JsonOptions
from tercet.frontends.lark import compiler as lark_compiler
from tercet.frontends.regex import has_text_of_length, node_of
from tercet.frontends.tags.fields import Fields
from tercet.frontends.tags.xml import STYLES, written
from tercet.grammar.nodes import EMPTY, Language, Marker, Node, Terminal, lit

Ends = tuple[str, ...]
_MOST = 2**31 - 1


def begin(tag: Fields) -> Language:
    """The beginning of a tag: a text or a special token."""
    if isinstance(tag.value("begin"), str):
        return Language(lit(tag.text("begin")), {})
    return _token(tag.inside("begin"), ())


def ends(tag: Fields) -> dict[str, Language]:
    """The ends of a tag by the text that ends free text inside."""
    end = tag.value("end")
    if isinstance(end, dict):
        return {tag.inside("end").text("token"): _token(tag.inside("end"), ())}
    texts = end if isinstance(end, list) else [tag.text("end")]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise tag.error("a list of strings that isn't empty is needed here", "end")
    return {text: Language(lit(text), {}) for text in texts}


def _const(fields: Fields, _: Ends) -> Language:
    fields.only("value")
    return Language(lit(fields.text("value")), {})


def _any_text(fields: Fields, stops: Ends) -> Language:
    fields.only("excludes", "max_tokens", "max_chars")
    _refuse_counts(fields)
    most = fields.count("max_chars", None)
    with fields.at("excludes" if fields.has("excludes") else "type"):
        return Language(_free([*fields.texts("excludes"), *stops], 0, most), {})


def _free(excluded: list[str], least: int, most: int | None) -> Node:
    free = free_text.without(excluded)
    assert isinstance(free, Terminal)
    return EMPTY if most == 0 else node_of(free.regex, "utf8", least, most)


def _token(fields: Fields, _: Ends) -> Language:
    fields.only("token")
    return Language(Marker(_token_name(fields, fields.value("token"), "token")), {})


def _token_name(fields: Fields, name: Any, *keys: str) -> str:
    if isinstance(name, str) and name:
        return name
    raise fields.error(
        "a token is known by its name here",
        *keys,
        why="a grammar is a set of texts; what a number stands for is the vocabulary's",
        hint="name the special token, such as <think>",
    )


def _excluded_tokens(fields: Fields) -> list[str]:
    given = fields.value("exclude_tokens", [])
    if not isinstance(given, list):
        raise fields.error("a list is needed here", "exclude_tokens")
    return [
        _token_name(fields, name, "exclude_tokens", str(number))
        for number, name in enumerate(given)
    ]


def _any_tokens(fields: Fields, stops: Ends) -> Language:
    fields.only("exclude_tokens", "max_tokens")
    _refuse_counts(fields)
    return Language(_free([*_excluded_tokens(fields), *stops], 0, None), {})


def _exclude_token(fields: Fields, _: Ends) -> Language:
    raise fields.error(
        "a single token that is none of some",
        why="how many tokens a text is cut into is no matter of the text",
        hint='repeat it with "star" or "plus", or use "any_text" with "max_chars"',
    )


def some_tokens(fields: Fields, stops: Ends, least: int, most: int | None) -> Language:
    """Tokens that are none of some, again and again: any text, or any that isn't empty."""
    fields.only("exclude_tokens")
    if most is not None or least > 1:
        _exclude_token(fields, stops)
    return Language(_free([*_excluded_tokens(fields), *stops], least, None), {})


def _refuse_counts(fields: Fields) -> None:
    if fields.count("max_tokens", None) is not None:
        raise fields.error(
            "tokens are not counted in a part of the text",
            "max_tokens",
            why="a grammar is a set of texts, and how many tokens a text has is the vocabulary's",
            hint='bound the text with "max_chars", or all of the answer with max_tokens=',
        )


def _regex(fields: Fields, _: Ends) -> Language:
    fields.only("pattern", "excludes")
    pattern = fields.text("pattern")
    with fields.at("pattern"):
        regex = parse(f"^(?:{pattern})$", "ecma")
        if excluded := fields.texts("excludes"):
            free = free_text.without(excluded)
            assert isinstance(free, Terminal)
            regex = both(regex, free.regex)
        if not has_text_of_length(regex, 0, None):
            raise GrammarError("no text can match this pattern", excerpt=pattern)
        return Language(node_of(regex, "utf8"), {})


def _grammar(fields: Fields, _: Ends) -> Language:
    fields.only("grammar", "syntax")
    syntax, text = fields.text("syntax", "ebnf"), fields.text("grammar")
    with fields.at("grammar"):
        if syntax == "lark":
            return lark_compiler.lower(text)
        if syntax == "ebnf":
            return gbnf.lower(text)
    raise fields.error(f"there is no syntax {syntax!r}", "syntax", hint='"ebnf" or "lark"')


def _json_schema(fields: Fields, _: Ends) -> Language:
    fields.only("json_schema", "style", "any_order", "max_whitespace_cnt", "excludes")
    style = fields.text("style", "json")
    excluded, schema = fields.texts("excludes"), _schema(fields)
    space = fields.count("max_whitespace_cnt", None)
    whitespace = "bounded" if space is None else f"[ \\t\\n\\r]{{0,{min(space, _MOST)}}}"
    order = "any" if fields.flag("any_order") else "schema"
    if style in STYLES:
        if order == "any":
            raise fields.error(
                "members in any order aren't known in this style",
                "any_order",
                hint='leave it out, or use the style "json"',
            )
        with fields.at("json_schema"):
            return written(schema, style, whitespace, excluded)
    if style != "json":
        known = ", ".join(["json", *STYLES])
        raise fields.error(f"there is no style {style!r}", "style", hint=f"one of {known}")
    if excluded:
        raise fields.error(
            "texts can't be excluded from JSON",
            "excludes",
            why="a string can spell one with escapes, so nothing would be excluded",
            hint="leave it out: special tokens are never part of a string here",
        )
    with fields.at("json_schema"):
        return json_compiler.lower(schema, JsonOptions(whitespace, order)).language


def _schema(fields: Fields) -> Any:
    schema = fields.value("json_schema")
    if not isinstance(schema, dict | bool):
        raise fields.error("a schema is an object, true or false", "json_schema")
    return schema


def _qwen(fields: Fields, _: Ends) -> Language:
    fields.only("json_schema")
    with fields.at("json_schema"):
        return written(_schema(fields), "qwen_xml", "bounded", [])


KINDS: dict[str, Callable[[Fields, Ends], Language]] = {
    "any_text": _any_text,
    "const_string": _const,
    "json_schema": _json_schema,
    "regex": _regex,
    "grammar": _grammar,
    "token": _token,
    "any_tokens": _any_tokens,
    "exclude_token": _exclude_token,
    "qwen_xml_parameter": _qwen,
}
