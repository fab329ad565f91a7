"""The fields of one format, read with their types, and where it stands in the tag.

Every field must be known and every known one is read: a field that would be ignored is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from tercet.errors import GrammarError, TercetError, excerpt_at

_ABSENT = object()


class Fields:
    """A JSON object at a place; `root` is all of the tag, for excerpts."""

    def __init__(self, content: Any, root: Any, place: str) -> None:
        self._root = root
        self.place = place
        if not isinstance(content, Mapping):
            raise self.error("an object is needed here")
        self._content = content

    def error(self, message: str, *keys: str, why: str = "", hint: str = "") -> GrammarError:
        """An error at this place, or at what these keys lead to from here."""
        place = self._below(*keys)
        excerpt, span = excerpt_at(self._root, place)
        return GrammarError(
            message, at=place or "#", excerpt=excerpt, span=span, why=why, hint=hint
        )

    def only(self, *known: str) -> None:
        """Refuse fields other than these and `type`."""
        for key in self._content:
            if key not in {*known, "type"}:
                near = get_close_matches(str(key), known, 1)
                raise self.error(
                    f"there is no field {key!r} here",
                    str(key),
                    why=f"the fields are {', '.join(known)}",
                    hint=f"did you mean {near[0]!r}?" if near else "",
                )

    def value(self, key: str, default: Any = _ABSENT) -> Any:
        """A field as it is.

        Raises:
            GrammarError: it is missing and has no default.
        """
        if key in self._content:
            return self._content[key]
        if default is _ABSENT:
            raise self.error(f"the field {key!r} is missing")
        return default

    def has(self, key: str) -> bool:
        """Whether a field is there."""
        return key in self._content

    def text(self, key: str, default: Any = _ABSENT) -> str:
        """A field that is a string."""
        found = self.value(key, default)
        if not isinstance(found, str):
            raise self.error("a string is needed here", key)
        return found

    def flag(self, key: str) -> bool:
        """A field that is true or false; false if it is missing."""
        found = self.value(key, False)
        if not isinstance(found, bool):
            raise self.error("true or false is needed here", key)
        return found

    def count(self, key: str, default: Any = _ABSENT, least: int = 0) -> int | None:
        """A field that is a whole number, not below `least`."""
        found = self.value(key, default)
        if found is None and default is None:
            return None
        if not isinstance(found, int) or isinstance(found, bool) or found < least:
            raise self.error(f"a whole number from {least} on is needed here", key)
        return found

    def texts(self, key: str) -> list[str]:
        """A field that is a list of strings, none of them empty; no strings if it is missing."""
        found = self.value(key, [])
        if not isinstance(found, list):
            raise self.error("a list is needed here", key)
        for number, text in enumerate(found):
            if not isinstance(text, str) or not text:
                raise self.error("a string that isn't empty is needed here", key, str(number))
        return found

    def pair(self, key: str, number: int) -> tuple[str, Fields]:
        """An entry of a list, which is itself a list of a text that isn't empty and an object."""
        entry = self.each(key)[number]
        if not isinstance(entry, list) or len(entry) != 2 or not entry[0]:
            raise self.error("a pair of a text and a format is needed here", key, str(number))
        if not isinstance(entry[0], str):
            raise self.error("a string is needed here", key, str(number), "0")
        return entry[0], Fields(entry[1], self._root, self._below(key, str(number), "1"))

    def inside(self, key: str) -> Fields:
        """A field that is an object."""
        return Fields(self.value(key), self._root, self._below(key))

    def each(self, key: str) -> list[Any]:
        """A field that is a list with something in it."""
        found = self.value(key)
        if not isinstance(found, list) or not found:
            raise self.error("a list that isn't empty is needed here", key)
        return found

    def all_inside(self, key: str) -> Iterator[Fields]:
        """A field that is a list of objects, at least one."""
        for number, content in enumerate(self.each(key)):
            yield Fields(content, self._root, self._below(key, str(number)))

    @contextmanager
    def at(self, key: str) -> Iterator[None]:
        """What is refused while a field is lowered says where in the tag that is."""
        try:
            yield
        except TercetError as error:
            inside = "" if error.at in {"", "#"} else error.at
            joint = "" if not inside or inside.startswith("/") else ", "
            error.at = f"{self._below(key)}{joint}{inside}"
            raise

    def _below(self, *keys: str) -> str:
        tokens = (key.replace("~", "~0").replace("/", "~1") for key in keys)
        return "/".join([self.place, *tokens])
