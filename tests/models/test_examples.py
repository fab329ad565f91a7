"""The examples run, and are as short as they promise to be."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tercet import Model

FOLDER = Path(__file__).parents[2] / "examples"
WITH_WEIGHTS = {"generate.py", "demo.py"}
SMALL = sorted(path.name for path in FOLDER.glob("*.py") if path.name not in WITH_WEIGHTS)


@pytest.mark.parametrize("name", SMALL)
def test_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(FOLDER / name), run_name="__main__")
    assert capsys.readouterr().out.strip()


@pytest.mark.model
def test_generate(model: Model, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(FOLDER / "generate.py"), run_name="__main__")
    assert capsys.readouterr().out.count("in the year") == 2


@pytest.mark.model
@pytest.mark.slow
def test_demo(model: Model, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(FOLDER / "demo.py"), run_name="__main__")
    assert ended.value.code == 0, capsys.readouterr().out


def test_one_idea_each() -> None:
    for path in FOLDER.glob("*.py"):
        limit = 180 if path.name == "demo.py" else 60
        assert len(path.read_text(encoding="utf-8").splitlines()) <= limit, path.name
