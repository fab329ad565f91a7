"""Quotes from a text: against Python's own substrings, on both engines."""

import random
import re

import pytest

from tercet import Grammar, GrammarError, UnsatisfiableError
from tercet.automata.corpus import Corpus
from tercet.grammar.nodes import Language, Words, lit, seq
from tests.unit.frontends.texts import Texts

PATTERNS = {"char": r"(?s).", "word": r"\S+", "line": r"[^\r\n]+"}


def quotes(text, unit):
    """Every quote, by `re` and slices."""
    units = [found.span() for found in re.finditer(PATTERNS[unit], text)]
    return {text[begin:end] for begin, _ in units for _, end in units if end > begin}


def some_text(rng, letters):
    return "".join(rng.choices(letters, k=rng.randint(1, 24)))


@pytest.mark.parametrize("unit", PATTERNS)
@pytest.mark.parametrize("letters", ["ab", "ab \n", "é中 \u3000", "a\r\n"])
def test_quotes(unit, letters, engine):
    rng = random.Random(f"{unit}{letters}")
    for _ in range(12):
        text = some_text(rng, letters)
        wanted = quotes(text, unit)
        if not wanted:
            continue
        found = Texts(Language(Words(Corpus(text, unit)), {}), engine)
        pieces = {text[i:j] for i in range(len(text)) for j in range(i, len(text) + 1)}
        others = {some_text(rng, letters) for _ in range(20)}
        assert {piece for piece in pieces | others if piece in found} == wanted


@pytest.mark.parametrize("seed", range(20))
def test_missing_bytes_are_never_in_a_quote(seed):
    rng = random.Random(seed)
    text, missing = some_text(rng, "ab c."), frozenset(rng.choice([b"b", b" ", b".c"]))
    kept = Corpus(text, "word").without(missing)
    wanted = {q for q in quotes(text, "word") if missing.isdisjoint(q.encode())}
    assert {quote.decode() for quote in kept} == wanted
    assert bool(kept) == bool(wanted)


def test_every_way_goes_on(engine):
    text = "one two  three, two one\n" * 3
    found = Texts(Language(seq(lit("<"), Words(Corpus(text, "word")), lit(">")), {}), engine)
    for seed in range(30):
        drawn = found.draw(random.Random(seed), 5)
        assert drawn[1:-1] in quotes(text, "word")


def test_a_long_text_is_unfolded_where_it_is_read():
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefghij", k=rng.randint(2, 7))) for _ in range(20_000)]
    grammar = Grammar.substring(" ".join(words))
    for at in (0, 777, 19_900):
        assert " ".join(words[at : at + 100]) in grammar
    assert " ".join([*words[5:9], "x"]) not in grammar


def test_a_text_of_one_letter():
    grammar = Grammar.substring("a" * 2_000, unit="char")
    assert "a" * 2_000 in grammar
    assert "a" * 2_001 not in grammar


@pytest.mark.parametrize(("text", "unit"), [("", "char"), (" \n", "word"), ("\n\r\n", "line")])
def test_nothing_to_quote(text, unit):
    with pytest.raises(UnsatisfiableError, match="nothing to quote"):
        Grammar.substring(text, unit=unit)


def test_refused():
    for bad in (lambda: Grammar.substring(b"a"), lambda: Grammar.substring("a", unit="letter")):
        with pytest.raises(GrammarError):
            bad()
    with pytest.raises(GrammarError, match="UTF-8"):
        Grammar.substring("a\ud800")


def test_combined():
    quote = Grammar.substring("to be or not to be")
    assert ('"' + quote + '"').parse('"or not"') == '"or not"'
    assert "to be" not in ~Grammar.choice(["to be"]) & quote
    assert quote.repeat(sep=" ... ").parse("to be ... not") == ["to be", "not"]
