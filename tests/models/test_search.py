"""Searches against enumeration: a toy model in float64, and every split of every text (E1)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tercet
from tercet import Grammar, TercetError, compile, samplers
from tercet.models.model import Model
from tercet.samplers.closing import Closing
from tercet.samplers.paths import Paths, logprobs_of
from tercet.testing import scripted
from tests.models.conftest import byte_tokenizer, tiny_model
from tests.models.toys import Toy, constraint, vocabulary

PROMPT = "ab"
GRAMMARS: dict[str, Grammar[Any]] = {
    "words": Grammar.choice(["north", "northeast", "no", "kind", "ab"]),
    "list": Grammar.regex("[ab]{1,3}(,no)?"),
    "span": Grammar.substring("no north, kind north", unit="word"),
}
SEEDS = range(6)


def _all(toy: Toy, spec: Any, most: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Every sequence of at most so many tokens that is a text, with log P(it and an end)."""
    (end,) = vocabulary().eos
    waiting: list[tuple[tuple[int, ...], float, Any]] = [((), 0.0, spec.matcher())]
    while waiting:
        tokens, total, matcher = waiting.pop()
        logprobs = logprobs_of(toy.scores_after([*toy.encode(PROMPT), *tokens]))
        for token in np.flatnonzero(matcher.mask()).tolist():
            if token == end:
                yield tokens, total + float(logprobs[end])
            elif len(tokens) < most:
                after = matcher.fork()
                after.advance(token)
                waiting.append(((*tokens, token), total + float(logprobs[token]), after))


def _by_text(found: list[tuple[tuple[int, ...], float]], join: Any) -> dict[str, float]:
    texts: dict[str, float] = {}
    for tokens, logprob in found:
        text = vocabulary().decode(tokens).decode()
        texts[text] = join(texts.get(text, -math.inf), logprob)
    return texts


@pytest.mark.parametrize("name", GRAMMARS)
@pytest.mark.parametrize("most", [3, 14])
def test_argmax_is_the_best_of_all(name: str, most: int) -> None:
    spec = compile(GRAMMARS[name], vocabulary())
    for seed in SEEDS:
        toy = Toy(seed)
        texts = _by_text(list(_all(toy, spec, most)), max)
        best = sorted(texts.items(), key=lambda entry: -entry[1])
        for k in (1, 3, 10_000):
            found = samplers.argmax(Model(toy), PROMPT, spec, k, max_tokens=most)
            assert found.exact
            assert found.gap == 0
            assert [one.text for one in found.answers] == [text for text, _ in best[:k]]
            for one, (_, logprob) in zip(found.answers, best, strict=False):
                assert one.logprob == pytest.approx(logprob, abs=1e-9)
                assert one.value in GRAMMARS[name]


def test_greedy_is_not_the_best() -> None:
    """The negative control: the mask alone misses the optimum."""
    missed = 0
    for seed in range(20):
        model = Model(Toy(seed))
        spec = compile(GRAMMARS["list"], vocabulary())
        greedy = model.complete(PROMPT, spec, sampler=samplers.masked())
        missed += greedy.text != samplers.argmax(model, PROMPT, spec).best.text
    assert missed > 3


def test_a_search_that_is_given_up_says_by_how_much_it_may_be_wrong() -> None:
    gaps, spec = 0, compile(GRAMMARS["list"], vocabulary())
    for seed in range(6):
        model = Model(Toy(seed, spread=0.5))
        best = samplers.argmax(model, PROMPT, spec, max_calls=20_000)
        for calls in (2, 8, 30):
            found = samplers.argmax(model, PROMPT, spec, max_calls=calls)
            assert found.calls <= calls
            assert found.exact == (found.gap == 0)
            if found.answers:
                assert found.best.logprob <= best.best.logprob + 1e-9
                assert best.best.logprob <= found.best.logprob + found.gap + 1e-9
            gaps += not found.exact
    assert gaps
    nothing = samplers.argmax(model, PROMPT, spec, max_calls=1)
    assert (nothing.answers, nothing.exact, nothing.gap) == ([], False, math.inf)
    with pytest.raises(TercetError, match="no text was whole after 1 run"):
        _ = nothing.best


@pytest.mark.parametrize("name", GRAMMARS)
def test_a_wide_beam_is_the_argmax_and_a_narrow_one_is_not(name: str) -> None:
    spec, missed = compile(GRAMMARS[name], vocabulary()), 0
    for seed in range(12):
        model = Model(Toy(seed))
        best = samplers.argmax(model, PROMPT, spec, max_tokens=14).best
        wide = model.complete(PROMPT, spec, sampler=samplers.beam(4000), max_tokens=14)
        assert tuple(wide.tokens) == tuple(best.tokens)
        assert wide.logprob == pytest.approx(best.logprob, abs=1e-9)
        narrow = [
            model.complete(PROMPT, spec, sampler=samplers.beam(width), max_tokens=14)
            for width in (1, 2, 4)
        ]
        assert all(one.logprob <= best.logprob + 1e-9 for one in narrow)
        missed += narrow[0].text != best.text
    assert missed


