"""Every case of `tests/data` with every engine and vocabulary, cut into tokens in every way."""

from __future__ import annotations

import random
import zlib
from functools import cache, lru_cache
from typing import Any

import pytest

from tercet.engines.select import recognizer
from tercet.errors import UnsatisfiableError
from tercet.grammar.nodes import Language
from tests.differential import specs, views
from tests.differential.cases import Case, all_cases, working_cases
from tests.differential.vocabularies import NAMES, vocabulary

CUTS = 3  # random ways of cutting each text
MASKS = {"bytes": 20, "toy": 20, "real": 2}  # masks compared for each case
EVERY = [pytest.param(case, id=case.id) for case in working_cases()]


@lru_cache(24)
def language_of(case: Case) -> Language:
    return specs.language(case)


@lru_cache(24)
def built(case: Case, name: str, engine: str) -> Any:
    try:
        return recognizer(language_of(case), vocabulary(name), engine=engine)
    except UnsatisfiableError:
        return None


def engine_for(case: Case, name: str, engine: str) -> Any:
    """The engine, or a skip where both say that the vocabulary can't write any text."""
    if engine == "reference" and name == "real":
        pytest.skip("to the reference, a vocabulary that spells every byte is like bytes")
    found = built(case, name, engine)
    if found is None or (not found.start() and engine == "reference"):
        assert not any(views.spellable(vocabulary(name), text.encode()) for text in case.accept)
        assert built(case, name, "fast") is None
        assert not built(case, name, "reference").start()
        pytest.skip("this vocabulary can't write any text of the language")
    return found


@cache
def chunker_for(name: str) -> views.Chunker:
    return views.Chunker.of(vocabulary(name))


def rng_for(case: Case, name: str) -> random.Random:
    return random.Random(zlib.crc32(f"{case.id} {name}".encode()))


def texts_of(case: Case, name: str) -> list[tuple[bytes, bool]]:
    """Each text with whether it must be accepted; what can't be spelled is rejected."""
    words = vocabulary(name)
    good = [(t.encode(), views.spellable(words, t.encode())) for t in case.accept]
    return good + [(t.encode(), False) for t in (*case.reject, *case.depart)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", EVERY)
def test_texts_byte_by_byte(case: Case, name: str, engine: str) -> None:
    automaton = engine_for(case, name, engine)
    found = {data: views.accepts(automaton, data) for data, _ in texts_of(case, name)}
    assert found == dict(texts_of(case, name))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", EVERY)
def test_texts_cut_into_tokens(case: Case, name: str, engine: str) -> None:
    automaton, rng = engine_for(case, name, engine), rng_for(case, name)
    chunker = chunker_for(name)
    for data, wanted in texts_of(case, name):
        for _ in range(CUTS):
            tokens = chunker.cut(data, rng)
            if tokens is None:
                continue
            states = list(views.states_along(automaton, tokens))
            accepted = len(states) == len(tokens) + 1 and automaton.is_accepting(states[-1])
            assert accepted == wanted, (data, [vocabulary(name).tokens[t] for t in tokens])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", EVERY)
def test_masks(case: Case, name: str, engine: str) -> None:
    """The mask is what the reference says, and by definition what `advance` takes."""
    words, rng = vocabulary(name), rng_for(case, name)
    automaton, judge = engine_for(case, name, engine), built(case, name, "reference")
    chunker = chunker_for(name)
    runs = [chunker.cut(data, rng) or [] for data, _ in texts_of(case, name)]
    places = [tokens[:n] for tokens in runs for n in range(len(tokens) + 1)]
    for tokens in rng.sample(places, min(len(places), MASKS[name])):
        states = list(views.states_along(automaton, tokens))
        assert len(states) == len(list(views.states_along(judge, tokens))), tokens
        if len(states) == len(tokens) + 1:
            check_mask(automaton, judge, words, tokens, exhaustively=name != "real")


def check_mask(
    automaton: Any, judge: Any, words: Any, tokens: list[int], exhaustively: bool
) -> None:
    *_, state = views.states_along(automaton, tokens)
    *_, judged = views.states_along(judge, tokens)
    after = words.decode(tokens)
    mask = views.mask_of(automaton, words, state)
    views.assert_same_mask(words, views.mask_of(judge, words, judged), mask, after)
    assert automaton.is_accepting(state) == judge.is_accepting(judged)
    assert automaton.is_finished(state) == judge.is_finished(judged)
    assert mask & words.eos == (words.eos if automaton.is_accepting(state) else frozenset())
    assert sorted(automaton.live_bytes(state)) == judge.live_bytes(judged), after
    if exhaustively:
        views.assert_same_mask(words, views.brute_force(automaton, words, state), mask, after)


@pytest.mark.parametrize("case", [p for p in EVERY if p.values[0].next])
def test_bytes_that_may_follow(case: Case, engine: str) -> None:
    automaton = engine_for(case, "bytes", engine)
    for item in case.next:
        state = views.follow(automaton, item["after"].encode())
        assert state is not None, item
        live = {f"{byte:02x}" for byte in automaton.live_bytes(state)}
        assert live == set(item.get("bytes", live)), item
        assert live >= set(item.get("any", ())), item
        assert not live & set(item.get("none", ())), item


@pytest.mark.parametrize("case", [p for p in EVERY if p.values[0].forced])
def test_bytes_without_a_choice(case: Case, engine: str) -> None:
    automaton = engine_for(case, "bytes", engine)
    for item in case.forced:
        state = views.follow(automaton, item["after"].encode())
        assert views.forced_bytes(automaton, state).decode() == item["text"]


@pytest.mark.parametrize("case", [pytest.param(c, id=c.id) for c in all_cases() if c.raises])
def test_refusals(case: Case) -> None:
    with pytest.raises(specs.error_class(case.raises)) as caught:
        specs.compiled(case, vocabulary("bytes"))
    assert case.error in str(caught.value)
    if case.pointer is not None:
        assert getattr(caught.value, "pointer", None) == case.pointer


@pytest.mark.parametrize("case", EVERY)
def test_outside_judge_agrees(case: Case) -> None:
    """`re` and `jsonschema` must agree with the lists: the cases are checked too."""
    if case.judge == "none":
        return
    judge = specs.judge_of(case)
    wrong = [text for text in (*case.accept, *case.depart) if not judge(text)]
    wrong += [text for text in case.reject if judge(text)]
    assert not wrong
