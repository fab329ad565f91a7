"""The reference engine against the texts that a language has by definition."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tercet.engines.reference import Recognizer
from tercet.grammar import nodes as g
from tercet.vocabulary.vocabulary import Vocabulary
from tests.differential import views
from tests.differential.denotation import short_texts
from tests.differential.grammars import ALPHABET, LETTERS, random_language
from tests.differential.vocabularies import random_vocabulary, vocabulary

MOST = 5  # bytes of the longest text that is compared
WALKS, LONGEST = 20, 900  # from a state, and their bytes


def texts_along(recognizer: Recognizer, most: int) -> tuple[set[bytes], set[bytes]]:
    """The accepted texts of at most `most` bytes of the alphabet, and the live prefixes."""
    accepted, live, layer = set(), set(), {b"": recognizer.start()}
    for length in range(most + 1):
        live |= {data for data, state in layer.items() if state}
        accepted |= {data for data, state in layer.items() if recognizer.is_accepting(state)}
        if length < most:
            steps = {(d, b): recognizer.step(s, b) for d, s in layer.items() for b in ALPHABET}
            layer = {d + bytes([b]): s for (d, b), s in steps.items() if s is not None}
    return accepted, live


def ending(recognizer: Recognizer, start: Any, rng: random.Random) -> bytes | None:
    """A way to finish, or None: that would be a dead end.

    Random walks, for scopes make more states than could be looked at one by one.
    """
    for _ in range(WALKS):
        state, data = start, b""
        while not recognizer.is_accepting(state) and len(data) < LONGEST:
            live = recognizer.live_bytes(state)
            byte = rng.choice([byte for byte in live if byte in ALPHABET] or live)
            state, data = recognizer.step(state, byte), data + bytes([byte])
        if recognizer.is_accepting(state):
            return data
    return None


@pytest.mark.parametrize("seed", range(150))
def test_texts_are_those_of_the_definition(seed: int) -> None:
    language = random_language(seed, plain=True)
    wanted = short_texts(language, MOST, LETTERS)
    recognizer = Recognizer(language, vocabulary("bytes"))
    accepted, live = texts_along(recognizer, MOST)
    # terminals may also match characters outside the letters
    assert {t for t in accepted if _in_letters(t)} >= wanted
    assert accepted == wanted or _only_wider(language, accepted - wanted)
    assert live >= {text[:end] for text in wanted for end in range(len(text) + 1)}


def _in_letters(data: bytes) -> bool:
    return all(char in LETTERS for char in data.decode(errors="replace"))


def _only_wider(language: g.Language, extra: set[bytes]) -> bool:
    return not any(_in_letters(data) for data in extra)


@pytest.mark.parametrize("seed", range(60))
def test_no_state_is_a_dead_end(seed: int) -> None:
    rng = random.Random(seed)
    language = random_language(seed)
    recognizer = Recognizer(language, random_vocabulary(rng, ALPHABET))
    state: Any = recognizer.start()
    for _ in range(6 if state else 0):
        assert ending(recognizer, state, rng) is not None
        live = recognizer.live_bytes(state)
        if not live:
            assert recognizer.is_finished(state)
            break
        state = recognizer.step(state, rng.choice(live))


@pytest.mark.parametrize("seed", range(60))
def test_mask_is_every_token_tried(seed: int) -> None:
    rng = random.Random(seed)
    words = random_vocabulary(rng, ALPHABET)
    recognizer = Recognizer(random_language(seed), words)
    state: Any = recognizer.start()
    for _ in range(6 if state else 0):
        mask = views.mask_of(recognizer, words, state)
        views.assert_same_mask(words, views.brute_force(recognizer, words, state), mask, "")
        takes = sorted(mask - words.eos)
        if not takes:
            assert recognizer.is_finished(state), "what is alive can be written in tokens"
            break
        state = recognizer.advance(state, rng.choice(takes))


def test_bytes_without_a_token_never_occur() -> None:
    words = Vocabulary.from_tokens([b"a", b"ab", b"c", b""], eos=3)
    language = g.Language(g.alt(g.lit("ab"), g.lit("ac"), g.lit("b")), {})
    recognizer = Recognizer(language, words)
    assert views.mask_of(recognizer, words, recognizer.start()) == {0}


def test_left_recursion_is_refused() -> None:
    from tercet import GrammarError

    rules = {"r": g.alt(g.seq(g.opt(g.lit("a")), g.Rule("r")), g.lit("b"))}
    with pytest.raises(GrammarError, match="left-recursive"):
        Recognizer(g.Language(g.Rule("r"), rules), vocabulary("bytes"))


def test_right_recursion_and_nullable_loops_end() -> None:
    rules = {"r": g.alt(g.seq(g.lit("a"), g.Rule("r")), g.EMPTY)}
    loop = g.Repeat(g.Repeat(g.alt(g.EMPTY, g.lit("b")), 0, None), 2, None)
    recognizer = Recognizer(g.Language(g.seq(g.Rule("r"), loop), rules), vocabulary("bytes"))
    assert views.accepts(recognizer, b"a" * 50 + b"b" * 50)
    assert not views.accepts(recognizer, b"ba")
