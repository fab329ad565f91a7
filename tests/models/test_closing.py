"""Answers close within their limit, by tokens drawn from those that leave room."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest

from tercet import Constraint, Grammar, OutputTruncatedError, compile, samplers
from tercet.models.model import Model
from tercet.samplers.choosing import Rule
from tercet.samplers.closing import Closing
from tercet.samplers.network import Row
from tercet.samplers.waysout import WaysOut
from tests.models.toys import Toy, constraint, vocabulary

PROMPT = 'Say {"kind":"north","tags":["ab","a"]} or the like.'
TREE = {
    "type": "object",
    "properties": {
        "of": {"type": "array", "items": {"$ref": "#"}, "minItems": 2},
        "n": {"type": "integer"},
    },
    "required": ["n"],
    "additionalProperties": False,
}
# Each tempts to go on; the last has more texts than a search can look through.
SPECS: dict[str, Grammar[Any]] = {
    "tree": Grammar.json(TREE, whitespace="compact"),
    "strings": Grammar.json({"type": "array", "items": {"type": "string", "minLength": 3}}),
    "any order": Grammar.json(
        {
            "type": "object",
            "properties": {f"ab{i}": {"type": "string", "maxLength": 9} for i in range(5)},
            "required": [f"ab{i}" for i in range(5)],
            "additionalProperties": False,
        },
        order="any",
    ),
    "lark": Grammar.lark('start: "(" (start | NAME) ")"\nNAME: /[a-z]{2,}/\n'),
    "letters": Grammar.regex("[a-z]{4,}!{2}"),
    "any": Grammar.json(True),
}


def _spec(name: str) -> Constraint[Any]:
    return constraint() if name == "object" else compile(SPECS[name], vocabulary())


def _shortest(spec: Constraint[Any]) -> int:
    found = Closing(spec.matcher(), vocabulary()).shortest
    assert found is not None
    return found


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("name", ["object", *SPECS])
def test_closed_and_valid(name: str, temperature: float) -> None:
    spec, finishes = _spec(name), set()
    least = _shortest(spec)
    for seed in range(10):
        model, limit = Model(Toy(seed)), least + seed % 5
        options: dict[str, Any] = {"temperature": temperature, "seed": seed}
        plain = model.complete(PROMPT, spec, max_tokens=limit, sampler=samplers.masked(**options))
        quick = model.complete(PROMPT, spec, max_tokens=limit, **options)
        assert plain.finish in ("stop", "closed")
        assert plain.text in spec.grammar
        assert len(plain.tokens) <= limit
        assert (quick.tokens, quick.finish) == (plain.tokens, plain.finish)
        finishes.add(plain.finish)
    assert "closed" in finishes


def test_cut_off_without() -> None:
    """The negative control."""
    spec = _spec("strings")
    answers = [
        Model(Toy(seed)).complete(PROMPT, spec, max_tokens=_shortest(spec) + 3, close=False)
        for seed in range(10)
    ]
    assert "length" in {answer.finish for answer in answers}
    assert "closed" not in {answer.finish for answer in answers}


def test_a_limit_below_the_shortest_answer() -> None:
    answer = Model(Toy()).complete(PROMPT, constraint(), max_tokens=3)
    assert answer.finish == "length"
    with pytest.raises(OutputTruncatedError, match="not finished after 3 tokens"):
        answer.value


@pytest.mark.parametrize("name", ["object", *SPECS])
def test_ways_out_lead_out(name: str) -> None:
    """From every place on random walks; and no place has a shorter one than the least."""
    spec, rng = _spec(name), np.random.default_rng(3)
    for _ in range(5):
        matcher = spec.matcher()
        for _ in range(12):
            recognizer, state = matcher.place()
            way = WaysOut(recognizer, vocabulary()).tokens(state)
            assert way is not None
            after = matcher.fork()
            for token in way:
                after.advance(token)
            assert after.is_accepting
            allowed = np.flatnonzero(matcher.mask())
            texts = [token for token in allowed.tolist() if token not in vocabulary().eos]
            if not texts:
                break
            matcher.advance(int(rng.choice(texts)))


@pytest.mark.parametrize(
    ("name", "more"), [("object", 1), ("strings", 0), ("letters", 3), ("tree", 0), ("any", 0)]
)
def test_shortest_is_about_the_least_number_of_tokens(name: str, more: int) -> None:
    """Against a search through all tokens: never fewer, and `more` only of these."""
    recognizer, start = _spec(name).matcher().place()
    waiting, seen = deque([(start, 0)]), {start}
    while waiting:
        state, depth = waiting.popleft()
        if recognizer.is_accepting(state):
            break
        for token in range(vocabulary().size):
            after = recognizer.advance(state, token)
            if after is not None and after not in seen:
                seen.add(after)
                waiting.append((after, depth + 1))
    assert _shortest(_spec(name)) == depth + more


def test_what_fits_is_drawn_as_if_the_rest_was_masked() -> None:
    """The choice under a limit is the choice among the tokens that fit."""
    spec = _spec("strings")
    for seed in range(30):
        row = Row([1], spec.matcher(), _shortest(spec) + 4)
        row.closing = Closing(row.matcher, vocabulary())
        rng = np.random.default_rng(seed)
        while not row.matcher.is_finished and len(row.tokens) < row.limit:
            ids = np.flatnonzero(row.matcher.mask())
            scores, fits = rng.normal(0, 2, len(ids)), row.closing.fits(row)
            assert fits is not None
            inside = np.array([fits(int(token)) for token in ids])
            place = 0, len(row.tokens)
            token = Rule(1.0, 1.0, seed).choose(scores, ids, place, fits=fits)
            assert token == Rule(1.0, 1.0, seed).choose(scores[inside], ids[inside], place)
            if token in vocabulary().eos:
                break
            row.matcher.advance(token)
            row.tokens.append(token)
            row.closing.took(token, row.matcher)


@pytest.mark.parametrize("name", ["object", *SPECS])
def test_least_bytes_are_never_too_many(name: str) -> None:
    """The engine's lower bound, against the way that was found; at the end there is nothing."""
    recognizer, state = _spec(name).matcher().place()
    way = WaysOut(recognizer, vocabulary()).tokens(state)
    assert way is not None
    data = vocabulary().decode(way)
    for place, byte in enumerate(data):
        assert recognizer.least_bytes(state) <= len(data) - place
        state = recognizer.step(state, byte)
    assert recognizer.least_bytes(state) == 0


def test_a_search_that_finds_nothing_gives_up() -> None:
    """Bounded work, and then the limit just cuts."""
    spec = compile(Grammar.regex("(a|b|c)(ab|ba|c|d){60000}"), vocabulary())
    matcher = spec.matcher()
    assert Closing(matcher, vocabulary()).shortest is None
    assert Model(Toy()).complete(PROMPT, spec, max_tokens=5).finish == "length"
