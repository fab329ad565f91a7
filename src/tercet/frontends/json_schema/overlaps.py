"""Whether two schemas may have an instance in common: what makes `oneOf` as simple as `anyOf`.

The answer is allowed to be yes when it is no, so "exactly one of" counts as "at least one of" here.
That is what keeps the question from asking itself, in schemas that contain themselves.
"""

from __future__ import annotations

from tercet.errors import UnsupportedSchemaError
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.place import Document
from tercet.frontends.json_schema.productive import Productive
from tercet.frontends.json_schema.schema import Value, conjunction
from tercet.frontends.json_schema.style import PLAIN, Style


class Overlaps:
    """Answers for one schema document; what is found on the way is kept."""

    def __init__(self, document: Document, style: Style = PLAIN) -> None:
        self._productive = Productive(Canonical(document, style=style))

    def __call__(self, one: Value, other: Value) -> bool:
        """Whether a JSON value might match both."""
        try:
            return self._productive(conjunction((one, other)))
        except UnsupportedSchemaError:
            return True
