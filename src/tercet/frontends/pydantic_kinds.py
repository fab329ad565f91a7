"""What pydantic checks but doesn't write into its JSON Schema, kind by kind.

Each function replaces the method of `pydantic.json_schema.GenerateJsonSchema` of the same name, so
`self` is a generator and `schema` a core schema. Kept as plain functions because pydantic is only
imported when a type is compiled; `python_types` makes the class. Overrides either describe the
JSON that validates, or refuse with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Any

from tercet.errors import GrammarError

Schema = dict[str, Any]

UNCHECKED_FORMATS = frozenset(
    {
        *("base64", "base64url", "base64-url", "json-string", "file-path", "directory-path"),
        *("ipv4network", "ipv6network", "ipv4interface", "ipv6interface", "ipvanyaddress"),
        *("ipvanyinterface", "ipvanynetwork", "name-email", "multi-host-uri"),
    }
)
"""Formats that pydantic's own types have and only their code decides."""


def _inherited(self: Any, name: str, schema: Any) -> Schema:
    method: Callable[[Any], Schema] = getattr(super(type(self), self), name)
    return method(schema)


def _refusal(what: str, why: str, hint: str) -> GrammarError:
    return GrammarError(f"{what} can't be generated exactly", why=why, hint=hint)


# Objects


def _closed(name: str) -> Callable[[Any, Any], Schema]:
    def method(self: Any, schema: Any) -> Schema:
        """Unknown keys would be dropped by pydantic: leave them out unless the type keeps them."""
        described = _inherited(self, name, schema)
        if described.get("type") == "object":
            described.setdefault("additionalProperties", False)
        return described

    return method


def dict_schema(self: Any, schema: Any) -> Schema:
    """Keys are strings in JSON; only those of a finite type can be told apart from others."""
    keys = schema.get("keys_schema", {"type": "any"})
    names = _names_of(keys)
    described = _inherited(self, "dict_schema", schema)
    described.pop("propertyNames", None)
    described.pop("patternProperties", None)
    if names is not None:
        values = self.generate_inner(schema.get("values_schema", {"type": "any"}))
        limits = {key: described[key] for key in described if key in _DICT_LIMITS}
        listed = dict.fromkeys(names, values)
        return {"type": "object", "properties": listed, "additionalProperties": False, **limits}
    if keys["type"] not in {"str", "any"} or _STR_LIMITS & keys.keys():
        raise _refusal(
            f"a dict with keys of the type {keys['type']}",
            "keys are strings in JSON, and they are not enforced by patterns yet",
            "use str or a Literal of strings for the keys, or a list of pairs",
        )
    values = schema.get("values_schema")
    described["additionalProperties"] = self.generate_inner(values) if values else True
    return described


_DICT_LIMITS = frozenset({"minProperties", "maxProperties"})
_STR_LIMITS = frozenset({"pattern", "min_length", "max_length"})


def _names_of(keys: Any) -> list[str] | None:
    """The keys that a literal or enum of strings allows, or None for another type."""
    members = keys.get("members") if keys["type"] == "enum" else keys.get("expected")
    if members is None:
        return None
    values = [member.value if isinstance(member, Enum) else member for member in members]
    return values if all(isinstance(value, str) for value in values) else None


# Strings that stand for something


def str_schema(self: Any, schema: Any) -> Schema:
    """Limits apply after stripping, which a grammar can't follow."""
    limited = _STR_LIMITS & schema.keys()
    if schema.get("strip_whitespace") and limited:
        raise _refusal(
            "a string that is stripped before its limits are checked",
            "whether a text is long enough would depend on its spaces",
            "leave out strip_whitespace, or forbid spaces at the ends with a pattern",
        )
    return _inherited(self, "str_schema", schema)


def _temporal(name: str) -> Callable[[Any, Any], Schema]:
    def method(self: Any, schema: Any) -> Schema:
        """Bounds of dates and times are not part of pydantic's schema."""
        bounds = {"le", "ge", "lt", "gt", "now_op"} & schema.keys()
        if bounds or schema.get("tz_constraint") == "naive":
            raise _refusal(
                f"a {schema['type']} with limits",
                f"{', '.join(sorted(bounds)) or 'naive'} compares moments, not texts",
                "leave the limit out and check the value",
            )
        return _inherited(self, name, schema)

    return method


_CLOCK = "([0-9]{1,5}H([0-9]{1,5}M([0-9]{1,5}S)?)?|[0-9]{1,5}M([0-9]{1,5}S)?|[0-9]{1,5}S)"
DURATION = f"^P([0-9]{{1,5}}W|[0-9]{{1,6}}D(T{_CLOCK})?|T{_CLOCK})$"


def timedelta_schema(self: Any, schema: Any) -> Schema:
    """ISO 8601 durations of weeks, or days and a clock; years and months have no fixed length."""
    _temporal("timedelta_schema")(self, schema)
    return {"type": "string", "pattern": DURATION}


_LABEL = "[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*"
_WORD = "[A-Za-z0-9._~-]"


