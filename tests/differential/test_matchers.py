"""Matchers through the public API: rollback, fork, EOS, forced tokens, refused tokens."""

from __future__ import annotations

import random
import zlib
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from tercet import TokenRejectedError, UnsatisfiableError
from tercet.constraint import Constraint
from tests.differential import specs, views
from tests.differential.cases import Case, working_cases
from tests.differential.vocabularies import vocabulary

STEPS = 12
EVERY = [pytest.param(case, id=case.id) for case in working_cases()]
PLACES = [("toy", "fast"), ("toy", "reference"), ("real", "fast")]


@lru_cache(32)
def constraint_for(case: Case, name: str, engine: str) -> Any:
    try:
        return Constraint(specs.grammar(case), vocabulary(name), engine=engine)
    except UnsatisfiableError:
        return None


@pytest.fixture(params=PLACES, ids="-".join)
def place(request: pytest.FixtureRequest) -> tuple[str, str]:
    chosen = request.config.getoption("--engine")
    if chosen not in ("both", request.param[1]):
        pytest.skip(f"only {chosen}")
    return request.param


@pytest.fixture(params=EVERY)
def walked(
    request: pytest.FixtureRequest, place: tuple[str, str]
) -> tuple[Any, Any, random.Random]:
    """A matcher after some random tokens, the masks before each of them, and a random generator."""
    case, rng = request.param, random.Random(zlib.crc32(request.param.id.encode()))
    constraint = constraint_for(case, *place)
    if constraint is None or not constraint.matcher().mask().any():
        pytest.skip("this vocabulary can't write any text of the language")
    matcher, masks = constraint.matcher(), []
    for _ in range(STEPS):
        masks.append(matcher.mask())
        takes = np.flatnonzero(masks[-1])
        token = int(takes[rng.randrange(len(takes))])
        if token in vocabulary(place[0]).eos:
            break
        matcher.advance(token)
    else:
        masks.append(matcher.mask())
    return matcher, masks, rng


def test_rollback_and_replay(walked: Any) -> None:
    matcher, masks, rng = walked
    tokens = matcher.tokens
    for _ in range(3):
        back = rng.randint(0, len(tokens))
        matcher.rollback(back)
        assert matcher.tokens == tokens[: len(tokens) - back]
        for at in range(len(tokens) - back, len(tokens)):
            assert (matcher.mask() == masks[at]).all()
            matcher.advance(tokens[at])
        assert (matcher.mask() == masks[-1]).all()


def test_forks_are_independent(walked: Any) -> None:
    matcher, masks, rng = walked
    tokens, twin = matcher.tokens, matcher.fork()
    twin.rollback(rng.randint(0, len(tokens)))
    assert matcher.tokens == tokens
    assert (matcher.mask() == masks[-1]).all()
    matcher.rollback(len(tokens))
    assert (twin.mask() == masks[len(twin.tokens)]).all()
    assert twin.accepts(tokens[len(twin.tokens) :]) == len(tokens) - len(twin.tokens)


def test_a_refused_token_changes_nothing(walked: Any) -> None:
    matcher, masks, rng = walked
    before = matcher.tokens
    refused = np.flatnonzero(~masks[-1])
    for token in rng.sample([-1, *refused.tolist(), len(masks[-1])], 5):
        assert matcher.accepts([token]) == 0
        with pytest.raises(TokenRejectedError) as caught:
            matcher.advance(token)
        assert caught.value.token == token
        assert matcher.tokens == before
    assert (matcher.mask() == masks[-1]).all()


def test_eos_ends_a_complete_text_and_only_that(walked: Any) -> None:
    matcher, masks, _ = walked
    eos = sorted(matcher._vocabulary.eos)
    assert masks[-1][eos].all() == masks[-1][eos].any() == matcher.is_accepting
    if not matcher.is_accepting:
        return
    text = matcher.text
    matcher.advance(eos[-1])
    assert matcher.is_finished
    assert matcher.text == text
    assert np.flatnonzero(matcher.mask()).tolist() == eos
    assert matcher.accepts([eos[0]]) == 0
    matcher.rollback()
    assert (matcher.mask() == masks[-1]).all()


