"""Drafts change how fast a text comes and never what it says; and what can go wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tercet
from tercet import Grammar, TercetError, compile, samplers
from tercet.models.model import Model
from tercet.samplers import drafts
from tercet.samplers.assembling import Assembler
from tercet.samplers.choosing import Rule
from tercet.samplers.network import Row
from tercet.samplers.pace import Pace
from tercet.testing import hostile_vocabulary, scripted
from tests.models.conftest import byte_tokenizer, tiny_model
from tests.models.toys import Toy, constraint, vocabulary

PROMPT = 'Say {"kind":"north","tags":["ab","a"]} or the like.'
DRAFTERS: dict[str, Any] = {
    "forced": drafts.Forced,
    "choices": drafts.Choices,
    "habits": drafts.Habits,
    "repeats": drafts.Repeats,
    "recycled": drafts.Recycled,
    "past": lambda: drafts.Past(['{"kind":"south","tags":["ab","ab"]}', '{"kind":"so"']),
    "model": lambda: drafts.DraftModel(Toy(99), length=3),
    "garbage": lambda: Fixed([5, 9], 3),
}
WHITESPACE = ("compact", "bounded")


class Fixed(drafts.Guesser):
    """Always guesses the same tokens, at all places or at the beginning only."""

    name = "fixed"

    def __init__(self, tokens: list[int], times: int | None = None, kind: str = "fixed") -> None:
        self._tokens, self._times, self._kind = tokens, times, kind

    def start(self, row: Row, vocabulary: Any, rule: Rule) -> Fixed:
        return self

    def guess(self, tip: drafts.Tip) -> drafts.Guess | None:
        if self._times is not None and len(tip.draft) >= self._times:
            return None
        return drafts.Guess(self._tokens, self._kind, 0.5)


def _limit(temperature: float) -> dict[str, Any]:
    return {"max_tokens": 40, "temperature": temperature}


@pytest.mark.parametrize("temperature", [0.0, 0.7, 1.0])
@pytest.mark.parametrize("name", [*DRAFTERS, "all"])
def test_drafted_is_undrafted(name: str, temperature: float) -> None:
    """C1; `python -m tests.models.speculation_check` runs the thousand seeds."""
    assert differences(name, temperature, range(12)) == 0


def differences(name: str, temperature: float, seeds: range, mode: Any = "exact") -> int:
    """How many texts differ from the undrafted ones."""
    made = [make() for make in DRAFTERS.values()] if name == "all" else [DRAFTERS[name]()]
    drafted = samplers.speculative(drafts=made, budget=6, mode=mode)
    differing = 0
    for seed in seeds:
        model = Model(Toy(seed % 4))
        spec = constraint(WHITESPACE[seed % 2])
        options: dict[str, Any] = {"temperature": temperature, "seed": seed}
        plain = model.complete(PROMPT, spec, max_tokens=40, sampler=samplers.masked(**options))
        quick = model.complete(PROMPT, spec, max_tokens=40, sampler=drafted.with_options(**options))
        differing += (plain.tokens, plain.finish) != (quick.tokens, quick.finish)
        assert quick.stats.steps == plain.stats.steps or mode == "insert"
    return differing


def test_unchecked_drafts_would_differ() -> None:
    """C1's negative control: forced tokens that are inserted without asking."""
    assert differences("forced", 1.0, range(12), mode="insert") > 0


def test_fewer_forwards() -> None:
    model = Model(Toy(3, spread=4.0))
    sampler = samplers.speculative(budget=6)
    for _ in range(2):
        answer = model.complete(PROMPT, constraint(), sampler=sampler, max_tokens=60)
    assert answer.stats.forwards < answer.stats.steps / 2
    assert answer.stats.tokens_per_forward > 2
    # each forward gives one token that nobody drafted, but for a draft that ends the text
    beyond = sum(answer.stats.accepted.values()) + answer.stats.forwards - answer.stats.steps
    assert beyond in (0, 1)
    assert all(answer.stats.accepted[name] <= count for name, count in answer.stats.drafted.items())


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_batches_whose_rows_accept_differently(temperature: float) -> None:
    model, prompts = Model(Toy(1)), [PROMPT, "ab", "no, south", PROMPT + "ab"]
    options: dict[str, Any] = {"temperature": temperature, "seed": 4}
    plain = model.batch(prompts, constraint(), sampler=samplers.masked(**options))
    for size in (1, 3, 4):
        sampler = samplers.speculative(budget=5, **options)
        assert model.batch(prompts, constraint(), sampler=sampler, batch_size=size) == plain


