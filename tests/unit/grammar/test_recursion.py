"""Left recursion taken out: the short texts of random grammars stay what they were."""

from __future__ import annotations

import random

import pytest

from tercet.engines.select import recognizer
from tercet.grammar.nodes import (
    NOTHING,
    Choice,
    Language,
    Literal,
    Node,
    Repeat,
    Rule,
    Sequence,
    alt,
    lit,
    opt,
    rep,
    seq,
)
from tercet.grammar.productive import pruned
from tercet.grammar.recursion import without_left_recursion
from tercet.vocabulary.vocabulary import Vocabulary
from tests.differential.views import accepts

NAMES = ("a", "b", "c")
LONGEST = 5
LETTERS = Vocabulary.from_tokens([b"x", b"y", b""], eos=2)


def random_language(seed: int) -> Language:
    rng = random.Random(seed)

    def part() -> Node:
        node = rng.choice([Rule(rng.choice(NAMES)), Rule(rng.choice(NAMES)), lit("x"), lit("y")])
        return rng.choice([node, node, node, opt(node), rep(node, rng.randint(0, 2))])

    def option() -> Node:
        return seq(*(part() for _ in range(rng.randint(0, 3))))

    rules = {name: alt(*(option() for _ in range(rng.randint(1, 3)))) for name in NAMES}
    return Language(Rule("a"), rules)


def short_texts(language: Language) -> set[bytes]:
    """The texts of up to `LONGEST` bytes: the least solution of the rules, found by iteration."""
    known: dict[str, set[bytes]] = {name: set() for name in language.rules}

    def joined(left: set[bytes], right: set[bytes]) -> set[bytes]:
        return {a + b for a in left for b in right if len(a) + len(b) <= LONGEST}

    def texts(node: Node) -> set[bytes]:
        match node:
            case Literal():
                return {node.data} if len(node.data) <= LONGEST else set()
            case Rule():
                return known[node.name]
            case Choice():
                return set().union(*map(texts, node.options))
            case Sequence():
                found = {b""}
                for item in node.parts:
                    found = joined(found, texts(item))
                return found
            case Repeat():
                body, found, total = texts(node.body), {b""}, set()
                for count in range(node.min + LONGEST + 1):
                    total |= found if count >= node.min else set()
                    found = joined(found, body)
                return total
        raise TypeError(node)

    while True:
        new = {name: texts(node) for name, node in language.rules.items()}
        if new == known:
            return texts(language.root)
        known = new


@pytest.mark.parametrize("seed", range(150))
def test_the_texts_stay_the_same(seed: int) -> None:
    language = random_language(seed)
    wanted = short_texts(language)
    turned = without_left_recursion(language)
    assert (turned.root is NOTHING) == (pruned(language).root is NOTHING)
    if turned.root is NOTHING:
        assert not wanted
        return
    assert short_texts(turned) == wanted
    for engine in ("reference", "fast"):
        automaton = recognizer(turned, LETTERS, engine=engine)
        found = {text for text in all_texts() if accepts(automaton, text)}
        assert found == wanted, engine


def all_texts() -> list[bytes]:
    texts = [b""]
    for text in texts:
        if len(text) < LONGEST:
            texts += text + b"x", text + b"y"
    return texts
