"""Where `$ref` and `$dynamicRef` lead: JSON Pointers, addresses and anchors.

Apart from reading keywords, because a reference may lead to any place of the document, also to
places where no schema is expected. Which dynamic anchor is meant depends on the way to a schema;
`Resource.scope` carries what matters of it, so there are finitely many ways and each is exact.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cached_property
from typing import Any
from urllib.parse import unquote, urldefrag

from tercet.frontends.json_schema.place import Document, Place, escaped
from tercet.frontends.json_schema.resources import (
    Resource,
    Resources,
    Target,
    inner,
    joined,
    root_of,
)


class ScopesNeeded(Exception):
    """There is a dynamic reference, and scopes weren't followed so far: begin again."""


class References:
    """Resolves the references of one document.

    `follows_scopes` is set once a dynamic reference is found: until then scopes stay empty.
    """

    def __init__(self, document: Document) -> None:
        self.follows_scopes = False
        self._document = document
        self._resolved: dict[tuple[str, Resource], Target] = {}

    @property
    def root(self) -> Resource:
        """The document as a resource."""
        root = root_of(self._document)
        return self._entered(root, root)

    @cached_property
    def _resources(self) -> Resources:
        return Resources(self._document)

    def inside(self, content: Any, place: Place, resource: Resource) -> Resource:
        """The resource that a schema's own references are relative to."""
        address = resource.address(content)
        if address is None:
            return resource
        known = self._resources.known.get(address)
        return self._entered(known or inner(content, address, place, resource), resource)

    def _entered(self, resource: Resource, before: Resource) -> Resource:
        if not self.follows_scopes:
            return resource
        return self._resources.entered(resource, before.scope)

    def resolve(self, ref: str, place: Place, resource: Resource) -> Target:
        """What `ref`, which stands at `place`, leads to."""
        key = ref, resource
        target = self._resolved.get(key)
        if target is None:
            target = self._resolved[key] = self._resolve(ref, place, resource)
        return target

    def _resolve(self, ref: str, place: Place, resource: Resource) -> Target:
        address, fragment = ("", ref[1:]) if ref.startswith("#") else urldefrag(ref)
        if address:
            address = urldefrag(joined(resource.uri, address)).url
            if address != resource.uri:
                resource = self._entered(self._resource(address, place), resource)
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            content, at, owner = self._anchor(resource.uri, fragment, place)
            return Target(content, at, self._entered(owner, resource))
        target = self._follow(fragment, Target(resource.content, resource.place, resource), place)
        if not isinstance(target.content, (dict, bool)):
            raise self._document.malformed(
                f'"{place.key}": "{ref}" does not lead to a schema',
                place,
                why=f"{target.place.pointer or '#'} is {type(target.content).__name__}",
            )
        return target

    def resolve_dynamic(self, ref: str, place: Place, resource: Resource) -> Target:
        """What a `$dynamicRef` or `$recursiveRef` leads to, on this way to it.

        Raises:
            ScopesNeeded: it is the first one; from now on scopes are followed.
        """
        if not self.follows_scopes:
            self.follows_scopes = True
            self._resolved.clear()
            raise ScopesNeeded
        target = self.resolve(ref, place, resource)
        name = unquote(urldefrag(ref).fragment)
        is_dynamic = name in self._resources.dynamic.get(target.resource.uri, ())
        first = dict(resource.scope).get(name) if is_dynamic else None
        if first is None:
            return target
        if not name:
            root = self._entered(self._resources.known[first], resource)
            return Target(root.content, root.place, root)
        content, at, owner = self._resources.anchors[first, name]
        return Target(content, at, self._entered(owner, resource))

    def _follow(self, pointer: str, target: Target, place: Place) -> Target:
        content, at, resource = target
        for token in pointer.split("/")[1:]:
            key = token.replace("~1", "/").replace("~0", "~")
            child = _child(content, key)
            if child is _MISSING:
                raise self._nowhere(f"#{at.pointer}/{escaped(key)}", content, key, place)
            content, at = child, at.at(key)
            address = resource.address(content)
            if address is not None:  # only where it ends counts as a resource on the way
                resource = self._resources.known.get(address) or inner(
                    content, address, at, resource
                )
        if resource is not target.resource:
            resource = self._entered(resource, target.resource)
        return Target(content, at, resource)

    def _nowhere(self, target: str, parent: Any, key: str, place: Place) -> Exception:
        names = [str(name) for name in parent] if isinstance(parent, dict) else []
        near = get_close_matches(key, names, 1, 0.7)
        return self._document.malformed(
            f'"{place.key}" leads nowhere: there is no {target}',
            place,
            why=f'there is no "{key}" there',
            hint=f'did you mean "{near[0]}"?' if near else 'define it under "$defs"',
        )

    def _resource(self, address: str, place: Place) -> Resource:
        found = self._resources.known.get(address)
        if found is None:
            raise self._document.unsupported(
                place,
                place.key,
                why=f"{address} is not part of this document, and nothing is fetched",
                hint=f'pass that schema along: resources={{"{address}": ...}}',
            )
        return found

    def _anchor(self, uri: str, name: str, place: Place) -> Target:
        target = self._resources.anchors.get((uri, name))
        if target is None:
            raise self._document.malformed(
                f'"{place.key}" leads nowhere: there is no anchor "{name}"',
                place,
                why=f'no schema here has "$anchor": "{name}"',
                hint='a JSON Pointer starts with "#/", as in "#/$defs/name"',
            )
        return target


_MISSING = object()


def _child(content: Any, key: str) -> Any:
    if isinstance(content, dict):
        return content.get(key, _MISSING)
    if isinstance(content, (list, tuple)) and key.isdecimal() and int(key) < len(content):
        return content[int(key)]
    return _MISSING
