"""The public surface, as a list that changes only on purpose.

`python -m tests.architecture.test_public_names` writes it anew; the diff is what a reviewer reads.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import tercet

SNAPSHOT = Path(__file__).with_name("public_names.txt")


def _members(name: str, value: object) -> list[str]:
    if not inspect.isclass(value):
        return []
    own = [m for kind in value.__mro__ if kind.__module__.startswith("tercet") for m in vars(kind)]
    return sorted({f"{name}.{m}" for m in own if not m.startswith("_")})


def _surface() -> str:
    lines: list[str] = []
    for name in sorted(tercet.__all__):
        value = getattr(tercet, name)
        lines.append(name)
        lines += _members(name, value)
        if inspect.ismodule(value):
            lines += [f"{name}.{member}" for member in sorted(value.__all__)]
    return "\n".join(lines) + "\n"


def test_surface_is_the_recorded_one() -> None:
    assert _surface() == SNAPSHOT.read_text(encoding="utf-8")


def test_every_name_leads_somewhere() -> None:
    assert set(tercet._HOME) | {"samplers", "testing", "__version__"} == set(tercet.__all__)
    assert sorted(dir(tercet)) == sorted(tercet.__all__)


def test_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(tercet, "generate")


def test_few_names() -> None:
    assert len(tercet.__all__) <= 27


if __name__ == "__main__":
    SNAPSHOT.write_text(_surface(), encoding="utf-8")
