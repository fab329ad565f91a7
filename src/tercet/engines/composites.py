"""Arrays and objects that are compared: the reference engine's side of `Composite`.

While one is read, the innermost scope is the list of what was noted in it so far.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from tercet.engines.reading import Scopes
from tercet.engines.spellable import Compose
from tercet.engines.unseen import Seen, added

NOTED = {"key": "key"} | {kind: f"noted {kind}" for kind in ("string", "number", "word")}
"""The kinds of texts that are noted, as they are read."""


def ends_of(node: Compose, scopes: Scopes) -> Iterator[Scopes]:
    """The scopes after a composite; none where its value must be new and isn't."""
    *outer, around, noted = scopes
    value = _value(node.kind, noted)
    if not (node.is_new and value in around):
        yield (*outer, added(around, value))


def _value(kind: str, noted: Seen) -> Hashable:
    parts = tuple(noted)
    if kind == "array":
        return kind, parts
    return kind, frozenset(zip(parts[::2], parts[1::2], strict=True))