def test_beams_close_within_the_limit() -> None:
    least = Closing(constraint().matcher(), vocabulary()).shortest
    assert least
    for seed in range(6):
        model = Model(Toy(seed))
        for most in (least, least + 1, least + 8):
            answer = model.complete(PROMPT, constraint(), sampler=samplers.beam(3), max_tokens=most)
            assert answer.finish in ("stop", "closed")
            assert len(answer.tokens) <= most
            assert answer.text in constraint().grammar
        cut = model.complete(
            PROMPT, constraint(), sampler=samplers.beam(3), max_tokens=3, close=False
        )
        assert (cut.finish, len(cut.tokens)) == ("length", 3)


def test_beams_in_batches_and_streams() -> None:
    model = Model(Toy(2))
    one = [model(prompt, constraint(), sampler=samplers.beam(3)) for prompt in ("ab", "no")]
    assert model.batch(["ab", "no"], constraint(), sampler=samplers.beam(3)) == one
    stream = model.stream("ab", constraint(), sampler=samplers.beam(3))
    assert [snapshot.text for snapshot in stream] == [stream.complete().text]
    assert scripted("blue").complete("?", bool, sampler=samplers.beam(2)).scores
    with pytest.raises(TercetError):
        samplers.beam(0)


OPTIONS = ["north", "northeast", "no", "ki", "ab"]


@pytest.mark.parametrize("seed", SEEDS)
def test_choice_logprobs(seed: int) -> None:
    """Canonical splits one by one, and all splits summed; together the mass of the closed set."""
    toy, spec = Toy(seed), compile(Grammar.choice(OPTIONS), vocabulary())
    every = list(_all(toy, spec, 40))
    sums, of_split = _by_text(every, np.logaddexp), dict(every)
    found = samplers.choice_logprobs(toy, PROMPT, OPTIONS)
    for option, logprob in zip(OPTIONS, found.logprobs, strict=True):
        assert logprob == pytest.approx(of_split[tuple(vocabulary().encode(option))], abs=1e-9)
    assert found.calls <= len(OPTIONS)
    whole = samplers.choice_logprobs(Model(toy), PROMPT, OPTIONS, marginalize="all", max_calls=9999)
    mass = sum(math.exp(logprob) for _, logprob in every)
    for option, logprob in zip(OPTIONS, whole.logprobs, strict=True):
        assert 0 <= math.exp(sums[option]) - math.exp(logprob) <= whole.missing + 1e-12
    found_mass = sum(math.exp(one) for one in whole.logprobs)
    assert mass - found_mass <= whole.missing + 1e-9 * mass
    assert whole.missing <= 2e-6 * mass
    assert min(whole.logprobs) > -math.inf
    assert sum(whole.shares) == pytest.approx(1, abs=1e-9)
    assert whole.best == max(sums, key=sums.__getitem__)


def test_one_split_is_not_the_probability_of_a_text() -> None:
    """The negative control, with a model that isn't sure how to split."""
    toy = Toy(1, spread=0.5)
    one = samplers.choice_logprobs(toy, PROMPT, OPTIONS)
    every = samplers.choice_logprobs(toy, PROMPT, OPTIONS, marginalize="all")
    assert max(b - a for a, b in zip(one.logprobs, every.logprobs, strict=True)) > 1e-3


def test_choices_that_make_no_sense() -> None:
    for options, message in ([], "at least one option"), (["a", "a"], "given twice"):
        with pytest.raises(TercetError, match=message):
            samplers.choice_logprobs(Toy(), PROMPT, options)
    with pytest.raises(TercetError, match="can't marginalize"):
        samplers.choice_logprobs(Toy(), PROMPT, ["a"], marginalize="some")  # type: ignore[arg-type]
    with pytest.raises(TercetError, match="can't be searched"):
        samplers.choice_logprobs(scripted("a"), PROMPT, ["a"])
    with pytest.raises(TercetError, match="the model reads 3"):
        samplers.argmax(Toy(context_size=3), "abab, no, no", bool)


@pytest.mark.usefixtures("_one_thread")
def test_paths_in_a_real_cache() -> None:
    """Jumping between continuations gives what reading each anew gives."""
    model = tercet.load((tiny_model(max_position_embeddings=128).double(), byte_tokenizer()))
    prompt, rng = model.network.encode("a prompt"), np.random.default_rng(1)
    paths = Paths(model.network, prompt)
    for _ in range(40):
        path = rng.integers(97, 99, rng.integers(0, 6)).tolist()
        ahead = rng.integers(97, 99, rng.integers(0, 4)).tolist()
        for place, found in enumerate(paths.after(path, ahead)):
            text = [*prompt, *path, *ahead[:place]]
            anew = logprobs_of(model.network.open([text]).scores()[0][: len(found)])
            assert np.abs(found - anew).max() < 1e-9


@pytest.mark.usefixtures("_one_thread")
def test_a_beam_over_a_real_cache() -> None:
    model = tercet.load((tiny_model(max_position_embeddings=128).double(), byte_tokenizer()))
    spec = compile(Grammar.regex("[ab]{2,4}c?"), model.vocabulary)
    best = samplers.argmax(model, "a prompt", spec).best
    assert model.complete("a prompt", spec, sampler=samplers.beam(99)).tokens == best.tokens
