"""The command line as a whole, and `tercet vocabulary`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

import tercet
from tercet.cli.main import app
from tercet.cli.outcome import Exit


def test_version() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout == f"tercet {tercet.__version__}\n"


def test_help_names_every_command() -> None:
    text = CliRunner().invoke(app, ["--help"]).stdout
    assert all(command in text for command in ("bench", "check", "run", "vocabulary"))


def test_help_is_quick_to_load() -> None:
    code = "import sys, tercet.cli.main; sys.exit(bool({'torch', 'numba'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


BYTE_LEVEL = {"add_prefix_space": False, "trim_offsets": False, "use_regex": False}


def _toy_tokenizer(path: Path) -> Path:
    document = {
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": {"type": "ByteLevel", **BYTE_LEVEL},
        "decoder": {"type": "ByteLevel", **BYTE_LEVEL},
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "</s>": 3}, "merges": ["a b"]},
    }
    special = {"id": 3, "content": "</s>", "special": True}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    document["added_tokens"] = [special | flags]
    (path / "tokenizer.json").write_text(json.dumps(document))
    (path / "tokenizer_config.json").write_text('{"eos_token": "</s>"}')
    return path / "tokenizer.json"


def test_vocabulary_report(tmp_path: Path) -> None:
    path = _toy_tokenizer(tmp_path)
    result = CliRunner().invoke(app, ["vocabulary", str(path), "--json"])
    assert result.exit_code == Exit.OK, result.output
    facts = json.loads(result.stdout)
    assert (facts["size"], facts["tokens_of_text"], facts["end_of_sequence"]) == (4, 3, [3])
    assert len(facts["bytes_it_cannot_spell"]) == 256 - 2 - 13


def test_vocabulary_for_people(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["vocabulary", str(_toy_tokenizer(tmp_path))])
    assert "longest token bytes" in result.stdout


def test_vocabulary_of_nothing(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["vocabulary", str(tmp_path / "none.gguf")])
    assert result.exit_code == Exit.FAILED
    assert "none.gguf" in result.stderr
