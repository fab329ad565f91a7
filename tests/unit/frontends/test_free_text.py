"""Free text with conditions, against Python's `in` and `find`."""

import itertools
import random

import pytest

from tercet import Grammar, GrammarError, UnsatisfiableError

TEXTS = ["".join(t) for n in range(7) for t in itertools.product("ab.", repeat=n)]


def judged(text, until, include, exclude):
    if until is not None and (text.find(until) + len(until) != len(text) or until not in text):
        return False
    has_all = all(any(some in text for some in group) for group in include)
    return has_all and not any(some in text for some in exclude)


def some_text(rng):
    return "".join(rng.choices("ab.", k=rng.randint(1, 3)))


@pytest.mark.parametrize("seed", range(120))
def test_texts(seed):
    rng = random.Random(seed)
    until = rng.choice([None, some_text(rng)])
    include = [[some_text(rng) for _ in range(rng.randint(1, 2))] for _ in range(rng.randint(0, 2))]
    exclude = [some_text(rng) for _ in range(rng.randint(0, 2))]
    wanted = [text for text in TEXTS if judged(text, until, include, exclude)]
    try:
        grammar = Grammar.text(until=until, include=include, exclude=exclude)
    except UnsatisfiableError:
        assert not wanted
        return
    assert [text for text in TEXTS if text in grammar] == wanted


def test_trigger_that_begins_again():
    grammar = Grammar.text(until="aab")
    assert "aaab" in grammar
    assert "aabaab" not in grammar
    assert "aabx" not in grammar
    assert "<</t></t>" not in Grammar.text(until="</t>")
    assert "<</t>" in Grammar.text(until="</t>")


def test_trigger_inside_a_json_string_ends_the_text_all_the_same():
    grammar = Grammar.text(until="</t>") >> Grammar.of(str)
    assert grammar.parse('she wrote "x</t>"yes"') == "yes"
    assert 'she wrote "x</t>" and then</t>"yes"' not in grammar


def test_any_character_may_come():
    grammar = Grammar.text(exclude=["é"])
    assert "e\u0301 中 😀\n\0" in grammar
    assert "caf" + "é" not in grammar
    assert "" in grammar


def test_single_strings_are_not_letters():
    grammar = Grammar.text(include="ab", exclude="ba")
    assert "ab" in grammar
    assert "a b" not in grammar
    assert "aba" not in grammar


def test_many_words_are_excluded():
    rng = random.Random(5)
    words = sorted({"".join(rng.choices("abcdefgh", k=6)) for _ in range(1000)})
    grammar = Grammar.text(exclude=words)
    text = "".join(rng.choices("abcdefgh", k=300))
    assert (text in grammar) == (not any(word in text for word in words))
    assert text + words[7] not in grammar


@pytest.mark.parametrize(
    ("conditions", "reason"),
    [
        ({"until": ""}, "empty text"),
        ({"include": [""]}, "empty text"),
        ({"include": [["a", ""]]}, "empty text"),
        ({"exclude": [""]}, "empty text"),
        ({"include": [[]]}, "nothing to include"),
        ({"include": [str(n) for n in range(13)]}, "13 things"),
        ({"exclude": ["a" * 20_001]}, "20000 characters"),
        ({"include": ["x" * 2000 + str(n) for n in range(8)]}, "too large"),
        ({"until": "\ud800"}, "UTF-8"),
    ],
)
def test_refused(conditions, reason):
    with pytest.raises(GrammarError, match=reason):
        Grammar.text(**conditions)


@pytest.mark.parametrize(
    "conditions",
    [
        {"until": "ab", "exclude": ["b"]},
        {"include": ["ab"], "exclude": ["b"]},
        {"until": "b", "include": ["ba"]},
    ],
)
def test_impossible(conditions):
    with pytest.raises(UnsatisfiableError, match="no text"):
        Grammar.text(**conditions)


def test_shown():
    grammar = Grammar.text(until="x", include=["a", ["b", "c"]])
    assert repr(grammar) == "Grammar.text(until='x', include=['a', ['b', 'c']])"
    assert repr(Grammar.text()) == "Grammar.text()"
