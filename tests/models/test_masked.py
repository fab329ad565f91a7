"""The plain sampler over a network that is a table: what it draws, and that it draws it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tercet import Constraint, Grammar, TercetError, compile, samplers
from tercet.models.model import Model
from tercet.samplers.choosing import nucleus
from tercet.samplers.growing import allowed_tokens
from tercet.samplers.network import Row
from tercet.samplers.scored import scored
from tercet.vocabulary.vocabulary import Vocabulary

TOKENS = [b"a", b"b", b"c", b"ab", b""]
PROBABILITIES = np.array([0.4, 0.2, 0.1, 0.05, 0.25])
VOCABULARY = Vocabulary.from_tokens(TOKENS, eos=4)


class Table:
    """The same probabilities after every text."""

    def __init__(self, scores: np.ndarray) -> None:
        self.vocabulary, self.context_size, self.scores_once = VOCABULARY, 100, scores
        self.forwards = 0

    def encode(self, prompt: Any) -> list[int]:
        return [0]

    def open(self, prompts: Sequence[Sequence[int]]) -> Table:
        self.rows = len(prompts)
        self.forwards += 1
        return self

    def scores(self) -> np.ndarray:
        return np.tile(self.scores_once.astype(np.float32), (self.rows, 1))

    def feed(self, tokens: Sequence[int]) -> None:
        assert len(tokens) == self.rows
        self.forwards += 1

    def keep(self, rows: Sequence[int]) -> None:
        self.rows = len(rows)


def _model(scores: np.ndarray | None = None) -> Model:
    return Model(Table(np.log(PROBABILITIES) if scores is None else scores))


def _constraint(pattern: str) -> Constraint[str]:
    return compile(Grammar.regex(pattern), VOCABULARY)


def test_draws_from_the_masked_distribution() -> None:
    constraint = _constraint("a|b|c|ab")
    texts = _model().batch(["?"] * 4000, constraint, temperature=1.0, seed=1, batch_size=4000)
    counts = Counter(texts)
    # the first token is a, b, c or ab; after a the end (0.25) and b (0.2) are left
    first = PROBABILITIES[:4] / PROBABILITIES[:4].sum()
    end = 0.25 / 0.45
    expected = {
        "a": first[0] * end,
        "b": first[1],
        "c": first[2],
        "ab": first[0] * (1 - end) + first[3],
    }
    for text, probability in expected.items():
        deviation = np.sqrt(4000 * probability * (1 - probability))
        assert abs(counts[text] - 4000 * probability) < 4 * deviation, (text, counts)


def test_temperature_sharpens() -> None:
    counts = Counter(
        _model().batch(["?"] * 2000, _constraint("a|b"), temperature=0.5, seed=2, batch_size=2000)
    )
    probability = 0.4**2 / (0.4**2 + 0.2**2)
    assert abs(counts["a"] / 2000 - probability) < 0.04


def test_a_seed_says_everything_whatever_the_batch() -> None:
    constraint = _constraint("[abc]{10}")
    together = _model().batch(["?"] * 6, constraint, temperature=1.0, seed=3, batch_size=6)
    apart = _model().batch(["?"] * 6, constraint, temperature=1.0, seed=3, batch_size=2)
    assert together == apart
    assert together[0] == _model()("?", constraint, temperature=1.0, seed=3)
    assert len(set(together)) > 1
    assert together != _model().batch(["?"] * 6, constraint, temperature=1.0, seed=4)


def test_a_drawn_seed_can_be_used_again() -> None:
    constraint = _constraint("[abc]{10}")
    completion = _model().complete("?", constraint, temperature=1.0)
    assert completion.text == _model()("?", constraint, temperature=1.0, seed=completion.stats.seed)


def test_greedy_takes_the_likeliest_allowed() -> None:
    completion = _model().complete("?", _constraint("[bc]{3}"))
    assert completion.text == "bbb"
    assert completion.logprob == pytest.approx(3 * np.log(0.2))


def test_logprob_counts_the_end() -> None:
    completion = _model().complete("?", _constraint("c|cb"))
    assert completion.text == "c"
    assert completion.logprob == pytest.approx(np.log(0.1) + np.log(0.25), rel=1e-5)


def test_no_forward_after_a_text_that_nothing_can_follow() -> None:
    model = _model()
    assert model("?", _constraint("b")) == "b"
    assert model._network.forwards == 1


def test_the_end_is_no_token_of_the_budget() -> None:
    assert _model()("?", _constraint("c|cb"), max_tokens=1) == "c"
    greedy = _model().complete("?", _constraint("a*"), max_tokens=3, close=False)
    assert (greedy.text, greedy.finish, len(greedy.tokens)) == ("aaa", "length", 3)


def test_top_p_is_cut_after_the_mask() -> None:
    counts = Counter(
        _model().batch(
            ["?"] * 500, _constraint("b|c"), temperature=1.0, top_p=0.6, seed=1, batch_size=500
        )
    )
    assert counts == {"b": 500}  # 2/3 of what the mask leaves


def test_nucleus_keeps_at_least_one() -> None:
    assert nucleus(np.array([0.0, -800.0]), 1e-9).tolist() == [True, False]


@pytest.mark.parametrize("temperature", [1e-300, 1e-9, 1e9])
def test_extreme_temperatures(temperature: float) -> None:
    assert _model()("?", _constraint("a|b"), temperature=temperature, seed=1) in ("a", "b")


def test_all_allowed_scores_may_be_minus_infinity() -> None:
    scores = np.array([0.0, -np.inf, -np.inf, 0, 0])
    for temperature in (0.0, 1.0):
        assert _model(scores)("?", _constraint("b|c"), temperature=temperature) in ("b", "c")


def test_not_a_number() -> None:
    scores = np.array([0.0, np.nan, 0, 0, 0])
    for temperature in (0.0, 1.0):
        with pytest.raises(TercetError, match="not numbers"):
            _model(scores)("?", _constraint("b|c"), temperature=temperature)


def test_narrow_and_wide_logits() -> None:
    wide = np.append(np.log(PROBABILITIES), [99.0, 99.0])
    assert _model(wide)("?", _constraint("b|c")) == "b"
    assert _model(wide)("?", _constraint("b|c"), temperature=1.0) in ("b", "c")
    with pytest.raises(TercetError, match="narrower than the vocabulary"):
        _model(np.zeros(4))("?", _constraint("b|c"))


@pytest.mark.parametrize(
    "options", [{"temperature": -1}, {"temperature": float("nan")}, {"top_p": 0}, {"top_p": 1.1}]
)
def test_bad_options(options: dict[str, float]) -> None:
    with pytest.raises(TercetError, match="can't be"):
        samplers.masked(**options)


def test_row_masks() -> None:
    row = Row([0], _constraint("ab?").matcher(), 10)
    assert allowed_tokens(row, VOCABULARY.size).tolist() == [0, 3]
    assert row.mask_seconds > 0


def test_figures_of_a_step() -> None:
    scores = np.log(PROBABILITIES).astype(np.float32) + 50
    step = scored(scores, np.array([1, 2]), 2)
    assert step.logprob == pytest.approx(np.log(0.1), rel=1e-5)
    assert step.mass == pytest.approx(0.3)
    assert [token for token, _, _ in step.wanted] == [0, 4, 1, 2, 3]
    assert [allowed for _, _, allowed in step.wanted] == [False, False, True, True, False]
