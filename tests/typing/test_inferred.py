"""mypy infers what the comments of `inferred.py` say, and refuses what they say it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).with_name("inferred.py")
_REVEALED = re.compile(r":(\d+): note: Revealed type is \"(.*)\"")
_REFUSED = re.compile(r":(\d+): error: .*\[(.*)\]")


def _plain(revealed: str) -> str:
    """Leave out the modules of names."""
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", revealed)


@pytest.fixture(scope="module")
def report() -> str:
    return api.run([str(SOURCE), "--config-file", str(ROOT / "pyproject.toml")])[0]


def _expected(prefix: str) -> dict[int, str]:
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    found = {n: line for n, line in enumerate(lines, 1) if "  # " in line}
    wanted = {n: line.rpartition("  # ")[2] for n, line in found.items()}
    errors = {n: text for n, text in wanted.items() if text.startswith("error: ")}
    return errors if prefix == "error" else {n: t for n, t in wanted.items() if n not in errors}


def test_types(report: str) -> None:
    found = {int(line): _plain(text) for line, text in _REVEALED.findall(report)}
    assert found == _expected("type"), report


def test_mistakes(report: str) -> None:
    found = {int(line): f"error: {code}" for line, code in _REFUSED.findall(report)}
    assert found == _expected("error"), report
