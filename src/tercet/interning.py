"""Hash-consing: equal constructor arguments give the same object.

Regular expressions and grammar nodes are trees with much sharing. Interning makes equality an
identity test and lets every pass over them be a memo table keyed by the node itself. Nodes are
held weakly, so a grammar that is dropped frees its nodes.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

_NODES: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()


class _InternedType(type):
    def __call__(cls, *args: Any) -> Any:
        key = (cls, *args)
        node = _NODES.get(key)
        if node is None:
            node = super().__call__(*args)
            # setdefault keeps one object when two threads build the same node at once
            node = _NODES.setdefault(key, node)
        return node


class Interned(metaclass=_InternedType):
    """Base of immutable nodes; subclasses list their fields, in order, in ``__slots__``."""

    __slots__ = ("__weakref__",)

    def __init__(self, *args: Any) -> None:
        names = self._fields()
        if len(args) != len(names):
            raise TypeError(f"{type(self).__name__} takes {len(names)} arguments: {names}")
        for name, value in zip(names, args, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def _fields(cls) -> tuple[str, ...]:
        return tuple(cls.__dict__.get("__slots__", ()))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __repr__(self) -> str:
        inside = ", ".join(repr(getattr(self, name)) for name in self._fields())
        return f"{type(self).__name__}({inside})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self._fields())
