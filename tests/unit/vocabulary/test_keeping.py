"""A vocabulary from the disk is the one that was put there; what is damaged is made again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tercet import Vocabulary
from tercet.vocabulary import huggingface, keeping
from tests.unit.vocabulary.test_readers import byte_level, special


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a tokenizer, whose vocabulary is worth keeping in an empty cache."""
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(keeping, "WORTHWHILE", 0)
    model = tmp_path / "model"
    model.mkdir()
    added = [special(258, "<|im_end|>"), special(259, "<x>")]
    (model / "tokenizer.json").write_text(json.dumps(byte_level(added_tokens=added)))
    return model


def _kept(folder: Path) -> list[Path]:
    return sorted((folder.parent / "cache" / "vocabularies").glob("*"))


def test_the_same(folder: Path) -> None:
    first, second = (Vocabulary.from_tokenizer_json(folder) for _ in range(2))
    assert len(_kept(folder)) == 1
    assert "tokens" not in vars(second)
    assert (first.tokens, first.eos, first.special) == (second.tokens, second.eos, second.special)
    assert (first.fingerprint, first.unspellable) == (second.fingerprint, second.unspellable)
    assert (first.size, first.max_token_bytes) == (second.size, second.max_token_bytes)
    assert first.encode("text 1é") == second.encode("text 1é")
    assert repr(first) == repr(second)
    for name, array in vars(first.trie).items():
        assert np.array_equal(array, getattr(second.trie, name)), name


def test_nothing_is_read_twice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Vocabulary.from_tokenizer_json(folder)
    monkeypatch.setattr(huggingface, "read_file", None)
    assert Vocabulary.from_tokenizer_json(folder).tokens == made.tokens


def test_what_it_depends_on(folder: Path) -> None:
    """Settings beside the tokenizer and what is asked for make another vocabulary."""
    made = Vocabulary.from_tokenizer_json(folder)
    assert Vocabulary.from_tokenizer_json(folder, eos=[1]).eos == {1}
    assert Vocabulary.from_tokenizer_json(folder, size=made.size + 40).size == made.size + 40
    (folder / "generation_config.json").write_text('{"eos_token_id": [3]}')
    assert 3 in Vocabulary.from_tokenizer_json(folder).eos
    assert len(_kept(folder)) == 4


@pytest.mark.parametrize("damage", [lambda d: d[:99], lambda d: d[:-9] + b"\1" + d[-8:]])
def test_damaged(folder: Path, damage: object) -> None:
    made = Vocabulary.from_tokenizer_json(folder)
    (path,) = _kept(folder)
    good = path.read_bytes()
    path.write_bytes(damage(good))
    assert Vocabulary.from_tokenizer_json(folder).fingerprint == made.fingerprint
    assert path.read_bytes() == good


def test_no_place_for_it(folder: Path) -> None:
    (folder.parent / "cache").write_text("not a folder")
    first, second = (Vocabulary.from_tokenizer_json(folder) for _ in range(2))
    assert first.fingerprint == second.fingerprint
