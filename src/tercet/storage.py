"""Files that may be lost: written whole or not at all, and read only as they were written.

What tercet has worked out and could work out again, compiled kernels and prepared vocabularies,
lies in `TERCET_CACHE` or the user's cache folder. A file begins with a digest of its key and its
content: one that was cut, damaged, or made for something else is taken for missing.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

_DIGEST = 32


def cache_root() -> Path:
    """Where these files lie."""
    chosen = os.environ.get("TERCET_CACHE")
    return Path(chosen) if chosen else user_cache_path("tercet")


def read(path: Path, key: str) -> memoryview | None:
    """The content of a file, or None unless it is all there and belongs to the key."""
    try:
        data = memoryview(path.read_bytes())
    except OSError:
        return None
    content = data[_DIGEST:]
    return content if data[:_DIGEST] == _digest(key, content) else None


def write(path: Path, key: str, content: bytes) -> bool:
    """Write a file in one step, whoever else may be doing so; whether it could be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_digest(key, content))
            file.write(content)
        Path(draft).replace(path)
    except OSError:
        with suppress(OSError):
            Path(draft).unlink()
        return False
    return True


def _digest(key: str, content: bytes | memoryview) -> bytes:
    digest = hashlib.sha256(key.encode() + b"\0")
    digest.update(content)
    return digest.digest()
