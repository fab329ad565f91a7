"""From a case to a grammar, and to an outside judge of what it should accept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import tercet
from tercet.grammar.nodes import Language
from tercet.vocabulary.vocabulary import Vocabulary
from tests.differential import example_types
from tests.differential.cases import Case


def grammar(case: Case) -> Any:
    """The `tercet.Grammar` of a case."""
    match case.kind:
        case "regex":
            return tercet.Grammar.regex(case.spec)
        case "choice":
            return tercet.Grammar.choice(case.spec)
        case "lark":
            return tercet.Grammar.lark(case.spec, **case.options)
        case "gbnf":
            return tercet.Grammar.gbnf(case.spec, **case.options)
        case "python":
            return tercet.Grammar.of(python_type(case))
        case "grammar":
            return eval(case.spec, {"Grammar": tercet.Grammar})  # our own data files
        case _:
            return tercet.Grammar.json(schema(case), **case.options)


def language(case: Case) -> Language:
    """The IR of a case."""
    return grammar(case).language


def compiled(case: Case, vocabulary: Vocabulary) -> Any:
    """The constraint of a case."""
    return tercet.compile(grammar(case), vocabulary)


def schema(case: Case) -> Any:
    return json.loads(case.spec)


def python_type(case: Case) -> Any:
    return eval(case.spec, vars(example_types))  # our own data files


def error_class(name: str) -> type[Exception]:
    found: type[Exception] = getattr(tercet, name)
    return found


def judge_of(case: Case) -> Callable[[str], bool]:
    """What the text must satisfy according to `re`, `jsonschema`, pydantic or lark."""
    match case.kind:
        case "regex":
            return lambda text: re.fullmatch(case.spec, text) is not None
        case "choice":
            return lambda text: text in case.spec
        case "lark":
            return judge_by_lark(case.spec, **case.options)
        case "gbnf":
            return judge_by_lark(case.twin, lexer="dynamic_complete")
        case "grammar":
            return lambda text: re.fullmatch(case.matches, text, re.DOTALL) is not None
        case "python":
            return _judge_by_pydantic(python_type(case))
        case _:
            return judge_by_schema(schema(case))


def judge_by_schema(schema: Any) -> Callable[[str], bool]:
    """Whether a text is JSON (strictly) and valid, formats included."""
    import jsonschema

    validator = jsonschema.Draft202012Validator(
        schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )

    def judge(text: str) -> bool:
        try:
            return bool(validator.is_valid(json.loads(text, parse_constant=_refuse)))
        except ValueError:
            return False

    return judge


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} isn't JSON")


def judge_by_lark(
    grammar: str, start: str = "start", lexer: str = "contextual"
) -> Callable[[str], bool]:
    """Whether lark parses a text: LALR with its contextual lexer, or Earley without one."""
    from lark import Lark
    from lark.exceptions import UnexpectedInput

    parser = Lark(
        grammar, start=start, lexer=lexer, parser="lalr" if lexer == "contextual" else "earley"
    )

    def judge(text: str) -> bool:
        try:
            parser.parse(text)
        except UnexpectedInput:
            return False
        return True

    return judge


def _judge_by_pydantic(kind: Any) -> Callable[[str], bool]:
    import pydantic

    adapter = pydantic.TypeAdapter(kind)

    def judge(text: str) -> bool:
        try:
            adapter.validate_json(text, strict=True)
        except pydantic.ValidationError:
            return False
        return True

    return judge
