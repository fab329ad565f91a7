"""Where something stands in a schema document, and the errors that point there.

A place is a linked list of keys, written out as a JSON Pointer only when a person will read it:
a schema of 5,000 nested levels would need 150 MB of pointers. Apart from `errors.py`, because only
this package knows the document that an excerpt is cut from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tercet.errors import GrammarError, UnsatisfiableError, UnsupportedSchemaError, excerpt_at


@dataclass(slots=True, eq=False)  # frozen would take three times as long, for each keyword
class Place:
    """A key inside another place; a root has no parent, and the address of its document as key."""

    parent: Place | None = None
    key: str = ""
    depth: int = 0

    def at(self, *keys: str | int) -> Place:
        """The place one or more keys further down.

        >>> Place().at("properties", "a/b", "enum", 0).pointer
        '/properties/a~1b/enum/0'
        """
        place = self
        for key in keys:
            place = Place(place, key if type(key) is str else str(key), place.depth + 1)
        return place

    @property
    def pointer(self) -> str:
        """The JSON Pointer, "" for the root."""
        return "".join("/" + escaped(key) for key in self.keys())

    @property
    def document(self) -> str:
        """The address of the document that it is in, "" for the one that was passed."""
        place = self
        while place.parent is not None:
            place = place.parent
        return place.key

    @property
    def shown(self) -> str:
        """How messages and names of rules write it."""
        return f"{self.document}#{self.pointer}"

    def keys(self) -> list[str]:
        """The keys from the root to here."""
        found: list[str] = []
        place = self
        while place.parent is not None:
            found.append(place.key)
            place = place.parent
        return found[::-1]


def escaped(key: str) -> str:
    """One key as a JSON Pointer spells it."""
    return key.replace("~", "~0").replace("/", "~1")


ROOT = Place()


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """The schema as it was passed, and those it may refer to by address; errors quote them."""

    content: object
    resources: Mapping[str, object] = field(default_factory=dict)

    def malformed(
        self, message: str, place: Place, *, why: str = "", hint: str = ""
    ) -> GrammarError:
        """This is not a schema."""
        excerpt, span = self._excerpt(place)
        return GrammarError(
            message, at=_at(place) or "#", excerpt=excerpt, span=span, why=why, hint=hint
        )

    def unsupported(
        self, place: Place, keyword: str, *, why: str, hint: str = ""
    ) -> UnsupportedSchemaError:
        """This keyword can't be enforced exactly."""
        excerpt, span = self._excerpt(place)
        relax = f'lax=["{keyword}"] to leave it unenforced (the report lists it)'
        return UnsupportedSchemaError(
            f'cannot enforce "{keyword}" exactly',
            pointer=_at(place),
            keyword=keyword,
            excerpt=excerpt,
            span=span,
            why=why,
            hint=f"{hint}, or\n{relax}" if hint else relax,
        )

    def unsatisfiable(self, place: Place, why: str) -> UnsatisfiableError:
        """No value fits here, and therefore none fits the whole schema."""
        excerpt, span = self._excerpt(place)
        return UnsatisfiableError(
            "no value can match this schema",
            pointer=_at(place),
            excerpt=excerpt,
            span=span,
            why=why,
        )

    def _excerpt(self, place: Place) -> tuple[str, tuple[int, int] | None]:
        address = place.document
        content = self.resources.get(address) if address else self.content
        return excerpt_at(content, place.pointer)


def _at(place: Place) -> str:
    return place.shown if place.document else place.pointer
