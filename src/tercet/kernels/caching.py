"""Where compiled kernels are kept: one folder for each state of their source.

Numba checks only the file of the function that is called, but a kernel is inlined from several
files: after a change in one of the others a stale one would be loaded, and masks would be wrong. So
the folder's name is a hash over the source of all kernels. It lies with tercet's other files
(`TERCET_CACHE`, or the user's cache folder), so an installation may be read-only.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CacheImpl, _CacheLocator
from platformdirs import user_cache_path

from tercet.errors import TercetWarning

_SOURCES = Path(__file__).parent


@cache
def source_hash() -> str:
    """A hash over every kernel's source and numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(_SOURCES.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """The folder for compiled kernels; a temporary one, with a warning, if none can be written."""
    chosen = os.environ.get("TERCET_CACHE")
    folder = (Path(chosen) if chosen else user_cache_path("tercet")) / "kernels" / source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        warnings.warn(
            f"compiled kernels can't be kept ({error}); they are compiled anew in each process. "
            "Set TERCET_CACHE to a folder that can be written",
            TercetWarning,
            stacklevel=2,
        )
        return Path(tempfile.mkdtemp(prefix="tercet-kernels-"))
    return folder


class _KernelLocator(_CacheLocator):  # type: ignore[misc, unused-ignore]
    """Tells numba where to look for one kernel."""

    def __init__(self, function: Any) -> None:
        self._name: str = function.__qualname__

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return source_hash()

    def get_disambiguator(self) -> str:
        return self._name

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _KernelLocator | None:
        """Claim the functions of this package and no others."""
        return cls(py_func) if Path(py_file).parent == _SOURCES else None


CacheImpl._locator_classes.insert(0, _KernelLocator)
