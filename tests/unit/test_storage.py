"""Files that may be lost: none that is damaged, foreign or half written is ever read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tercet import storage
from tercet.errors import TercetWarning
from tercet.kernels import caching, growth
from tercet.kernels.pointers import JIT_DISABLED, entry


def test_what_is_written_is_read(tmp_path: Path) -> None:
    assert storage.write(tmp_path / "deep" / "file", "key", b"content")
    found = storage.read(tmp_path / "deep" / "file", "key")
    assert found is not None
    assert bytes(found) == b"content"
    assert storage.read(tmp_path / "missing", "key") is None


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flipped(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


DAMAGES = [_cut, _flipped, lambda _: b"", lambda data: data + b"x"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_or_foreign(tmp_path: Path, damage: object) -> None:
    path = tmp_path / "file"
    storage.write(path, "key", b"content")
    assert storage.read(path, "another key") is None
    path.write_bytes(damage(path.read_bytes()))
    assert storage.read(path, "key") is None


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert not storage.write(tmp_path / "file" / "below", "key", b"content")


def test_many_writers(tmp_path: Path) -> None:
    """Whoever comes last, the file is one of those that were written; no drafts are left."""
    path, contents = tmp_path / "file", [bytes([n]) * 100_000 for n in range(16)]
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda content: storage.write(path, "key", content), contents))
    assert bytes(storage.read(path, "key")) in contents
    assert list(tmp_path.iterdir()) == [path]


def test_kernels_without_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "file"))
    with pytest.warns(TercetWarning, match="Set TERCET_CACHE to a folder that can be written"):
        caching.cache_folder.__wrapped__()


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_kernel_is_compiled_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: object
) -> None:
    monkeypatch.setattr(caching, "cache_folder", lambda: tmp_path)
    function = growth.rehash_unions.py_func
    entry("int64(int64)")(function)
    (path,) = tmp_path.iterdir()
    good = path.read_bytes()
    path.write_bytes(damage(good))
    again = entry("int64(int64)")(function)
    assert len(path.read_bytes()) > len(good) // 2
    assert path.read_bytes() != damage(good)
    assert again.stats.cache_hits == {}
    assert entry("int64(int64)")(function).stats.cache_hits