class Scripted(Rule):
    """Chooses along a script, then the first; notes what it could have chosen."""

    def follow(self, script: list[int]) -> None:
        object.__setattr__(self, "left", list(script))
        object.__setattr__(self, "met", [])

    def choose(self, scores: Any, ids: Any, place: Any, *, fits: Any = None) -> int:
        left: list[int] = self.left  # type: ignore[attr-defined]
        index = left.pop(0) if left else 0
        self.met.append((index, [self.probability(scores, i) for i in range(len(ids))]))  # type: ignore[attr-defined]
        return int(ids[index])


def _every_way(sampler: Any, spec: Any) -> Iterator[tuple[float, Any]]:
    """All completions that chance could lead to, with their probabilities, by enumeration."""
    model, waiting = Model(Toy(7)), [[]]
    rule = Scripted(1.0, 1.0, 0)
    while waiting:
        script = waiting.pop()
        rule.follow(script)
        answer = model.complete(
            "ab", spec, max_tokens=9, sampler=replace(sampler, rule=rule, pace=Pace(4))
        )
        met: list[tuple[int, list[float]]] = rule.met  # type: ignore[attr-defined]
        yield float(np.prod([shares[index] for index, shares in met])), answer
        for depth in range(len(script), len(met)):
            indices = [index for index, _ in met[:depth]]
            waiting += [[*indices, other] for other in range(1, len(met[depth][1]))]


WORD = Grammar.regex("north(ea|)")


def test_expected_acceptance_is_the_probability_of_the_draft() -> None:
    """C2: nothing lossless accepts more."""
    spec, encode = compile(WORD, vocabulary()), vocabulary().encode
    draft = encode("no") + encode("rt")
    sampler = samplers.speculative(drafts=[Fixed(draft, 2)], budget=4)
    accepted = total = 0.0
    for probability, answer in _every_way(sampler, spec):
        total += probability
        accepted += probability * _taken(answer.tokens, draft)
    matcher, text, expected, reach = spec.matcher(), Toy(7).encode("ab"), 0.0, 1.0
    for token in draft:
        ids = np.flatnonzero(matcher.mask())
        scores = Toy(7).scores_after(text)[ids]
        reach *= Rule(1.0, 1.0, 0).probability(scores, int(ids.searchsorted(token)))
        expected += reach
        matcher.advance(token)
        text.append(token)
    assert total == pytest.approx(1, abs=1e-9)
    assert accepted == pytest.approx(expected, abs=1e-9)


def _taken(tokens: list[int], draft: list[int]) -> int:
    same = [ours == theirs for ours, theirs in zip(tokens, draft, strict=False)]
    return same.index(False) if False in same else len(same)


def test_distortion_of_insertion() -> None:
    """C3: the total variation is one minus the probability of the inserted split, exactly."""
    spec = compile(WORD, vocabulary())
    split = vocabulary().encode("no") + vocabulary().encode("rt")
    source = Fixed(split, 2, drafts.forced.KIND)
    laws = []
    for mode in ("exact", "insert"):
        law: dict[tuple[Any, ...], float] = {}
        distortions = {}
        sampler = samplers.speculative(drafts=[_Once(source)], mode=mode, budget=4)
        for probability, answer in _every_way(sampler, spec):
            key = (*answer.tokens, answer.finish)
            law[key] = law.get(key, 0.0) + probability
            distortions[key] = answer.stats.distortion
        laws.append(law)
    exact, inserted = laws
    variation = (
        sum(abs(exact.get(key, 0.0) - inserted.get(key, 0.0)) for key in exact | inserted) / 2
    )
    (distortion,) = set(distortions.values())
    assert sum(exact.values()) == pytest.approx(1, abs=1e-9)
    assert variation == pytest.approx(distortion, abs=1e-9)
    assert 0.01 < distortion < 1


class _Once(Fixed):
    """Guesses at the very beginning only."""

    def __init__(self, inner: Fixed) -> None:
        super().__init__(inner._tokens, 2, inner._kind)

    def start(self, row: Row, vocabulary: Any, rule: Rule) -> Fixed:
        self._row = row
        return self

    def guess(self, tip: drafts.Tip) -> drafts.Guess | None:
        return None if self._row.tokens else super().guess(tip)


