"""The logits processor by itself: where prompts end, what rows get, what is remembered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tercet import Grammar, TercetError, compile
from tercet.processor import ConstraintProcessor, PrefixStates
from tercet.testing import byte_vocabulary

torch = pytest.importorskip("torch")
EOS, PAD = 256, 0


def _processor(pattern: str = "ab+c|xyz") -> ConstraintProcessor:
    return compile(Grammar.regex(pattern), byte_vocabulary()).processor()


def _allowed(processor: ConstraintProcessor, *rows: str | list[int]) -> list[str]:
    """What may follow each row: text, with "$" for the end."""
    ids = torch.tensor([list(row.encode()) if isinstance(row, str) else row for row in rows])
    scores = torch.randn(len(rows), 260)
    before = scores.clone()
    masked = processor(ids, scores)
    assert torch.equal(scores, before), "wrote into the scores"
    assert masked is not scores
    finite = torch.isfinite(masked)
    assert torch.equal(masked[finite], scores[finite])
    return ["".join("$" if t == EOS else chr(t) for t in np.flatnonzero(row)) for row in finite]


def test_follows_each_row() -> None:
    processor = _processor()
    assert _allowed(processor, "P", "Q") == ["ax", "ax"]
    assert _allowed(processor, "Pa", "Qx") == ["b", "y"]
    assert _allowed(processor, "Pab", "Qxy") == ["bc", "z"]


def test_rows_may_trade_places() -> None:
    processor = _processor()
    _allowed(processor, "P", "P")
    _allowed(processor, "Pa", "Px")
    assert _allowed(processor, "Pxy", "Pab") == ["z", "bc"]
    assert _allowed(processor, "Pabb", "Pabc") == ["bc", "$"]


def test_drafts_run_ahead_and_come_back() -> None:
    processor = _processor()
    for text, expected in [
        ("P", "ax"), ("P", "ax"), ("Pa", "b"), ("Pab", "bc"), ("Pabb", "bc"), ("Pabbb", "bc"),
        ("Pa", "b"), ("Pab", "bc"), ("Pabc", "$"), ("Pab", "bc"), ("Pabb", "bc"),
    ]:  # fmt: skip
        assert _allowed(processor, text) == [expected]


def test_rows_that_are_not_allowed_may_only_end() -> None:
    processor = _processor()
    _allowed(processor, "P")
    _allowed(processor, "Pa")
    assert _allowed(processor, "Paz") == ["$"]
    assert _allowed(processor, "Pazb") == ["$"]
    assert _allowed(processor, "Pab") == ["bc"]


def test_rows_that_have_ended_are_padded() -> None:
    processor = _processor()
    text, longer = list(b"Pabc"), list(b"Pabbc")
    for length in range(1, 5):
        _allowed(processor, text[:length], longer[:length])
    assert _allowed(processor, [*text, EOS], longer) == ["$", "$"]
    assert _allowed(processor, [*text, EOS, PAD], [*longer, EOS]) == ["$", "$"]
    assert _allowed(processor, [*text, EOS, PAD, PAD], [*longer, EOS, PAD]) == ["$", "$"]


def test_new_generate_with_another_prompt() -> None:
    processor = _processor()
    for prompts in (["P"], ["Q"], ["longer"], ["R", "S"], ["P"], ["Px?"], ["zz"]):
        assert _allowed(processor, *prompts) == ["ax"] * len(prompts)
        assert _allowed(processor, *(p + "a" for p in prompts)) == ["b"] * len(prompts)


def test_new_generate_that_goes_on_with_the_conversation() -> None:
    processor = _processor()
    answer = list(b"Pabc")
    for length in range(1, 5):
        _allowed(processor, answer[:length])
    turn = [*answer, EOS, *b"\nQ"]
    assert _allowed(processor, turn) == ["ax"]
    assert _allowed(processor, [*turn, *b"a"]) == ["b"]


def test_a_part_of_an_answer_is_continued_unless_reset() -> None:
    processor = _processor()
    for text in ("P", "Pa"):
        _allowed(processor, text)
    assert _allowed(processor, "Pab") == ["bc"]
    processor.reset()
    assert _allowed(processor, "Pab") == ["ax"]


def test_prompts_of_embeddings_have_no_ids() -> None:
    processor = _processor()
    for _ in range(2):
        ids = torch.zeros((1, 0), dtype=torch.long)
        assert torch.isfinite(processor(ids, torch.zeros(1, 257)))[0, ord("a")]
        assert _allowed(processor, "a") == ["b"]
        assert _allowed(processor, "ab") == ["bc"]


def test_what_was_forgotten_is_made_again() -> None:
    processor = _processor("[ab]*c")
    for length in range(1, 1200):
        _allowed(processor, "P" + "ab" * (length // 2) + "a" * (length % 2))
    assert len(processor._states._known) <= 512
    processor.reset()
    _allowed(processor, "P")
    assert processor._states.at(np.array([*b"ab" * 300])) is not None


def test_memory_grows_with_the_rows() -> None:
    processor = _processor("[ab]*c")
    prompts = [f"{row:03}" for row in range(100)]
    for step in range(30):
        _allowed(processor, *(p + "ab"[row % 2] * step for row, p in enumerate(prompts)))
    assert processor._start == 3
    assert len(processor._states._known) <= 1600


def test_narrow_logits() -> None:
    with pytest.raises(TercetError, match="narrower than the vocabulary"):
        _processor()(torch.zeros((1, 1), dtype=torch.long), torch.zeros(1, 256))


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float64"])
def test_type_of_the_scores_stays(kind: str) -> None:
    scores = torch.zeros(1, 300, dtype=getattr(torch, kind))
    masked = _processor()(torch.zeros((1, 1), dtype=torch.long), scores)
    assert masked.dtype == scores.dtype
    assert torch.isfinite(masked).sum() == 2


def test_states_are_shared_by_content() -> None:
    states = PrefixStates(compile(Grammar.regex("ab+c"), byte_vocabulary()).matcher())

    def at(text: str) -> Any:
        return states.at(np.array(list(text.encode()), np.int64))

    assert at("ab") is at("ab")
    assert at("ab").text == b"ab"
    assert at("").text == b""
    assert at("b") is None
    assert at("bab") is None
