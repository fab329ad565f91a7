"""A grammar's key written as the expression that makes the grammar: its `repr`.

What is long is cut off, and so is what is nested deep.
"""

from __future__ import annotations

from typing import Any

_WIDTH = 60
_PARTS = 8
_BINDING = {"~": 5, "+": 4, ">>": 3, "&": 2, "|": 1}  # Python's own precedence


def shown(key: tuple[Any, ...], around: int = 0, depth: int = 6) -> str:
    """The expression; in parentheses if it binds weaker than what stands around it.

    >>> from tercet.spec import Grammar
    >>> a, b = Grammar.regex("a+"), Grammar.choice(["b"])
    >>> (a | b) + ":" + ~b
    (Grammar.regex('a+') | Grammar.choice(('b',))) + ':' + ~Grammar.choice(('b',))
    """
    kind, *rest = key
    if depth == 0:
        return "..."
    if kind in _BINDING:
        strength = _BINDING[kind]
        tighter = [strength] + [strength + (kind in {">>", "&"})] * (len(rest) - 1)
        inside = [shown(p._key, s, depth - 1) for p, s in zip(rest, tighter, strict=True)]
        inside = [*inside[:_PARTS], "..."] if len(inside) > _PARTS else inside
        text = f"~{inside[0]}" if kind == "~" else f" {kind} ".join(inside)
        return f"({text})" if strength < around else text
    if kind == "repeat":
        return f"{shown(rest[0]._key, 9, depth - 1)}.repeat({_bounds(*rest[1:])})"
    if kind == "infill":
        return f"{shown(rest[0]._key, 9, depth - 1)}.infill({_clipped(repr(rest[1])[:-1])}...)"
    if kind == "map":
        name = getattr(rest[1], "__qualname__", repr(rest[1]))
        return f"{shown(rest[0]._key, 9, depth - 1)}.map({name})"
    if kind == "literal":
        return _clipped(repr(rest[0]))
    if kind == "text":
        return f"Grammar.text({_conditions(*rest)})"
    argument = rest[1] if kind == "of" else rest[0]
    if kind in {"json", "of"}:
        return f"Grammar.{kind}({_clipped(argument)})"
    return f"Grammar.{kind}({_clipped(repr(argument[: _WIDTH + 1]))})"  # there may be millions


def _bounds(least: int, most: int | None, between: Any) -> str:
    separator = f", sep={between!r}" if between != "" else ""
    return f"{least}, {most}{separator}"


def _conditions(until: str | None, include: tuple[Any, ...], exclude: tuple[str, ...]) -> str:
    groups = [group[0] if len(group) == 1 else list(group) for group in include[:_WIDTH]]
    given = {"until": until, "include": groups, "exclude": list(exclude[:_WIDTH])}
    return ", ".join(f"{name}={_clipped(repr(value))}" for name, value in given.items() if value)


def _clipped(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."
