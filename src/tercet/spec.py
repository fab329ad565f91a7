"""What a person passes: a `Grammar` is a set of texts and how to read one back as a value.

The constructors only choose a frontend; meaning and checks are theirs. A grammar knows no
vocabulary (`compile` brings the two together), but it can judge texts by itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from typing_extensions import TypeForm

from tercet.answers import Answers
from tercet.automata.corpus import Unit
from tercet.frontends import bundled as bundled_frontend
from tercet.frontends import choice as choice_frontend
from tercet.frontends import free_text as free_text_frontend
from tercet.frontends import gbnf as gbnf_frontend
from tercet.frontends import ltlf as ltlf_frontend
from tercet.frontends import quotation as quotation_frontend
from tercet.frontends import regex as regex_frontend
from tercet.frontends.json_schema.asked import content_of, lower_json, schema_text, type_key
from tercet.frontends.json_schema.options import JsonOptions
from tercet.frontends.lark.compiler import LarkLexer
from tercet.frontends.lark.compiler import lower as _lower_lark

T = TypeVar("T")
U = TypeVar("U")


class Grammar(Answers[T]):
    """A set of texts, and what each of them means as a Python value. Immutable and hashable.

    >>> date = Grammar.regex(r"[0-9]{4}-[0-9]{2}")
    >>> "2026-11" in date, "2026-1" in date
    (True, False)
    >>> Grammar.of(list[int]).parse("[1, 2]")
    [1, 2]
    """

    @staticmethod
    def of(spec: TypeForm[U], /) -> Grammar[U]:
        """The JSON texts of a Python type.

        Scalars, Literal, Enum, unions, containers, dataclasses, TypedDict, NamedTuple, pydantic
        models, Annotated limits, dates, UUID and Decimal. The text is always JSON: a `Literal` is
        written with quotes (see `choice` for bare words). A function stands for its arguments,
        which come back by name.

        >>> Grammar.of(bool | None).parse("null") is None
        True

        Raises:
            GrammarError: values of the type have no JSON form.
            UnsupportedSchemaError: a limit of the type can't be enforced exactly.
        """
        from tercet.frontends.functions import arguments_type
        from tercet.frontends.python_types import schema_of
        from tercet.values.build import reader

        asked: Any = spec  # to a type checker, no function is a type form
        form = arguments_type(asked) if inspect.isroutine(asked) else spec
        schema = schema_of(form)
        options = JsonOptions()
        lowered = lower_json(schema, options)
        key = ("of", type_key(spec, schema), schema_text(schema))
        return Grammar(lowered.language, reader(form), key, lowered.report)

    @staticmethod
    def json(
        schema: Mapping[str, Any] | bool | str | Path | None = None,  # noqa: FBT001
        /,
        *,
        whitespace: Literal["bounded", "compact", "spaced", "any"] | str = "bounded",  # noqa: PYI051
        order: Literal["schema", "any"] = "schema",
        numbers: Literal["plain", "any"] = "plain",
        strings: Literal["plain", "any"] = "plain",
        formats: Literal["assert", "annotate"] = "assert",
        lax: Iterable[str] = (),
        resources: Mapping[str, Any] | None = None,
    ) -> Grammar[Any]:
        """The JSON texts that a JSON Schema allows; no schema allows any JSON.

        A string or path is a file with the schema. Whatever can't be enforced exactly is refused,
        unless its keyword is named in `lax`: then the answer is checked for it after it was read.
        References never fetch anything: other schemas come in `resources`, by their URI.

        >>> '{"age": 36}' in Grammar.json({"properties": {"age": {"type": "integer"}}})
        True

        Raises:
            GrammarError: it is not a schema.
            UnsupportedSchemaError: a keyword can't be enforced exactly.
            UnsatisfiableError: no value matches.
        """
        from tercet.values.build import json_reader

        content = content_of(schema)
        relaxed = frozenset([lax] if isinstance(lax, str) else lax)
        options = JsonOptions(whitespace, order, numbers, relaxed, strings, formats)
        others = dict(resources or {})
        lowered = lower_json(content, options, others)
        read = json_reader(content if lowered.report.relaxed else True, others)
        key = ("json", schema_text(content), options, schema_text(others) if others else "{}")
        return Grammar(lowered.language, read, key, lowered.report)

    @staticmethod
    def regex(pattern: str, /) -> Grammar[str]:
        """The texts that `re.fullmatch(pattern, text)` accepts.

        >>> "0x1F" in Grammar.regex(r"0x[0-9A-F]+")
        True

        Raises:
            GrammarError: the pattern doesn't parse, or isn't regular (backreferences).
        """
        return Grammar(regex_frontend.lower(pattern), str, ("regex", pattern))

    @staticmethod
    def choice(options: Iterable[U], /) -> Grammar[U]:
        """One of these, written bare as `str(option)`; the option itself comes back.

        >>> Grammar.choice([1, 2.5]).parse("2.5")
        2.5

        Raises:
            GrammarError: there are none, or two are written alike.
        """
        distinct = tuple(options)
        language, values = choice_frontend.lower(distinct)
        kinds = () if set(map(type, distinct)) == {str} else tuple(map(repr, distinct))
        key = ("choice", tuple(values), kinds)
        return Grammar(language, values.__getitem__, key)

    @staticmethod
    def text(
        *,
        until: str | None = None,
        include: str | Iterable[str | Iterable[str]] = (),
        exclude: str | Iterable[str] = (),
    ) -> Grammar[str]:
        """Any text that ends with the first `until`, has all of `include` and nothing of `exclude`.

        Each is looked for as a substring. Where something to include is itself several strings, one
        of them is enough.

        >>> thoughts = Grammar.text(until="</think>", include=["yes", ["no", "not"]])
        >>> "so yes and no</think>" in thoughts, "yes</think>" in thoughts
        (True, False)

        Raises:
            GrammarError: a string is empty, or they need too many states.
            UnsatisfiableError: the conditions exclude each other.
        """
        groups = tuple(map(_strings, _strings(include)))
        excluded = _strings(exclude)
        language = free_text_frontend.lower(until, groups, excluded)
        return Grammar(language, str, ("text", until, groups, excluded))

    @staticmethod
    def substring(corpus: str, /, *, unit: Unit = "word") -> Grammar[str]:
        """A quote: some of the text, verbatim, from the beginning of a unit to the end of one.

        A quote has at least one unit; words are what whitespace separates. Nothing is built for
        the parts of the text that no quote comes to.

        >>> quote = Grammar.substring("to be, or not to be", unit="word")
        >>> [text in quote for text in ("be, or", "or not to", "e, or", "to or")]
        [True, True, False, False]

        Raises:
            GrammarError: the text has more than 2**28 characters, or half surrogate pairs.
            UnsatisfiableError: it has no unit.
        """
        return Grammar(quotation_frontend.lower(corpus, unit), str, ("substring", corpus, unit))

    @staticmethod
    def ltlf(
        formula: str, /, actions: Iterable[str] | Mapping[str, str], *, sep: str = "\n"
    ) -> Grammar[list[str]]:
        """The plans that satisfy a formula of linear temporal logic over finite traces.

        A plan is one action after another, at least one, with `sep` between. Actions are written as
        their names, or as the texts that a mapping gives them; a plan is read as a list of names.
        Operators: `!`, `&`, `|`, `->`, `<->`, `X` (next), `WX` (next, if any), `F` (eventually),
        `G` (always), `U` (until), `W` (until, or always), `R` (release), `true`, `false`, `last`;
        names that aren't identifiers, or are operators, stand in double quotes.

        >>> plan = Grammar.ltlf("F serve & (!serve U cook)", ["shop", "cook", "serve"], sep=", ")
        >>> "cook, shop, serve" in plan, "serve, cook" in plan
        (True, False)

        Raises:
            GrammarError: the formula doesn't parse or needs too much work, or actions are alike.
            UnsatisfiableError: there is no plan.
        """
        texts = dict(actions) if isinstance(actions, Mapping) else {name: name for name in actions}
        language, plans = ltlf_frontend.lower(formula, texts, sep)
        key = ("ltlf", formula, tuple(texts.items()), sep)
        return Grammar(language, plans.read, key)

    @staticmethod
    def lark(
        text: str, /, *, start: str = "start", lexer: LarkLexer = "contextual"
    ) -> Grammar[str]:
        r"""The texts of a grammar in lark's language.

        `lexer` is one of lark's. "contextual" reads the longest lexeme of the terminals that may
        come, "dynamic_complete" has no lexer: a text is in if it can be cut into terminals at all.
        Ambiguity and left recursion are welcome in both.

        >>> "1+2+3" in Grammar.lark('start: start "+" INT | INT\n%import common.INT')
        True

        Raises:
            GrammarError: lark refuses the grammar, or its lexer could lead into a dead end.
            UnsatisfiableError: no text matches.
        """
        return Grammar(_lower_lark(text, start, lexer), str, ("lark", text, start, lexer))

    @staticmethod
    def bundled(name: str, /) -> Grammar[str]:
        """One of the grammars that come with tercet: "json", "csv", "semver", and others.

        >>> "1.10.0-rc.1" in Grammar.bundled("semver")
        True

        Raises:
            TercetError: there is none of this name; the message has all names.
        """
        found = bundled_frontend.bundled(name)
        return Grammar(_lower_lark(found.text, "start", found.lexer), str, ("bundled", name))

    @staticmethod
    def gbnf(text: str, /, *, root: str = "root") -> Grammar[str]:
        """The texts of a grammar in GBNF, the notation of llama.cpp.

        >>> "2026" in Grammar.gbnf('root ::= [0-9]{4}')
        True

        Raises:
            GrammarError: it doesn't parse; the message shows where.
            UnsatisfiableError: no text matches.
        """
        return Grammar(gbnf_frontend.lower(text, root), str, ("gbnf", text, root))

    def to_dict(self) -> dict[str, Any]:
        """The grammar as JSON values, for `Constraint.save`.

        Raises:
            TercetError: its options are not text.
        """
        from tercet.saved import to_dict

        return to_dict(self)

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Grammar[Any]:
        """The grammar of `to_dict`; types come back as plain JSON values, options as strings."""
        from tercet.saved import from_dict

        return from_dict(content)


def _strings(given: Any) -> tuple[Any, ...]:
    """One string or several."""
    return (given,) if isinstance(given, str) else tuple(given)
