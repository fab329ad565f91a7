"""Structured generation: a type, a model, an answer of that type.

Names are imported when they are first used (PEP 562), so `import tercet` stays cheap. This file
says only where each public name lives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tercet._version import __version__

if TYPE_CHECKING:
    from tercet import samplers, testing
    from tercet.apply import apply_bitmask
    from tercet.batch import Batch
    from tercet.constraint import Constraint, check, compile
    from tercet.errors import (
        GrammarError,
        OutputTruncatedError,
        TercetError,
        TercetWarning,
        TokenRejectedError,
        UnsatisfiableError,
        UnsupportedSchemaError,
    )
    from tercet.explanation import Explanation
    from tercet.frontends.json_schema.report import Report
    from tercet.matcher import Matcher
    from tercet.models.completion import Completion, Snapshot
    from tercet.models.load import load
    from tercet.models.model import Model
    from tercet.models.stream import Stream
    from tercet.rowtable import RowTable
    from tercet.spec import Grammar
    from tercet.vocabulary.vocabulary import Vocabulary

__all__ = [
    "Batch",
    "Completion",
    "Constraint",
    "Explanation",
    "Grammar",
    "GrammarError",
    "Matcher",
    "Model",
    "OutputTruncatedError",
    "Report",
    "RowTable",
    "Snapshot",
    "Stream",
    "TercetError",
    "TercetWarning",
    "TokenRejectedError",
    "UnsatisfiableError",
    "UnsupportedSchemaError",
    "Vocabulary",
    "__version__",
    "apply_bitmask",
    "check",
    "compile",
    "load",
    "samplers",
    "testing",
]

_HOME = {
    "Batch": "batch",
    "Completion": "models.completion",
    "Constraint": "constraint",
    "Explanation": "explanation",
    "Grammar": "spec",
    "GrammarError": "errors",
    "Matcher": "matcher",
    "Model": "models.model",
    "OutputTruncatedError": "errors",
    "Report": "frontends.json_schema.report",
    "RowTable": "rowtable",
    "Snapshot": "models.completion",
    "Stream": "models.stream",
    "TercetError": "errors",
    "TercetWarning": "errors",
    "TokenRejectedError": "errors",
    "UnsatisfiableError": "errors",
    "UnsupportedSchemaError": "errors",
    "Vocabulary": "vocabulary.vocabulary",
    "apply_bitmask": "apply",
    "check": "constraint",
    "compile": "constraint",
    "load": "models.load",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in ("samplers", "testing"):
        return import_module(f"tercet.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'tercet' has no attribute {name!r}")
    value: object = getattr(import_module(f"tercet.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
