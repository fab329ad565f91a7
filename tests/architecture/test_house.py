"""Habits of the house: docstrings that say something, no print, no drawer for odds and ends."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.source import functions, modules, tree

VAGUE = {"util", "utils", "helper", "helpers", "common", "misc", "manager", "handler"}


@pytest.mark.parametrize("module", list(modules()))
def test_module_docstring(module: str) -> None:
    docstring = ast.get_docstring(tree(module))
    assert docstring, f"{module}: say what is here, why it is separate, what it does not do"
    assert len(docstring) >= 40, f"{module}: say more than {docstring!r}"


@pytest.mark.parametrize("module", list(modules()))
def test_name_says_what_is_inside(module: str) -> None:
    parts = module.removesuffix(".py").split("/")
    assert not VAGUE.intersection(parts)


@pytest.mark.parametrize("module", list(modules()))
def test_annotations_are_lazy(module: str) -> None:
    names = [n for n in tree(module).body if isinstance(n, ast.ImportFrom)]
    code = [n for n in tree(module).body if not isinstance(n, ast.Expr)]
    assert not code or any(n.module == "__future__" for n in names) or len(code) <= 1


@pytest.mark.parametrize("module", [m for m in modules() if not m.startswith("cli/")])
def test_no_print(module: str) -> None:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print", f"{module}:{node.lineno} prints"


@pytest.mark.parametrize("module", list(modules()))
def test_no_stubs(module: str) -> None:
    """A function that only raises NotImplementedError or does nothing is a promise, not code."""
    for node in functions(module):
        body = [n for n in node.body if not isinstance(n, ast.Expr)]
        for statement in body:
            raised = ast.unparse(statement) if isinstance(statement, ast.Raise) else ""
            assert "NotImplementedError" not in raised, f"{module}:{node.lineno} {node.name}"
