"""Where `$ref` leads: JSON Pointers, `$id` and `$anchor`, inside the document that was passed.

Apart from reading keywords, because a reference may lead to any place of the document, also to
places where no schema is expected. Nothing is ever fetched: what lies outside is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin

from tercet.frontends.json_schema.place import ROOT, Document, Place, escaped

_DATA = frozenset({"enum", "const", "default", "examples"})
_MAPS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependencies", "dependentSchemas"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Resource:
    """A schema with an address of its own; references inside are relative to it."""

    uri: str
    content: Any
    place: Place


class Target(NamedTuple):
    """What a reference leads to."""

    content: Any
    place: Place
    resource: Resource


class References:
    """Resolves the references of one document."""

    def __init__(self, document: Document, draft: int) -> None:
        self._document = document
        self._draft = draft
        self._id = "id" if draft == 4 else "$id"
        content = document.content
        uri = content.get(self._id) if isinstance(content, dict) else None
        uri = urldefrag(uri).url if isinstance(uri, str) else ""
        self.root = Resource(uri, content, ROOT)
        self._known: dict[str, Resource] | None = None
        self._anchors: dict[tuple[str, str], Target] = {}

    def inside(self, content: Any, place: Place, resource: Resource) -> Resource:
        """The resource that a schema's own references are relative to."""
        address = self._address(content, resource)
        if address is None:
            return resource
        return self._index().get(address) or Resource(address, content, place)

    def _address(self, content: Any, resource: Resource) -> str | None:
        """The address that a schema gives itself, if it does."""
        uri = content.get(self._id) if isinstance(content, dict) else None
        if not isinstance(uri, str) or uri.startswith("#") or content is resource.content:
            return None
        if 4 <= self._draft <= 7 and "$ref" in content:
            return None
        return urldefrag(_joined(resource.uri, uri)).url

    def resolve(self, ref: str, place: Place, resource: Resource) -> Target:
        """What `ref`, which stands at `place`, leads to."""
        address, fragment = urldefrag(ref)
        if address:
            address = urldefrag(_joined(resource.uri, address)).url
            if address != resource.uri:
                resource = self._resource(address, place)
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            return self._anchor(resource.uri, fragment, place)
        target = self._follow(fragment, Target(resource.content, resource.place, resource), place)
        if not isinstance(target.content, (dict, bool)):
            raise self._document.malformed(
                f'"$ref": "{ref}" does not lead to a schema',
                place,
                why=f"{target.place.pointer or '#'} is {type(target.content).__name__}",
            )
        return target

    def _follow(self, pointer: str, target: Target, place: Place) -> Target:
        content, at, resource = target
        for token in pointer.split("/")[1:]:
            key = token.replace("~1", "/").replace("~0", "~")
            inner = _child(content, key)
            if inner is _MISSING:
                raise self._nowhere(f"#{at.pointer}/{escaped(key)}", content, key, place)
            content, at = inner, at.at(key)
            resource = self.inside(content, at, resource)
        return Target(content, at, resource)

    def _nowhere(self, target: str, parent: Any, key: str, place: Place) -> Exception:
        names = [str(name) for name in parent] if isinstance(parent, dict) else []
        near = get_close_matches(key, names, 1, 0.7)
        return self._document.malformed(
            f'"$ref" leads nowhere: there is no {target}',
            place,
            why=f'there is no "{key}" there',
            hint=f'did you mean "{near[0]}"?' if near else 'define it under "$defs"',
        )

    def _resource(self, address: str, place: Place) -> Resource:
        found = self._index().get(address)
        if found is None:
            raise self._document.unsupported(
                place,
                "$ref",
                why=f"{address} is not part of this document, and nothing is fetched",
                hint='copy that schema into "$defs", with its "$id"',
            )
        return found

    def _anchor(self, uri: str, name: str, place: Place) -> Target:
        self._index()
        target = self._anchors.get((uri, name))
        if target is None:
            raise self._document.malformed(
                f'"$ref" leads nowhere: there is no anchor "{name}"',
                place,
                why=f'no schema here has "$anchor": "{name}"',
                hint='a JSON Pointer starts with "#/", as in "#/$defs/name"',
            )
        return target

    def _index(self) -> dict[str, Resource]:
        """Every address and anchor of the document; looked for when first needed."""
        if self._known is None:
            self._known = {self.root.uri: self.root}
            for content, place, resource in self._schemas():
                self._known.setdefault(resource.uri, resource)
                for name in _anchors_of(content, content.get(self._id)):
                    self._anchors.setdefault((resource.uri, name), Target(content, place, resource))
        return self._known

    def _schemas(self) -> Iterator[tuple[dict[str, Any], Place, Resource]]:
        """Every object of the document that may be a schema."""
        todo: list[tuple[Any, Place, Resource, bool]] = [(self.root.content, ROOT, self.root, True)]
        seen: set[int] = set()
        while todo:
            content, place, resource, is_schema = todo.pop()
            if isinstance(content, (list, tuple)):
                todo += ((item, place.at(i), resource, True) for i, item in enumerate(content))
            if not isinstance(content, dict) or id(content) in seen:
                continue
            seen.add(id(content))
            if is_schema:
                address = self._address(content, resource)
                resource = resource if address is None else Resource(address, content, place)
                yield content, place, resource
            for key, item in content.items():
                if isinstance(item, (dict, list, tuple)) and not (is_schema and key in _DATA):
                    below = not (is_schema and key in _MAPS)
                    todo.append((item, place.at(str(key)), resource, below))


_MISSING = object()


def _joined(base: str, uri: str) -> str:
    try:
        return urljoin(base, uri)
    except ValueError:  # a malformed address is like one that nothing has
        return uri


def _child(content: Any, key: str) -> Any:
    if isinstance(content, dict):
        return content.get(key, _MISSING)
    if isinstance(content, (list, tuple)) and key.isdecimal() and int(key) < len(content):
        return content[int(key)]
    return _MISSING


def _anchors_of(content: dict[str, Any], own_id: object) -> Iterator[str]:
    for name in (content.get("$anchor"), content.get("$dynamicAnchor")):
        if isinstance(name, str):
            yield name
    if isinstance(own_id, str):  # up to draft 7 an anchor is an $id that is only a fragment
        fragment = unquote(urldefrag(own_id).fragment)
        if fragment:
            yield fragment
