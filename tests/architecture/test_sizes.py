"""Small files, small functions, few parameters. What is larger says why in exceptions.toml."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.source import PACKAGE, exceptions, functions, modules, tree

FILE_LIMIT, FILE_HARD = 300, 500
FUNCTION_LIMIT, FUNCTION_HARD = 40, 80
POSITIONAL_LIMIT = 4
METHODS_LIMIT = 15
SLACK = 20  # how far an exception's number may lie above the truth before it has to fall


def _length(module: str) -> int:
    return len((PACKAGE / module).read_text(encoding="utf-8").splitlines())


def _function_lengths() -> dict[str, int]:
    lengths: dict[str, int] = {}
    for module in modules():
        for node in functions(module):
            name = f"{module}:{node.name}"
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            lengths[name] = max(length, lengths.get(name, 0))
    return lengths


def _check(lengths: dict[str, int], kind: str, limit: int, hard: int) -> None:
    excused = {entry["name"]: entry for entry in exceptions()[kind]}
    for name, length in lengths.items():
        allowed = excused[name]["lines"] if name in excused else limit
        assert length <= allowed, f"{name} has {length} lines, {allowed} are allowed"
    for name, entry in excused.items():
        assert name in lengths, f"{name} is gone: remove its exception"
        assert lengths[name] > limit, f"{name} is small enough: remove its exception"
        assert entry["lines"] <= min(hard, lengths[name] + SLACK), f"{name}: lower its number"
        assert len(entry["reason"]) >= 20, f"{name}: give a reason"


def test_files() -> None:
    _check({module: _length(module) for module in modules()}, "files", FILE_LIMIT, FILE_HARD)


def test_functions() -> None:
    _check(_function_lengths(), "functions", FUNCTION_LIMIT, FUNCTION_HARD)


@pytest.mark.parametrize("module", [m for m in modules() if not m.startswith("kernels/")])
def test_few_positional_parameters(module: str) -> None:
    """Kernels are excused: numba knows no keyword-only parameters."""
    excused = {entry["name"]: entry["count"] for entry in exceptions()["parameters"]}
    for node in functions(module):
        names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
        count = len([name for name in names if name not in {"self", "cls"}])
        limit = excused.get(f"{module}:{node.name}", POSITIONAL_LIMIT)
        assert count <= limit, f"{module}:{node.lineno} {node.name} takes {count}"


@pytest.mark.parametrize("module", list(modules()))
def test_few_public_methods(module: str) -> None:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.ClassDef):
            methods = [n.name for n in node.body if isinstance(n, ast.FunctionDef)]
            public = [name for name in methods if not name.startswith("_")]
            assert len(set(public)) <= METHODS_LIMIT, f"{module}: {node.name} has {len(public)}"
