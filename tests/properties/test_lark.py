"""Grammars in lark's language and in GBNF: random sentences, and mutations, judged by lark."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tercet.engines.select import recognizer
from tests.differential import specs, views
from tests.differential.cases import Case, working_cases
from tests.differential.vocabularies import vocabulary

CASES = [case for case in working_cases() if case.kind in {"lark", "gbnf"} and case.judge != "none"]
SENTENCES, MUTATIONS, LONGEST = 20, 4, 60


def sentence(automaton: Any, letters: bytes, rng: random.Random) -> str | None:
    """A random text of the language, or None if it would grow too long."""
    state, text, wanted = automaton.start(), b"", rng.randint(0, 15)
    while not (automaton.is_accepting(state) and len(text) >= wanted):
        live = automaton.live_bytes(state)
        if automaton.is_finished(state) or len(text) > LONGEST:
            break
        assert live, f"a dead end after {text!r}"
        byte = rng.choice([b for b in live if b in letters] or live)
        state, text = automaton.step(state, byte), text + bytes([byte])
    return text.decode(errors="replace") if automaton.is_accepting(state) else None


def mutated(text: str, letters: str, rng: random.Random) -> str:
    """A text with one character more, less, or another one."""
    place, letter = rng.randint(0, len(text)), rng.choice(letters)
    return text[:place] + rng.choice([letter, letter, ""]) + text[place + rng.choice([0, 1]) :]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_lark_agrees(case: Case) -> None:
    rng, judge = random.Random(case.id), specs.judge_of(case)
    automaton = recognizer(specs.language(case), vocabulary("bytes"), engine="fast")
    letters = "".join(sorted({*"".join(case.accept), *"".join(case.reject)}))
    for _ in range(SENTENCES):
        text = sentence(automaton, letters.encode(), rng)
        if text is None:
            continue
        assert judge(text), text
        for _ in range(MUTATIONS):
            other = mutated(text, letters, rng)
            assert views.accepts(automaton, other.encode()) == judge(other), other
