"""The source tree as the architecture tests see it: parsed files, their imports, their layers.

Nothing of tercet is imported here: a broken module must fail its own test, not all of these.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGE = ROOT / "src" / "tercet"


class Import(NamedTuple):
    """One imported name, as an absolute dotted path; `local` when inside a function."""

    name: str
    line: int
    local: bool
    for_types: bool


@cache
def modules() -> dict[str, Path]:
    """Every module by its path inside the package: "automata/regex.py"."""
    return {p.relative_to(PACKAGE).as_posix(): p for p in sorted(PACKAGE.rglob("*.py"))}


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


@cache
def exceptions() -> dict[str, Any]:
    return tomllib.loads((HERE / "exceptions.toml").read_text(encoding="utf-8"))


def imports(module: str) -> Iterator[Import]:
    yield from _imports_in(tree(module), module, local=False, for_types=False)


def _imports_in(node: ast.AST, module: str, *, local: bool, for_types: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(alias.name, child.lineno, local, for_types)
        elif isinstance(child, ast.ImportFrom):
            base = _absolute(child, module)
            for alias in child.names:
                yield Import(f"{base}.{alias.name}", child.lineno, local, for_types)
        else:
            inside = local or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            typed = for_types or _is_type_checking(child)
            yield from _imports_in(child, module, local=inside, for_types=typed)


def _is_type_checking(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


def _absolute(node: ast.ImportFrom, module: str) -> str:
    if not node.level:
        return node.module or ""
    parts = ["tercet", *Path(module).parts[:-1]]
    base = parts[: len(parts) - node.level + 1]
    return ".".join([*base, node.module] if node.module else base)


def target_module(name: str) -> str | None:
    """The file that an absolute dotted name leads to, or None outside of tercet."""
    parts = name.split(".")
    if parts[0] != "tercet":
        return None
    for length in range(len(parts), 0, -1):
        inside = "/".join(parts[1:length])
        for path in (f"{inside}.py", f"{inside}/__init__.py".lstrip("/")):
            if path in modules():
                return path
    return None


def functions(module: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree(module)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
