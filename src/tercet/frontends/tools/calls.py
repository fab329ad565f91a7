"""Tool calls as a language: free text, then calls in the syntax of a style; or calls alone.

`arguments` is what stands between the parentheses; here are the calls around them. Free text ends
where the text that a call begins with has been written, whether or not that is a special token.
"""

from __future__ import annotations

from collections.abc import Sequence

from tercet.automata.regex import ANY_TEXT, chars, concat, negate, repeat, text, union
from tercet.errors import GrammarError
from tercet.frontends.free_text import without
from tercet.frontends.tools.arguments import arguments, filled
from tercet.frontends.tools.style import Style
from tercet.frontends.tools.tool import Tool
from tercet.grammar.combine import concatenated, either, repeated
from tercet.grammar.nodes import EMPTY, Language, Node, term

_NUMBER = union(text("0"), concat(chars("1-9"), repeat(chars("0-9"), 0, 3)))


def lower(tools: Sequence[Tool], style: Style, choice: str, *, parallel: bool) -> Language:
    """The answers of a model that may call these tools.

    `choice` is "auto", "required" or the name of the tool to call.

    Raises:
        GrammarError: no tool has the name.
        UnsupportedSchemaError: arguments can't be enforced exactly, or not in this style.
    """
    names = [tool.name for tool in tools]
    if choice in {"auto", "required"}:
        return answers(
            style, calls(tools, style, parallel=parallel), must_call=choice == "required"
        )
    if choice not in names:
        raise GrammarError(
            f"there is no tool {choice!r}",
            why=f"the tools are {', '.join(names)}",
            hint='choice is "auto", "required" or the name of a tool',
        )
    only = [tool for tool in tools if tool.name == choice]
    return answers(style, calls(only, style, parallel=False), must_call=True)


def calls(tools: Sequence[Tool], style: Style, *, parallel: bool) -> Language:
    """At least one call, with what stands around all of them."""
    one = either([call(tool, style) for tool in tools])
    many = parallel and not style.single
    between = filled(style.pieces(style.between), {})
    listed = repeated(one, between, 1, None if many else 1)
    begin, end = (filled(style.pieces(part), {}) for part in (style.begin, style.end))
    found = concatenated([begin, listed, end])
    if not style.optional:
        return found
    return concatenated([_optional(filled(style.pieces(style.optional), {})), found])


def call(tool: Tool, style: Style) -> Language:
    """One call of a tool."""
    fields: dict[str, str | Language] = {
        "name": tool.name,
        "index": Language(term(_NUMBER), {}),
        "arguments": arguments(tool, style),
    }
    return filled(style.pieces(style.call), fields)


def answers(style: Style, made: Language, *, must_call: bool) -> Language:
    """The calls, with thoughts before them where the style has some, or an answer without any."""
    thoughts = repeated(_template(style, style.thought), Language(EMPTY, {}), 0, None)
    if must_call:
        found = made
    elif style.opening:
        found = either([made, Language(_not_beginning_with(style.trigger), {})])
    elif style.answer:
        found = either([made, _template(style, style.answer)])
    else:
        free = Language(without([style.trigger]), {})
        found = concatenated([free, _optional(made)])
    return concatenated([thoughts, found]) if style.thought else found


def _template(style: Style, template: str) -> Language:
    """A thought or an answer: its text ends at what the template has behind it."""
    rest = style.pieces(template.partition("$text")[2])
    stop = str(getattr(rest[0], "name", rest[0])) if rest else style.trigger
    return filled(style.pieces(template), {"text": Language(without([stop]), {})})


def _optional(language: Language) -> Language:
    return either([language, Language(EMPTY, {})])


def _not_beginning_with(start: str) -> Node:
    return term(negate(concat(text(start), ANY_TEXT)))