def url_schema(_: Any, schema: Any) -> Schema:
    """Addresses with a host name, and unreserved characters only: these are read back unchanged."""
    schemes = "|".join(schema.get("allowed_schemes") or ("https", "http"))
    host = rf"{_LABEL}(\.{_LABEL})*(:[1-9][0-9]{{0,3}})?"
    rest = rf"(/({_WORD}|/)*)?(\?({_WORD}|[&=/])*)?(#{_WORD}*)?"
    longest = min(schema.get("max_length", 2083), 2083) - 1  # a missing "/" is added
    return {"type": "string", "pattern": f"^({schemes})://{host}{rest}$", "maxLength": longest}


def uuid_schema(self: Any, schema: Any) -> Schema:
    """A version is a digit in a known place."""
    version = schema.get("version")
    if version is None:
        return _inherited(self, "uuid_schema", schema)
    digit = "[0-9a-f]"
    groups = (f"{digit}{{8}}", f"{digit}{{4}}", f"{version}{digit}{{3}}", f"[89ab]{digit}{{3}}")
    return {"type": "string", "pattern": f"^{'-'.join(groups)}-{digit}{{12}}$"}


# Numbers and constants


def decimal_schema(_: Any, schema: Any) -> Schema:
    """A JSON number: pydantic reads it from its digits, so nothing is rounded."""
    names = {
        "ge": "minimum",
        "gt": "exclusiveMinimum",
        "le": "maximum",
        "lt": "exclusiveMaximum",
        "multiple_of": "multipleOf",
    }
    given = {names[key]: _json_number(schema[key]) for key in names if schema.get(key) is not None}
    described: Schema = {"type": "number", **given}
    places, digits = schema.get("decimal_places"), schema.get("max_digits")
    if digits is not None and places is None:
        raise _refusal(
            "a Decimal with max_digits alone",
            "digits before and after the point would have to be counted together",
            "give decimal_places too",
        )
    if places is not None:
        limits: Schema = {"multipleOf": _json_number(Decimal(1).scaleb(-places))}
        if digits is not None:
            most = 10 ** max(digits - places, 0)
            limits |= {"exclusiveMinimum": -most, "exclusiveMaximum": most}
        described["allOf"] = [limits]
    return described


def _json_number(value: Any) -> int | float:
    """A number that JSON text holds exactly."""
    exact = Decimal(value)
    if exact == exact.to_integral_value():
        return int(exact)
    if Decimal(repr(float(exact))) != exact:
        raise _refusal(f"the limit {value}", "no JSON number is exactly that", "round it")
    return float(exact)


def enum_schema(self: Any, schema: Any) -> Schema:
    """Members whose values are not scalars aren't found again by their JSON."""
    for member in schema["members"]:
        if not isinstance(member.value, (str, int, float, bool, type(None))):
            raise _refusal(
                f"the enum member {member}",
                "its value is not a string, number, boolean or None",
                "give the members scalar values",
            )
    return _inherited(self, "enum_schema", schema)


def tagged_union_schema(self: Any, schema: Any) -> Schema:
    """Tags tell the branches apart, so "exactly one" is "at least one"."""
    described = _inherited(self, "tagged_union_schema", schema)
    if "oneOf" in described:
        described["anyOf"] = described.pop("oneOf")
    described.pop("discriminator", None)
    return described


# What has no JSON form


def _no_json(what: str) -> Callable[[Any, Any], Schema]:
    def method(_: Any, schema: Any) -> Schema:
        """Refuse."""
        raise _refusal(
            f"a value of the type {what}",
            f"a JSON text for it is made by Python code ({schema['type']})",
            "use a type with a JSON form: str, int, float, bool, list, dict, a dataclass, a model",
        )

    return method


def handle_invalid_for_json_schema(_: Any, schema: Any, error_info: str) -> Schema:
    """Refuse, also inside of unions, where pydantic would leave the branch out."""
    raise _refusal(f"a value of the kind {schema.get('type')}", error_info, "leave this type out")


def emit_warning(_: Any, _kind: str, _detail: str) -> None:
    """Defaults that aren't JSON are no concern of ours: optional members may be left out."""


OVERRIDES: dict[str, Any] = {
    **{name: _closed(name) for name in ("model_schema", "dataclass_schema", "typed_dict_schema")},
    **{name: _temporal(name) for name in ("date_schema", "time_schema", "datetime_schema")},
    "dict_schema": dict_schema,
    "str_schema": str_schema,
    "timedelta_schema": timedelta_schema,
    "url_schema": url_schema,
    "uuid_schema": uuid_schema,
    "decimal_schema": decimal_schema,
    "enum_schema": enum_schema,
    "tagged_union_schema": tagged_union_schema,
    "complex_schema": _no_json("complex"),
    "json_schema": _no_json("Json"),
    "callable_schema": _no_json("Callable"),
    "handle_invalid_for_json_schema": handle_invalid_for_json_schema,
    "emit_warning": emit_warning,
}
