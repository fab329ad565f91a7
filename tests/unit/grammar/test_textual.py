"""Rules that have a text: against the whole fixpoint, and where there are too many to look at."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tercet import GrammarError
from tercet.grammar.nodes import Choice as Alternatives
from tercet.grammar.nodes import Language, Node, Rule, Sequence, alt, lit, seq
from tercet.grammar.productive import productive_rules
from tercet.grammar.reachable import reachable_rules
from tercet.grammar.textual import textual_rules


def has_text(node: Node, is_textual: Callable[[str], bool]) -> bool:
    match node:
        case Sequence(parts=parts):
            return all(has_text(part, is_textual) for part in parts)
        case Alternatives(options=options):
            return any(has_text(option, is_textual) for option in options)
        case Rule(name=name):
            return is_textual(name)
    return True


def drawn(rng: random.Random, names: list[str], depth: int) -> Node:
    kind = rng.randrange(6 if depth else 3)
    if kind < 2:
        return Rule(rng.choice(names))
    if kind == 2:
        return lit("x") if rng.random() < 0.4 else Rule(rng.choice(names))
    parts = [drawn(rng, names, depth - 1) for _ in range(rng.randint(1, 3))]
    return seq(*parts) if kind < 5 else alt(*parts)


def in_rounds(language: Language) -> set[str]:
    names, found = reachable_rules(language), set[str]()
    while new := {n for n in names if has_text(language.rules[n], found.__contains__)} - found:
        found |= new
    return found


@pytest.mark.parametrize("seed", range(200))
def test_it_is_the_least_fixpoint(seed: int) -> None:
    rng = random.Random(seed)
    names = [f"r{number}" for number in range(rng.randint(1, 12))]
    language = Language(Rule("r0"), {name: drawn(rng, names, 2) for name in names})
    found = textual_rules(language, has_text)
    assert found == productive_rules(language) == frozenset(in_rounds(language))


class Counting(dict[str, Node]):
    """A rule for every count: `x` and the next, or the end."""

    def __missing__(self, name: str) -> Node:
        return alt(seq(lit("x"), Rule(str(int(name) + 1))), lit("y"))


def test_rules_without_an_end_in_sight_are_refused() -> None:
    with pytest.raises(GrammarError, match="every text can be finished"):
        textual_rules(Language(Rule("0"), Counting()), has_text)
