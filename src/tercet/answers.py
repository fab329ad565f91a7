"""Grammars of whole answers of chat models: tool calls and structural tags.

What is written how is `frontends.tools`' and `frontends.tags`'; reading calls back is
`values.calls`'.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from tercet.combining import Combinable
from tercet.frontends.json_schema.asked import schema_text

if TYPE_CHECKING:
    from tercet.spec import Grammar
    from tercet.values.calls import Call

T = TypeVar("T")


class Answers(Combinable[T]):
    """Constructors of grammars for what a chat model answers."""

    @staticmethod
    def tools(
        functions: Iterable[Callable[..., Any] | Mapping[str, Any]],
        /,
        *,
        style: Any = "json",
        choice: str = "auto",
        parallel: bool = True,
    ) -> Grammar[list[Call[Any]]]:
        r"""Answers that may call tools: functions, or dicts as in OpenAI's API.

        `style` is how a family of models writes calls, under the name that vLLM's parser has
        ("hermes", "llama3_json", "mistral", ...), or a tokenizer, whose chat template tells. With
        `choice="auto"` there may be free text, and calls after it; "required" demands a call, a
        tool's name demands that one. What comes back are the calls, which can be called.

        >>> from tercet import Grammar
        >>> def add(a: int, b: int) -> int:
        ...     return a + b
        >>> grammar = Grammar.tools([add], style="hermes")
        >>> text = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>'
        >>> [call() for call in grammar.parse("Let me see. " + text)]
        [3]

        Raises:
            TercetError: there is no such style.
            GrammarError: there are no tools, two of one name, or `choice` names none.
            UnsupportedSchemaError: arguments can't be enforced exactly, or not in this style.
        """
        from tercet.frontends.tools import calls
        from tercet.frontends.tools.style import style as style_of
        from tercet.frontends.tools.tool import tools_of
        from tercet.spec import Grammar
        from tercet.values.calls import CallReader

        tools, form = tools_of(functions), style_of(style)
        language = calls.lower(tools, form, choice, parallel=parallel)
        described = tuple((tool.name, schema_text(tool.schema), tool.function) for tool in tools)
        key = ("tools", described, form.name, choice, parallel)
        return Grammar(language, CallReader(tools, form), key)

    @staticmethod
    def structural_tag(tag: Mapping[str, Any] | str, /) -> Grammar[str]:
        """The texts of a structural tag, as xgrammar and vLLM spell them, in JSON or as its text.

        Every format and style is known, and vLLM's older `structures` with `triggers`.

        >>> from tercet import Grammar
        >>> tag = {"type": "tag", "begin": "<a>", "content": {"type": "any_text"}, "end": "</a>"}
        >>> grammar = Grammar.structural_tag({"type": "structural_tag", "format": tag})
        >>> "<a>text</a>" in grammar, "<a>text" in grammar
        (True, False)

        Raises:
            GrammarError: it isn't one, or it counts tokens, which isn't a matter of text.
            UnsupportedSchemaError: a schema in it can't be enforced exactly.
            UnsatisfiableError: no text matches.
        """
        from tercet.frontends.tags.reading import content_of as tag_content
        from tercet.frontends.tags.reading import lower as lower_tag
        from tercet.spec import Grammar

        content = tag_content(tag)
        return Grammar(lower_tag(content), str, ("structural_tag", schema_text(content)))
