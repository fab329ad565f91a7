"""Names of rules: the places of the schemas that a value has to match.

A name is for people (a drawing, an explanation) and has to be unique; nothing takes it apart again.
"""

from __future__ import annotations

from tercet.frontends.json_schema.place import Place, escaped
from tercet.frontends.json_schema.schema import Value

_LONGEST = 24  # keys of a pointer that are shown, and schemas of an intersection


class Names:
    """Hands out one name per value."""

    def __init__(self) -> None:
        self._names: dict[Value, str] = {}
        self._taken: set[str] = set()

    def of(self, value: Value) -> str:
        """The name of a value, always the same."""
        name = self._names.get(value)
        if name is None:
            name = self._names[value] = self._unused(_described(value))
        return name

    def _unused(self, name: str) -> str:
        if name in self._taken:
            name = f"{name} ~{len(self._taken)}"
        self._taken.add(name)
        return name


def _described(value: Value) -> str:
    if not value:
        return "any value"
    places = [atom.place for atom in sorted(value, key=lambda atom: atom.rank)[:_LONGEST]]
    return " & ".join(map(_short, places))


def _short(place: Place) -> str:
    if place.depth <= _LONGEST:
        return place.shown
    keys: list[str] = []
    at: Place | None = place
    while at is not None and len(keys) < 3:
        keys.append(escaped(at.key))
        at = at.parent
    return f"#…/{'/'.join(reversed(keys))} at depth {place.depth}"
