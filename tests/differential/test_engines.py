"""The fast engine against the reference, on random languages and random vocabularies.

Both follow the same random walk; at every state everything they say must be equal. A failing seed
is a complete bug report: `python -m tests.differential.test_engines SEED` makes it small and
prints it; two numbers, `FIRST COUNT`, look for failing seeds.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

from tercet.engines.select import recognizer
from tercet.errors import GrammarError
from tercet.grammar.nodes import Language
from tercet.vocabulary.vocabulary import Vocabulary
from tests.differential import views
from tests.differential.grammars import ALPHABET, random_language
from tests.differential.shrinking import shrink
from tests.differential.vocabularies import random_vocabulary

WALKS, STEPS = 4, 12


def situation(seed: int) -> tuple[Language, Vocabulary]:
    """What a seed stands for."""
    return random_language(seed), random_vocabulary(random.Random(seed), ALPHABET)


def compare(language: Language, words: Vocabulary) -> None:
    """Walk both engines side by side; raise AssertionError where they differ."""
    rng = random.Random(len(words.tokens))
    judge = recognizer(language, words, engine="reference")
    if not judge.start():
        return  # the empty language is refused before an engine sees it
    try:
        engine = recognizer(language, words, engine="fast")
    except GrammarError:  # with these few bytes a terminal with exclusions can't go on for ever
        return
    for _ in range(WALKS):
        walk(engine, judge, words, rng)


def walk(engine: Any, judge: Any, words: Vocabulary, rng: random.Random) -> None:
    pairs, text = [(engine.start(), judge.start())], b""
    for _ in range(STEPS):
        takes = sorted(compare_states(engine, judge, words, pairs[-1], text) - words.eos)
        if not takes:
            break
        token = rng.choice(takes)
        text += words.tokens[token]
        pairs.append((engine.advance(pairs[-1][0], token), judge.advance(pairs[-1][1], token)))
    for state, judged in rng.sample(pairs, len(pairs)):  # states don't change, and come again
        assert views.mask_of(engine, words, state) == views.mask_of(judge, words, judged)


def compare_states(
    engine: Any, judge: Any, words: Vocabulary, states: tuple[Any, Any], text: bytes
) -> set[int]:
    state, judged = states
    wanted = views.mask_of(judge, words, judged)
    views.assert_same_mask(words, wanted, views.mask_of(engine, words, state), text)
    views.assert_same_mask(words, wanted, views.brute_force(engine, words, state), text)
    assert engine.is_accepting(state) == judge.is_accepting(judged), text
    assert engine.is_finished(state) == judge.is_finished(judged), text
    assert sorted(engine.live_bytes(state)) == judge.live_bytes(judged), text
    refused = [token for token in range(-1, words.size + 1) if token not in wanted - words.eos]
    assert not [t for t in refused if engine.advance(state, t) is not None], text
    return wanted


@pytest.mark.parametrize("seed", range(200))
def test_engines_agree(seed: int) -> None:
    compare(*situation(seed))


def _search(first: int, count: int) -> None:
    from rich.progress import track

    failed = []
    for seed in track(range(first, first + count), "comparing the engines"):
        try:
            compare(*situation(seed))
        except Exception as error:
            failed.append((seed, f"{type(error).__name__}: {error}"))
    for seed, why in failed:
        print(seed, why.splitlines()[0][:300])
    print(f"{len(failed)} of {count} seeds differ")


def _fails(language: Language, words: Vocabulary) -> bool:
    try:
        compare(language, words)
    except AssertionError:
        return True
    except Exception:  # another fault, or a language that nobody would build
        return False
    return False


def _show(seed: int) -> None:
    language, words = situation(seed)
    if _fails(language, words):
        language, words = shrink(language, words, _fails)
    print("root  ", language.root)
    for name, node in language.rules.items():
        print(f"{name:6}", node)
    print("tokens", list(enumerate(words.tokens)), "eos", sorted(words.eos))
    compare(language, words)
    print("the engines agree")


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    if len(numbers) == 1:
        _show(*numbers)
    else:
        _search(*numbers)
