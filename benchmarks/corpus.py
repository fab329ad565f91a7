"""The MaskBench corpus and the official suite: where they lie, and the fixed part that we measure.

The data is no part of the repository. It is looked for in the folder that TERCET_DATA names, by
default ../shared/data beside the checkout; `find` gives None where there is none. `fetch` gets the
public corpus instead, when asked.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import tarfile
import urllib.request
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Entry = dict[str, Any]

PUBLIC = "https://github.com/guidance-ai/jsonschemabench/archive/refs/heads/main.tar.gz"
CACHE = Path(__file__).parents[1] / ".cache"
_OTHERWISE = {
    "order": {"order": "any"},
    "spelling": {"order": "any", "numbers": "any", "whitespace": "any"},
}
_DEFAULT = Path(__file__).parents[2] / "shared" / "data"


def find(name: str) -> Path | None:
    """A file or folder of the data, or None."""
    path = Path(os.environ.get("TERCET_DATA", _DEFAULT)) / name
    return path if path.exists() else None


def maskbench(part: int | None = 1) -> list[Entry]:
    """The schemas whose name hashes to `part` modulo 20 (None: all): {name, schema, tests}."""
    path = find("maskbench-dev.jsonl.gz")
    return load(str(path), None if part is None else [part]) if path else []


def load(path: str, slices: list[int] | None = None) -> list[Entry]:
    """The schemas of a .jsonl(.gz) file or of a folder of .json files, or some twentieths of them.

    A folder is what the public corpus is: one schema a file, named for it.
    """
    entries = _files(Path(path)) if Path(path).is_dir() else _lines(Path(path))
    return [e for e in entries if slices is None or part_of(e["name"]) in slices]


def part_of(name: str) -> int:
    """Which twentieth of the corpus a schema belongs to.

    >>> part_of("Github_easy---o64880")
    1
    """
    return int(hashlib.sha1(f"{name}.json".encode()).hexdigest(), 16) % 20


def text_of(instance: Any) -> str:
    """How an instance is written."""
    return json.dumps(instance, ensure_ascii=False)


def fetch() -> Path:
    """Download the public corpus into .cache, once; the folder of its files."""
    folder = CACHE / "maskbench"
    if not folder.is_dir():
        with urllib.request.urlopen(PUBLIC) as response:  # an https address of ours
            archive = response.read()
        draft = folder.with_name(f"maskbench.{os.getpid()}.part")
        draft.mkdir(parents=True)
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            for member in files:
                parts = Path(member.name).parts[1:]
                if parts[:2] == ("maskbench", "data") and member.isfile():
                    (draft / parts[-1]).write_bytes(files.extractfile(member).read())
        draft.rename(folder)
    return folder


def _lines(path: Path) -> Iterator[Entry]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _files(folder: Path) -> Iterator[Entry]:
    for path in sorted(folder.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        if "schema" in content:
            yield {
                "name": path.stem,
                "schema": content["schema"],
                "tests": content.get("tests", []),
            }


def why_refused(schema: Any, instance: Any) -> str:
    """Whether a refused instance is only written otherwise: "order", "spelling", or ""."""
    from tercet import Grammar, TercetError

    text = text_of(instance)
    for reason, options in _OTHERWISE.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                grammar = Grammar.json(schema, **options)
        except TercetError:
            continue
        if text in grammar:
            return reason
    return ""
