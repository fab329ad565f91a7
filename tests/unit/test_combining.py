"""Grammars combined as values: their texts against sets of strings, and what they are read as."""

import itertools
import random

import pytest

import tercet
from tercet import Grammar, GrammarError, TercetError, UnsatisfiableError
from tercet.testing import byte_vocabulary

LENGTH = 4
ALL = ["".join(t) for n in range(LENGTH + 1) for t in itertools.product("ab", repeat=n)]
PATTERNS = {
    "a*": lambda t: set(t) <= {"a"},
    "ab|b": lambda t: t in {"ab", "b"},
    "[ab]{1,2}": lambda t: len(t) in {1, 2},
    "(?:ab)*": lambda t: t == "ab" * (len(t) // 2),
    "": lambda t: not t,
}
INSIDE = Grammar.regex(f"[ab]{{0,{LENGTH}}}")


def some(rng, depth):
    """A random combination, and its texts of up to LENGTH letters, made by sets alone."""
    kind = rng.choice(["+", "|", "&", "~", "repeat"] if depth else ["regex", "choice"])
    if kind == "regex":
        pattern = rng.choice(list(PATTERNS))
        return Grammar.regex(pattern), {text for text in ALL if PATTERNS[pattern](text)}
    if kind == "choice":
        words = rng.sample(ALL[:12], rng.randint(1, 4))
        return Grammar.choice(words), set(words)
    left, these = some(rng, depth - 1)
    if kind == "~":
        return ~left & INSIDE, set(ALL) - these
    if kind == "repeat":
        least, sep = rng.randint(0, 2), rng.choice(["", "a"])
        most = rng.choice([None, least + rng.randint(0, 2)])
        return left.repeat(least, most, sep=sep), repeats(these, least, most, sep)
    right, those = some(rng, depth - 1)
    if kind == "+":
        return left + right, short(a + b for a in these for b in those)
    return (left | right, these | those) if kind == "|" else (left & right, these & those)


def short(texts):
    return {text for text in texts if len(text) <= LENGTH}


def repeats(texts, least, most, sep):
    """Enough rounds: an empty item with an empty separator adds nothing, others add letters."""
    rounds, found = {0: {""}, 1: set(texts)}, set()
    for count in range(2, LENGTH + least + 2):
        rounds[count] = short(a + sep + b for a in rounds[count - 1] for b in texts)
    for count, some_texts in rounds.items():
        if count >= least and (most is None or count <= most):
            found |= some_texts
    return found


@pytest.mark.parametrize("seed", range(150))
def test_texts_are_those_of_sets(seed):
    rng = random.Random(seed)
    try:
        grammar, texts = some(rng, 2)
    except UnsatisfiableError:
        return
    assert {text for text in ALL if text in grammar} == texts, grammar
    for text in texts:
        grammar.parse(text)


@pytest.mark.parametrize("seed", range(60))
def test_repeats_are_read_as_lists(seed):
    rng = random.Random(seed)
    item, texts = some(rng, 0)
    sep, least, most = rng.choice(["", "a", "-"]), rng.randint(0, 3), rng.choice([None, 3, 5])
    grammar = item.repeat(least, most, sep=sep)
    values = [rng.choices(sorted(texts), k=rng.randint(max(least, 1), most or 6)) for _ in range(9)]
    for value in values:
        text = sep.join(value)
        found = grammar.parse(text)
        assert sep.join(found) == text
        assert all(part in item for part in found)
        assert least <= len(found) <= (most or len(found))


def test_long_lists_are_read_in_one_go():
    numbers = Grammar.of(int).repeat(1, sep="\n")
    assert numbers.parse("\n".join(map(str, range(3000)))) == list(range(3000))


def test_values():
    number, word = Grammar.choice([1, 10]), Grammar.regex("[a-z]+")
    assert (number | word).parse("10") == 10
    assert (word | Grammar.choice(["a"]).map(len)).parse("a") == "a"
    assert (word >> number).parse("x10") == 10
    assert (number & Grammar.regex("..")).parse("10") == 10
    assert number.map(str).map(len).parse("10") == 2
    assert (word + number).parse("a1") == "a1"
    assert (~word).parse("A") == "A"
    assert number.repeat(2, 2).parse("101") == [10, 1]


def test_the_answer_is_as_long_as_possible():
    assert (Grammar.regex("[0-9]*") >> Grammar.regex("[0-9]+")).parse("123") == "123"
    assert Grammar.regex("a*").repeat(3, 3).parse("aa") == ["aa", "", ""]


def test_rules_of_the_same_name_stay_apart():
    numbers, flags = Grammar.of(list[list[int]]), Grammar.of(list[list[bool]])
    both = numbers + flags
    assert "[[1]][[true]]" in both
    assert "[[true]][[1]]" not in both
    assert (numbers | flags).parse("[[true]]") == [[True]]
    again = both + numbers
    assert "[[1]][[true]][[2]]" in again
    assert "[[1]][[true]][[true]]" not in again


def test_equal_and_hashable():
    a, b, c = Grammar.regex("a"), Grammar.regex("b"), Grammar.choice(["c"])
    assert (a + b) + c == a + (b + c)
    assert hash(a | b | c) == hash(a | (b | c))
    assert a + b != b + a
    assert a >> b != a + b
    assert (a >> b) >> c != a >> (b >> c)
    assert a.repeat(1, 2) == a.repeat(1, 2) != a.repeat(1, 3)


@pytest.mark.parametrize(
    "written",
    [
        "Grammar.regex('a') + ':' + Grammar.regex('b')",
        "(Grammar.regex('a') | 'x') + ~Grammar.regex('b')",
        "(Grammar.regex('a') + 'b').repeat(1, None, sep=', ')",
        "Grammar.regex('a') >> Grammar.regex('b') >> Grammar.regex('c')",
        "Grammar.regex('a') >> (Grammar.regex('b') >> Grammar.regex('c'))",
        "~(Grammar.regex('a') | Grammar.regex('b')) & Grammar.regex('c')",
        "Grammar.regex('c') & (~Grammar.regex('a') & ~Grammar.regex('b'))",
        "Grammar.regex('a').map(len)",
        "Grammar.regex('a').repeat(0, 3, sep=Grammar.regex(' +'))",
    ],
)
def test_repr_is_the_expression(written):
    assert repr(eval(written)) == written


def test_long_repr_is_cut():
    grammar = Grammar.regex("a")
    for _ in range(50):
        grammar = (grammar + "b").repeat(0, 1)
    assert "..." in repr(grammar)
    assert len(repr(grammar)) < 300


def test_depth_is_bounded():
    grammar = Grammar.regex("a")
    with pytest.raises(GrammarError, match="deep"):
        for _ in range(1000):
            grammar = (grammar + "b").repeat(0, 1)
    flat = Grammar.regex("a")
    for _ in range(300):  # what is joined by one operator is not deep
        flat = flat + "b"
    assert "a" + "b" * 300 in flat


def test_saved_and_loaded(tmp_path):
    words = byte_vocabulary()
    grammar = (
        "x" + Grammar.regex("a+").repeat(1, 3, sep=",") | ~Grammar.regex("b*")
    ) >> Grammar.of(int)
    tercet.compile(grammar, words).save(tmp_path / "g")
    loaded = tercet.Constraint.load(tmp_path / "g", words)
    assert loaded.grammar.parse("xa,a12") == grammar.parse("xa,a12") == 12
    with pytest.raises(TercetError, match="can't be saved"):
        tercet.compile(grammar.map(str), words).save(tmp_path / "g")


def test_a_saved_structural_tag():
    tag = Grammar.structural_tag({"format": {"type": "const_string", "value": "a"}})
    assert Grammar.from_dict(tag.to_dict()) == tag


LAX = {"type": "array", "uniqueItems": True, "items": {"type": "integer"}}


def test_relaxed_grammars_are_checked_or_refused():
    relaxed = Grammar.json(LAX, lax=["uniqueItems"])
    word = Grammar.regex("[a-z]")
    for combination in (lambda: relaxed + word, lambda: ~relaxed, lambda: relaxed >> word):
        with pytest.raises(GrammarError, match="relaxed"):
            combination()
    last = word >> relaxed
    assert not last.report.exact
    assert last.parse("a[1,2]") == [1, 2]
    with pytest.raises(TercetError):
        last.parse("a[1,1]")
    with pytest.raises(TercetError):
        relaxed.repeat(sep=";").parse("[1];[1,1]")


@pytest.mark.parametrize("bounds", [(-1, None), (2, 1), (0.5, 2), (True, 2), (0, "3")])
def test_bad_bounds(bounds):
    with pytest.raises(GrammarError):
        Grammar.regex("a").repeat(*bounds)


@pytest.mark.parametrize("other", [3, None, b"x", ["a"]])
def test_only_grammars_and_strings_combine(other):
    grammar = Grammar.regex("a")
    for combine in (
        lambda: grammar + other,
        lambda: other + grammar,
        lambda: grammar | other,
        lambda: grammar & other,
        lambda: grammar >> other,
    ):
        with pytest.raises(TypeError):
            combine()


def test_half_of_a_pair_is_refused():
    with pytest.raises(GrammarError):
        Grammar.regex("a") + "\ud800"


@pytest.mark.parametrize("seed", range(40))
def test_gaps(seed):
    rng = random.Random(seed)
    try:
        grammar, _ = some(rng, 1)
    except UnsatisfiableError:
        return
    before, after = rng.choice(ALL[:7]), rng.choice(ALL[:7])
    wanted = [text for text in ALL if before + text + after in grammar]
    try:
        gap = grammar.infill(before, after)
    except UnsatisfiableError:
        assert not wanted
        return
    assert [text for text in ALL if text in gap] == wanted
    for text in wanted:
        assert gap.parse(text) == grammar.parse(before + text + after)


def test_gap_of_what_is_recursive_is_refused():
    with pytest.raises(GrammarError, match="gap needs a regular"):
        Grammar.json().infill("[", "]")
    assert Grammar.of(int).infill("1", "3").parse("2") == 123


@pytest.mark.parametrize(
    "grammar",
    [
        Grammar.text(until="x", include=["a", ["b", "c"]], exclude=["d"]),
        Grammar.substring("to be or not", unit="char"),
        Grammar.ltlf("F a", {"a": "1", "b": "2"}, sep=","),
        Grammar.regex("[0-9]+").infill("1", "3"),
        Grammar.choice(["a", "b"]).repeat(1, 2, sep=Grammar.regex(", *")),
        ~Grammar.regex("a") & Grammar.regex("[ab]"),
    ],
    ids=repr,
)
def test_every_kind_is_saved(grammar, tmp_path):
    words = byte_vocabulary()
    tercet.compile(grammar, words).save(tmp_path / "g")
    assert tercet.Constraint.load(tmp_path / "g", words).grammar == grammar


def test_rules_without_number_are_refused_in_bounded_time() -> None:
    schema = {"properties": {f"k{number}": {"type": "integer"} for number in range(24)}}
    with pytest.raises(GrammarError, match="too large"):
        Grammar.json(schema, order="any") & Grammar.regex(".{0,200}")
