"""Where compiled kernels are kept: one folder for each state of their source and kind of machine.

Numba checks only the file of the function that is called, but a kernel is inlined from several
files: after a change in one of the others a stale one would be loaded, and masks would be wrong. So
the folder's name is a hash over the source of all kernels. It lies with tercet's other files
(`TERCET_CACHE`, or the user's cache folder), so an installation may be read-only. A file that isn't
as it was written is compiled anew.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps

from tercet import storage
from tercet.errors import TercetWarning

_SOURCES = Path(__file__).parent
_LOG = logging.getLogger("tercet")


@cache
def _sources() -> tuple[bytes, ...]:
    return tuple(
        path.name.encode() + b"\0" + path.read_bytes() for path in sorted(_SOURCES.glob("*.py"))
    )


@cache
def source_hash() -> str:
    """A hash over every kernel's source and the versions of what compiles it."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in _sources():
        digest.update(source)
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """The folder for compiled kernels; a temporary one, with a warning, if none can be written."""
    folder = storage.cache_root() / "kernels" / source_hash()
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
    """What numba wants to know of a folder before anything else."""

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


class KernelCache(FunctionCache):  # type: ignore[misc, unused-ignore]
    """The file of one kernel. Its key names the processor: a home folder may be on several."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        module = function.__module__.rpartition(".")[2]
        self._path = cache_folder() / f"{module}.{function.__qualname__}"

    def _load_overload(self, signature: Any, target_context: Any) -> Any:
        key = repr(self._index_key(signature, target_context.codegen()))
        content = storage.read(self._path, key)
        if content is None:
            _PROGRESS.begin()
            return None
        return self._impl.rebuild(target_context, pickle.loads(content))  # noqa: S301 - ours

    def _save_overload(self, signature: Any, data: Any) -> None:
        key = repr(self._index_key(signature, data.codegen))
        storage.write(self._path, key, dumps(self._impl.reduce(data)))
        _PROGRESS.end()


class _Progress:
    """Says on a terminal why it takes so long the first time."""

    def __init__(self) -> None:
        self._done = 0
        self._all = sum(s.count(b"\n@entry(") + s.count(b"\n@shared(") for s in _sources())

    def begin(self) -> None:
        self._done += 1
        if self._done == 1:
            _LOG.info("compiling %d kernels, once on this machine", self._all)
        self._show(f"tercet compiles its kernels, once on this machine: {self._done}/{self._all}")

    def end(self) -> None:
        self._show("\033[K")

    def _show(self, text: str) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write(f"\r{text}\r")
            sys.stderr.flush()


_PROGRESS = _Progress()
