"""Keywords that aren't enforced: when they change nothing, and what to tell people otherwise.

Apart from the table of keywords because it is prose. Each refusal says why and what to do instead.
"""

from __future__ import annotations

from typing import Any

_LATER = "it is not enforced yet, and a keyword that is dropped silently is worse than an error"

WHY: dict[str, str] = {
    "uniqueItems": "which items came before would have to be remembered",
}

HINT: dict[str, str] = {
    "uniqueItems": "make the items strings, numbers or objects that may have other members",
}

RELAXED_WITH: dict[str, tuple[str, ...]] = {
    "patternProperties": ("additionalProperties", "unevaluatedProperties"),
    "properties": ("additionalProperties", "unevaluatedProperties"),
    "prefixItems": ("items", "unevaluatedItems"),
    "items": ("additionalItems", "unevaluatedItems"),
    "contains": ("unevaluatedItems",),
    "if": ("then", "else"),
}
"""What has to go with a relaxed keyword, as it means "everything that keyword doesn't cover"."""


def reason(keyword: str) -> tuple[str, str]:
    """Why a keyword is refused, and a way out.

    >>> reason("uniqueItems")[1]
    'make the items strings, numbers or objects that may have other members'
    """
    return WHY.get(keyword, _LATER), HINT.get(keyword, "")


def changes_nothing(keyword: str, content: Any, schema: dict[str, Any]) -> bool:
    """Whether a keyword that is not enforced allows everything here.

    >>> changes_nothing("uniqueItems", False, {}), changes_nothing("uniqueItems", True, {})
    (True, False)
    """
    match keyword:
        case "uniqueItems" if content is False:
            return True
        case "unevaluatedItems":
            return content is True or content == {}
        case "minContains" | "maxContains":
            return "contains" not in schema
        case _:
            return False
