"""Schemas with an address of their own: those in the document, and those the caller passed along.

`$id` and anchors are found in one pass when the first reference needs them. Nothing is ever
fetched. How a reference is followed is `references`'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from tercet.errors import TercetError
from tercet.frontends.json_schema.keywords import draft_of
from tercet.frontends.json_schema.place import ROOT, Document, Place
from tercet.frontends.json_schema.shapes import is_schema, is_text

_SCHEMAS = frozenset(
    {
        *("items", "additionalItems", "unevaluatedItems", "contains", "prefixItems"),
        *("additionalProperties", "unevaluatedProperties", "propertyNames", "contentSchema"),
        *("not", "if", "then", "else", "allOf", "anyOf", "oneOf"),
    }
)
_MAPS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependencies", "dependentSchemas"}
)

Scope = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Resource:
    """A schema with an address of its own; references inside are relative to it.

    `scope` says which resource each dynamic anchor leads to, as the first on the way here has it.
    """

    uri: str
    content: Any
    place: Place
    draft: int
    scope: Scope = ()

    @property
    def refs_stand_alone(self) -> bool:
        """Whether the neighbours of `$ref` are ignored, as up to draft 7."""
        return 4 <= self.draft <= 7

    def own_id(self, content: Any) -> str | None:
        """What a schema says its address is."""
        if not isinstance(content, dict) or (self.refs_stand_alone and "$ref" in content):
            return None
        uri = content.get("id" if self.draft == 4 else "$id")
        return uri if isinstance(uri, str) else None

    def address(self, content: Any) -> str | None:
        """The address of a schema inside, if it has one of its own."""
        uri = self.own_id(content)
        if uri is None or uri.startswith("#") or content is self.content:
            return None
        return urldefrag(joined(self.uri, uri)).url


class Target(NamedTuple):
    """What a reference leads to."""

    content: Any
    place: Place
    resource: Resource


def checked(resources: Mapping[str, object]) -> dict[str, object]:
    """The schemas that were passed along, by address without fragment.

    Raises:
        TercetError: an address is relative, or what it leads to is no schema.
    """
    for uri, content in resources.items():
        if not is_text(uri) or not urlsplit(uri).scheme or not is_schema(content):
            raise TercetError(
                f"resources[{uri!r}] is no schema with an address",
                why="resources are absolute URIs and the schemas they lead to",
                hint='resources={"https://example.org/address.json": {"type": "object"}}',
            )
    return {urldefrag(uri).url: content for uri, content in resources.items()}


class Resources:
    """Every address and anchor that a document and what was passed along with it have."""

    def __init__(self, document: Document) -> None:
        self.root = root_of(document)
        self.known: dict[str, Resource] = {}
        self.anchors: dict[tuple[str, str], Target] = {}
        self.dynamic: dict[str, list[str]] = {}
        self._add(self.root)
        for uri, content in document.resources.items():
            address = urldefrag(uri).url
            resource = _resource(address, content, Place(key=address), self.root.draft)
            self.known.setdefault(address, resource)
            self._add(resource)

    def entered(self, resource: Resource, scope: Scope) -> Resource:
        """A resource on the way through others: their dynamic anchors come before its own."""
        bound = {name for name, _ in scope}
        own = (name for name in self.dynamic.get(resource.uri, ()) if name not in bound)
        return replace(resource, scope=(*scope, *((name, resource.uri) for name in sorted(own))))

    def _add(self, root: Resource) -> None:
        for content, place, resource in _schemas(root):
            self.known.setdefault(resource.uri, resource)
            for name in _anchors_of(content, resource):
                self.anchors.setdefault((resource.uri, name), Target(content, place, resource))
            for name in _dynamic_anchors_of(content, resource):
                self.dynamic.setdefault(resource.uri, []).append(name)


def joined(base: str, uri: str) -> str:
    """An address relative to another; what is malformed is like an address that nothing has."""
    try:
        return urljoin(base, uri) if not base.startswith("urn:") or ":" in uri else uri
    except ValueError:
        return uri


def inner(content: Any, address: str, place: Place, outer: Resource) -> Resource:
    """The resource that a schema with an address opens; it may declare a draft of its own."""
    return Resource(address, content, place, _draft(content, outer.draft))


def root_of(document: Document) -> Resource:
    """A document as a resource."""
    return _resource("", document.content, ROOT, draft_of(document.content))


def _resource(uri: str, content: Any, place: Place, draft: int) -> Resource:
    resource = Resource(uri, None, place, _draft(content, draft))
    return replace(resource, uri=resource.address(content) or uri, content=content)


def _draft(content: Any, outer: int) -> int:
    is_declared = isinstance(content, dict) and isinstance(content.get("$schema"), str)
    return draft_of(content) if is_declared else outer


def _schemas(root: Resource) -> Iterator[tuple[dict[str, Any], Place, Resource]]:
    """Every schema below a resource with the resource that it belongs to."""
    todo: list[tuple[Any, Place, Resource]] = [(root.content, root.place, root)]
    seen: set[int] = set()
    while todo:
        content, place, resource = todo.pop()
        if isinstance(content, (list, tuple)):
            todo += ((item, place.at(number), resource) for number, item in enumerate(content))
        if not isinstance(content, dict) or id(content) in seen:
            continue
        seen.add(id(content))
        address = resource.address(content)
        resource = resource if address is None else inner(content, address, place, resource)
        yield content, place, resource
        for key, item in content.items():
            if key in _SCHEMAS:
                todo.append((item, place.at(key), resource))
            elif key in _MAPS and isinstance(item, dict):
                below = place.at(key)
                todo += ((part, below.at(str(name)), resource) for name, part in item.items())


def _anchors_of(content: dict[str, Any], resource: Resource) -> Iterator[str]:
    for word in ("$anchor", "$dynamicAnchor"):
        if isinstance(content.get(word), str) and not 4 <= resource.draft <= 7:
            yield content[word]
    own_id = resource.own_id(content)
    if own_id is not None:  # up to draft 7 an anchor is an $id that is only a fragment
        fragment = unquote(urldefrag(own_id).fragment)
        if fragment:
            yield fragment


def _dynamic_anchors_of(content: dict[str, Any], resource: Resource) -> Iterator[str]:
    """The names of its dynamic anchors; that of 2019-09 has none, and only counts at the root."""
    if isinstance(content.get("$dynamicAnchor"), str):
        yield content["$dynamicAnchor"]
    if content.get("$recursiveAnchor") is True and content is resource.content:
        yield ""
