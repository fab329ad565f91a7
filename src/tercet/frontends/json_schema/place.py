"""Where something stands in a schema document, and the errors that point there.

A place is a linked list of keys, written out as a JSON Pointer only when a person will read it:
a schema of 5,000 nested levels would need 150 MB of pointers. Apart from `errors.py`, because only
this package knows the document that an excerpt is cut from.
"""

from __future__ import annotations

from dataclasses import dataclass

from tercet.errors import GrammarError, UnsatisfiableError, UnsupportedSchemaError, excerpt_at


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A key inside another place; the root has no parent."""

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
            place = Place(place, str(key), place.depth + 1)
        return place

    @property
    def pointer(self) -> str:
        """The JSON Pointer, "" for the root."""
        return "".join("/" + escaped(key) for key in self.keys())

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
    """The schema as it was passed; errors quote it."""

    content: object

    def malformed(
        self, message: str, place: Place, *, why: str = "", hint: str = ""
    ) -> GrammarError:
        """This is not a schema."""
        pointer = place.pointer
        excerpt, span = excerpt_at(self.content, pointer)
        return GrammarError(
            message, at=pointer or "#", excerpt=excerpt, span=span, why=why, hint=hint
        )

    def unsupported(
        self, place: Place, keyword: str, *, why: str, hint: str = ""
    ) -> UnsupportedSchemaError:
        """This keyword can't be enforced exactly."""
        pointer = place.pointer
        excerpt, span = excerpt_at(self.content, pointer)
        relax = f'lax=["{keyword}"] to leave it unenforced (the report lists it)'
        return UnsupportedSchemaError(
            f'cannot enforce "{keyword}" exactly',
            pointer=pointer,
            keyword=keyword,
            excerpt=excerpt,
            span=span,
            why=why,
            hint=f"{hint}, or\n{relax}" if hint else relax,
        )

    def unsatisfiable(self, place: Place, why: str) -> UnsatisfiableError:
        """No value fits here, and therefore none fits the whole schema."""
        pointer = place.pointer
        excerpt, span = excerpt_at(self.content, pointer)
        return UnsatisfiableError(
            "no value can match this schema",
            pointer=pointer,
            excerpt=excerpt,
            span=span,
            why=why,
        )
