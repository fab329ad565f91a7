"""Hash-consing: equal constructor arguments give the same object.

Regular expressions and grammar nodes are trees with much sharing. Interning makes equality an
identity test and lets every pass over them be a memo table keyed by the node itself. Nodes are
held weakly, so a grammar that is dropped frees its nodes.

The table is what `WeakValueDictionary` is inside, without its Python: a schema is a thousand nodes,
and each would cost 2 microseconds more.
"""

from __future__ import annotations

from _weakref import _remove_dead_weakref  # type: ignore[attr-defined]
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import ref


class _Held(ref):  # type: ignore[type-arg]
    __slots__ = ("key",)
    key: tuple[Any, ...]


_new: Callable[[type], Any] = object.__new__
_HELD: dict[tuple[Any, ...], _Held] = {}


def _forget(held: _Held) -> None:
    _remove_dead_weakref(_HELD, held.key)  # in one step, unless another node has the key by now


def _keep(key: tuple[Any, ...], node: Any) -> Any:
    """Keep a node, or give the one that another thread has made meanwhile."""
    held = _Held(node, _forget)
    held.key = key
    while True:
        found = _HELD.setdefault(key, held)()
        if found is not None:
            return found
        _remove_dead_weakref(_HELD, key)


class _InternedType(type):
    _fields: tuple[str, ...]
    _setters: tuple[Callable[[Any, Any], None], ...]

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        slots = namespace.get("__slots__", ())
        cls._fields = () if slots == ("__weakref__",) else tuple(slots)
        cls._setters = tuple(_setter(cls, field) for field in cls._fields)

    def __call__(cls, *args: Any) -> Any:
        key = (cls, *args)
        held = _HELD.get(key)
        node = None if held is None else held()
        return _keep(key, cls._made(args)) if node is None else node

    def _made(cls, args: tuple[Any, ...]) -> Any:
        if len(args) != len(cls._setters):
            raise TypeError(f"{cls.__name__} takes {len(cls._fields)} arguments: {cls._fields}")
        node = _new(cls)
        for put, value in zip(cls._setters, args, strict=True):
            put(node, value)
        node._complete()
        return node


def _setter(cls: type, field: str) -> Callable[[Any, Any], None]:
    """What writes a slot of a node that can't be written to."""
    setter: Callable[[Any, Any], None] = cls.__dict__[field].__set__
    return setter


class Interned(metaclass=_InternedType):
    """Base of immutable nodes; subclasses list their fields, in order, in ``__slots__``."""

    __slots__ = ("__weakref__",)

    if TYPE_CHECKING:

        def __init__(self, *args: Any) -> None: ...

    def _complete(self) -> None:
        """Work out what follows from the fields; called once."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __repr__(self) -> str:
        inside = ", ".join(repr(getattr(self, name)) for name in type(self)._fields)
        return f"{type(self).__name__}({inside})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in type(self)._fields)