def test_masks_of_a_draft_are_those_of_a_replay() -> None:
    """C4; and the matcher stands where it stood."""
    model = Model(Toy(2))
    answer = model.complete(PROMPT, constraint(), max_tokens=60)
    text = [*Toy(2).encode(PROMPT), *answer.tokens]
    for kept in range(len(answer.tokens) - 1):
        row = Row(text[: len(text) - len(answer.tokens)], constraint().matcher(), 60)
        assembler = Assembler(row, vocabulary(), Rule(0, 1, 0), drafters=drafts.standard())
        for token in answer.tokens[:kept]:
            row.matcher.advance(token)
        row.tokens += answer.tokens[:kept]
        assembler.wrote(answer.tokens[:kept])
        draft = assembler.draft(Pace(5), 1)
        assert row.matcher.tokens == row.tokens
        replayed = row.matcher.fork()
        for place, ids in enumerate(draft.allowed):
            assert ids.tolist() == np.flatnonzero(replayed.mask()).tolist()
            if place < len(draft.tokens):
                replayed.advance(draft.tokens[place])


def test_the_end_is_never_drafted() -> None:
    (end,) = vocabulary().eos
    spec = compile(Grammar.regex("(ab)*"), vocabulary())
    (ab,) = vocabulary().encode("ab")
    for seed in range(20):
        model = Model(Toy(seed))
        plain = model.complete("a", spec, max_tokens=12, sampler=samplers.masked())
        for guess in ([end], [ab, end, ab], [ab, ab, end]):
            sampler = samplers.speculative(drafts=[Fixed(guess)], budget=5)
            answer = model.complete("a", spec, max_tokens=12, sampler=sampler)
            assert (answer.tokens, answer.finish) == (plain.tokens, plain.finish)
            assert end not in answer.tokens


@pytest.mark.parametrize("most", [1, 2, 3, 7, 8])
def test_limits_inside_a_draft(most: int) -> None:
    for seed in range(8):
        model = Model(Toy(seed))
        plain = model.complete(PROMPT, constraint(), max_tokens=most, sampler=samplers.masked())
        quick = model.complete(PROMPT, constraint(), max_tokens=most)
        assert (quick.tokens, quick.finish) == (plain.tokens, plain.finish)


def test_cancelled_in_the_middle_of_a_draft() -> None:
    model = Model(Toy(3, spread=4.0))
    whole = model.complete(PROMPT, constraint(), max_tokens=60)
    stream = model.stream(PROMPT, constraint(), max_tokens=60)
    next(iter(stream))
    del stream
    assert model.complete(PROMPT, constraint(), max_tokens=60).tokens == whole.tokens


def test_draft_model_of_another_tokenizer() -> None:
    class Other(Toy):
        def __init__(self) -> None:
            super().__init__()
            self.vocabulary = hostile_vocabulary()

    sampler = samplers.speculative(drafts=[drafts.DraftModel(Other())])
    with pytest.raises(TercetError, match="another tokenizer"):
        Model(Toy())(PROMPT, constraint(), sampler=sampler)
    with pytest.raises(TercetError, match="can't draft"):
        drafts.DraftModel(scripted("a"))


def test_the_same_draft_model_is_always_right() -> None:
    """Shared noise: a drafter that is the model itself proposes just what it will choose."""
    for temperature in (0.0, 1.0):
        sampler = samplers.speculative(
            drafts=[drafts.DraftModel(Toy(5))], budget=4, temperature=temperature, seed=1
        )
        stats = Model(Toy(5)).complete(PROMPT, constraint(), sampler=sampler, close=False).stats
        assert stats.accepted == stats.drafted
        assert stats.tokens_per_forward > 3


def test_past_outputs_of_another_tokenizer() -> None:
    past = drafts.Past(["ab"])
    Model(Toy())(PROMPT, constraint(), sampler=samplers.speculative(drafts=[past]))
    with pytest.raises(TercetError, match="another tokenizer"):
        past.start(Row([1], constraint().matcher(), 3), hostile_vocabulary(), Rule(0, 1, 0))
    with pytest.raises(TercetError, match="can't be split"):
        drafts.Past(["a"]).start(
            Row([1], constraint().matcher(), 3), hostile_vocabulary(), Rule(0, 1, 0)
        )


@pytest.mark.parametrize("options", [{"mode": "fast"}, {"budget": -1}, {"temperature": -1}])
def test_bad_options(options: dict[str, Any]) -> None:
    with pytest.raises(TercetError):
        samplers.speculative(**options)


