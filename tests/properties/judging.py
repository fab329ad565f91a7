r"""Whether a finished text is valid, by jsonschema, with exact numbers and ECMA patterns.

jsonschema computes multipleOf in floats and reads patterns as Python's; here numbers with a
fraction are decimals, \d, \w and \s are ASCII, and $ is the very end. All formats are checked that
jsonschema knows a checker of.
"""

from __future__ import annotations

import decimal
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema

_END = re.compile(r"\\.|\[(?:\\.|[^\]])*\]|\$", re.DOTALL)  # a $ that is no escape and in no class
_EXACT = decimal.Context(prec=2000)
# Not all drafts' checkers at once: "time" would be draft 3's, which has no offset.
_FORMATS = jsonschema.Draft202012Validator.FORMAT_CHECKER


def complaint_of(schema: Any) -> Callable[[bytes], str]:
    """A function from a text to what is wrong with it, or ""."""
    exact = json.loads(json.dumps(schema), parse_float=decimal.Decimal)
    base = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
    kind = jsonschema.validators.extend(
        base,
        {"pattern": _pattern, "multipleOf": _multiple_of},
        type_checker=_with_decimals(base),
    )
    validator = kind(exact, format_checker=_FORMATS)

    def complaint(text: bytes) -> str:
        try:
            instance = json.loads(text.decode(), parse_float=decimal.Decimal, parse_constant=_no)
        except ValueError as error:
            return f"not JSON: {error}"
        first = next(iter(validator.iter_errors(instance)), None)
        return f"{first.json_path}: {first.message[:200]}" if first else ""

    return complaint


def _with_decimals(base: Any) -> Any:
    """The types of a draft, where 1e3 is an integer if 1000.0 is."""
    if not base.TYPE_CHECKER.is_type(1.0, "integer"):
        return base.TYPE_CHECKER

    def is_integer(checker: Any, value: Any) -> bool:
        if isinstance(value, decimal.Decimal):
            return value == value.to_integral_value()
        return bool(base.TYPE_CHECKER.is_type(value, "integer"))

    return base.TYPE_CHECKER.redefine("integer", is_integer)


def _no(constant: str) -> None:
    raise ValueError(f"{constant} isn't JSON")


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[Any]:
    if isinstance(instance, str):
        try:
            found = re.search(_END.sub(_ending, pattern), instance, re.ASCII)
        except re.error:  # ECMA syntax that Python lacks: this judge has nothing to say
            return
        if not found:
            yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


def _ending(match: re.Match[str]) -> str:
    return r"\Z" if match[0] == "$" else match[0]


def _multiple_of(validator: Any, factor: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if validator.is_type(instance, "number"):
        rest = _EXACT.remainder(decimal.Decimal(instance), decimal.Decimal(factor))
        if rest != 0:
            yield jsonschema.ValidationError(f"{instance} is not a multiple of {factor}")