def test_a_row_among_others(walked: Any) -> None:
    matcher, masks, _ = walked
    rows = np.full((3, (len(masks[-1]) + 31) // 32 + 2), 0x55555555, np.int32)
    matcher.fill_bitmask(rows, row=1)
    bits = np.unpackbits(rows[1].view(np.uint8), bitorder="little")
    assert (bits[: len(masks[-1])] == masks[-1]).all()
    assert not bits[len(masks[-1]) :].any()
    assert (rows[[0, 2]] == 0x55555555).all()


def test_masks_along_a_draft(walked: Any) -> None:
    """All at once as step by step, and the matcher stays where it is."""
    matcher, masks, rng = walked
    tokens, row_words = matcher.tokens, (len(masks[-1]) + 31) // 32
    matcher.rollback(back := rng.randint(0, len(tokens)))
    before, ahead = len(tokens) - back, tokens[len(tokens) - back :]
    refused = rng.choice(np.flatnonzero(~masks[-1]).tolist())
    rows = np.full((len(ahead) + 3, row_words + 1), 0x55555555, np.int32)
    assert matcher.mask_path([*ahead, refused, *ahead[:1]], rows) == len(ahead)
    for number, mask in enumerate(masks[before:]):
        assert (bits_of(rows[number], len(mask)) == mask).all()
    assert (rows[len(ahead) + 1 :, :row_words] == 0x55555555).all()
    assert matcher.tokens == tokens[:before]


def test_masks_of_a_drafted_tree(walked: Any) -> None:
    matcher, masks, rng = walked
    tokens = matcher.tokens
    matcher.rollback(rng.randint(0, len(tokens)))
    allowed, draft, parents = np.flatnonzero(matcher.mask()), [], []
    for number in range(8):
        draft.append(rng.choice([*tokens, *allowed.tolist(), rng.randrange(len(masks[0]))]))
        parents.append(rng.randint(-1, number - 1))
    rows = np.zeros((9, (len(masks[0]) + 31) // 32), np.int32)
    taken = matcher.mask_tree(draft, parents, rows)
    twins: list[Any] = [matcher]
    for token, parent in zip(draft, parents, strict=True):
        twin = None if twins[parent + 1] is None else twins[parent + 1].fork()
        twins.append(twin if twin is not None and twin.accepts([token]) else None)
        if twins[-1] is not None:
            twin.advance(token)
    assert taken == [twin is not None for twin in twins[1:]]
    for row, twin in zip(rows, twins, strict=True):
        if twin is not None:
            assert (bits_of(row, len(masks[0])) == twin.mask()).all()


def bits_of(row: np.ndarray, size: int) -> np.ndarray:
    return np.unpackbits(row.view(np.uint8), bitorder="little")[:size].astype(bool)


def test_forced_tokens_are_the_only_way(walked: Any) -> None:
    """Their bytes are forced: no other byte is live where one of them stands."""
    matcher, _, _ = walked
    tokens, words = matcher.forced(), matcher._vocabulary
    engine, state = matcher._cursor.place()
    forced = views.forced_bytes(engine, state)
    assert forced.startswith(words.decode(tokens))
    for token in tokens:
        assert matcher.mask()[token]
        matcher.advance(token)


@pytest.mark.parametrize("case", [p for p in EVERY if p.values[0].forced])
def test_forced_tokens_are_found(case: Case) -> None:
    """All of a forced text comes, but for what may be split otherwise once more is known."""
    constraint = constraint_for(case, "real", "fast")
    if constraint is None:
        pytest.skip("this vocabulary can't write any text of the language")
    for item in case.forced:
        matcher = constraint.matcher()
        for token in constraint.vocabulary.encode(item["after"]) or []:
            matcher.advance(token)
        forced = constraint.vocabulary.decode(matcher.forced()).decode(errors="ignore")
        assert item["text"].startswith(forced)
