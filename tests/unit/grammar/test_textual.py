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
from tercet.grammar.textual import TextualRules


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


@pytest.mark.parametrize("seed", range(200))
def test_it_is_the_least_fixpoint(seed: int) -> None:
    rng = random.Random(seed)
    names = [f"r{number}" for number in range(rng.randint(1, 12))]
    language = Language(Rule("r0"), {name: drawn(rng, names, 2) for name in names})
    asked = TextualRules(language.rules, has_text)
    reachable = reachable_rules(language)
    found = {name for name in rng.sample(reachable, len(reachable)) if asked(name)}
    assert found == productive_rules(language)


class Counting(dict[str, Node]):
    """Rules for every count: `x` and the next, or the end."""

    def __init__(self, has_end: bool) -> None:
        super().__init__()
        self.has_end = has_end

    def __missing__(self, name: str) -> Node:
        following = seq(lit("x"), Rule(str(int(name) + 1)))
        return alt(following, lit("y")) if self.has_end else following


def test_an_answer_looks_at_no_more_than_it_needs() -> None:
    assert TextualRules(Counting(has_end=True), has_text)("0")


def test_rules_without_an_end_in_sight_are_refused() -> None:
    with pytest.raises(GrammarError, match="cannot tell"):
        TextualRules(Counting(has_end=False), has_text)("0")
