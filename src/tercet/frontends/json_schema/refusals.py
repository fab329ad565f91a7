"""Keywords that can't always be enforced: what to tell people then.

Apart from the table of keywords because it is prose. `canonical` says why.
"""

from __future__ import annotations

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
