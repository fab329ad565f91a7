"""JSON Schema: enforced exactly, or refused with the place, the reason and a way out."""

from __future__ import annotations

import tercet
from tercet import Grammar
from tercet.testing import scripted

ORDER = {
    "type": "object",
    "properties": {
        "item": {"enum": ["tea", "coffee"]},
        "sugar": {"type": "integer", "minimum": 0, "maximum": 3},
    },
    "required": ["item", "sugar"],
    "additionalProperties": False,
}

order = Grammar.json(ORDER)
print(scripted('{"item": "tea", "sugar": 2}')("What would you like?", order))
print('{"item": "tea", "sugar": 7}' in order)

try:
    Grammar.json({"type": "array", "items": {"type": "string"}, "uniqueItems": True})
except tercet.UnsupportedSchemaError as error:
    print(error)
