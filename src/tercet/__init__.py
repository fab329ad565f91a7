"""Structured generation: a type, a model, an answer.

Names are imported when they are first used (PEP 562), so `import tercet` stays cheap. This file
says only where each public name lives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._version import __version__

if TYPE_CHECKING:
    from .errors import (
        GrammarError,
        OutputTruncatedError,
        TercetError,
        TercetWarning,
        TokenRejectedError,
        UnsatisfiableError,
        UnsupportedSchemaError,
    )

_HOME = {
    "GrammarError": "errors",
    "OutputTruncatedError": "errors",
    "TercetError": "errors",
    "TercetWarning": "errors",
    "TokenRejectedError": "errors",
    "UnsatisfiableError": "errors",
    "UnsupportedSchemaError": "errors",
}

__all__ = [
    "GrammarError",
    "OutputTruncatedError",
    "TercetError",
    "TercetWarning",
    "TokenRejectedError",
    "UnsatisfiableError",
    "UnsupportedSchemaError",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