def test_networks_that_take_no_drafts_are_decoded_plainly() -> None:
    answer = scripted("42").complete("?", int, sampler=samplers.speculative())
    assert (answer.value, answer.stats.drafted) == (42, {})


def test_log_probabilities_come_from_a_second_look() -> None:
    toy = Toy(1)
    answer = Model(toy).complete(PROMPT, constraint(), max_tokens=60)
    text, matcher = toy.encode(PROMPT), constraint().matcher()
    for token, step in zip(answer.tokens, answer.scores, strict=False):
        shares = np.exp(toy.scores_after(text))
        shares /= shares.sum()
        assert step.logprob == pytest.approx(np.log(shares[token]))
        assert step.mass == pytest.approx(shares[matcher.mask()].sum())
        matcher.advance(token)
        text.append(token)
    assert answer.logprob == pytest.approx(sum(answer.logprobs))
    assert len(answer.scores) - len(answer.tokens) in (0, 1)


def test_pace_learns_what_pays() -> None:
    pace = Pace()
    dear = Pace()
    for _ in range(50):
        for tokens in (0, 4, 8):
            pace.took(tokens, 1 + 0.01 * tokens)
            dear.took(tokens, 1 + 0.9 * tokens)
    assert pace.slope < 0.03 < 0.2 < dear.slope
    assert pace.jump < 1.1 < 2 < dear.jump
    assert pace.pays(8, 4.0, 0.3, 1)
    assert pace.worth(8, 2.0, 1)
    assert not dear.worth(1, 0.3, 1)
    assert dear.worth(0, 0.0, 1)
    guess = drafts.Guess([1], "kind", 0.9)
    assert pace.chance(guess) == pytest.approx(0.9)
    for _ in range(100):
        pace.count("kind", came_true=False)
    assert pace.chance(guess) < 0.1


@pytest.mark.usefixtures("_one_thread")
@pytest.mark.parametrize("sliding", [False, True])
@pytest.mark.parametrize("options", [{}, {"temperature": 1.0, "seed": 3}])
def test_transformers_caches(sliding: bool, options: dict[str, Any]) -> None:
    """Real attention in float64: rollback, holes in a batch, a window shorter than the text."""
    body = (_gemma() if sliding else tiny_model(max_position_embeddings=256)).double()
    model = tercet.load((body, byte_tokenizer()))
    spec = compile(
        Grammar.regex('\\{"name": ?"[ab]{1,9}", ?"name": ?"[ab]{20,30}"(, ?"abc": true)?\\}'),
        model.vocabulary,
    )
    prompts = ['{"name": "abbaabbaab"', "?", 'A list of "ab", ab.']
    plain = model.batch(prompts, spec, sampler=samplers.masked(**options))
    for sampler in (
        samplers.speculative(budget=5, **options),
        samplers.speculative(drafts=[Fixed([97]), drafts.Repeats()], budget=3, **options),
    ):
        assert model.batch(prompts, spec, sampler=sampler) == plain
        assert model.batch(prompts, spec, sampler=sampler, batch_size=1) == plain
        assert model.batch(prompts, spec, sampler=sampler, batch_size=2) == plain
    assert model.batch(prompts, spec, sampler=samplers.masked(**options), batch_size=2) == plain
    stats = model.complete(prompts[0], spec, **options).stats
    assert stats.accepted
    assert stats.tokens_per_forward > 1.2


def _gemma() -> Any:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(5)
    return transformers.Gemma3ForCausalLM(
        transformers.Gemma3TextConfig(
            vocab_size=260,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=8,
            sliding_window=12,
            layer_types=["sliding_attention", "full_attention"],
            max_position_embeddings=256,
            bos_token_id=256,
            eos_token_id=257,
            pad_token_id=258,
        )
    ).eval()


def test_heads_that_are_more_than_a_matrix_are_left_alone() -> None:
    from tercet.models.transformers_head import separate_head

    transformers = pytest.importorskip("transformers")
    assert separate_head(tiny_model()) is not None
    scaled = transformers.CohereForCausalLM(
        transformers.CohereConfig(
            vocab_size=260,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=1,
            num_attention_heads=4,
            num_key_value_heads=2,
            pad_token_id=0,
            bos_token_id=1,
            eos_token_id=2,
            logit_scale=0.25,
        )
    ).eval()
    assert separate_head(scaled) is None
