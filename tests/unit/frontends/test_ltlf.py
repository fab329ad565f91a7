"""Plans, against the definition of LTLf on finite traces."""

import itertools
import random

import pytest

from tercet import Grammar, GrammarError, UnsatisfiableError
from tercet.frontends.ltlf_syntax import read

ACTIONS = ["a", "b", "c"]
TRACES = [trace for n in range(1, 6) for trace in itertools.product(ACTIONS, repeat=n)]


def holds(formula, trace, at=0):
    """The textbook's definition."""
    kind, parts, name = formula
    here = lambda part, place=at: holds(part, trace, place)  # noqa: E731
    rest = range(at, len(trace))
    match kind:
        case "action":
            return trace[at] == name
        case "true" | "false":
            return kind == "true"
        case "last":
            return at == len(trace) - 1
        case "!":
            return not here(parts[0])
        case "&":
            return here(parts[0]) and here(parts[1])
        case "|":
            return here(parts[0]) or here(parts[1])
        case "->":
            return not here(parts[0]) or here(parts[1])
        case "<->":
            return here(parts[0]) == here(parts[1])
        case "X":
            return at + 1 < len(trace) and here(parts[0], at + 1)
        case "WX":
            return at + 1 == len(trace) or here(parts[0], at + 1)
        case "F":
            return any(here(parts[0], i) for i in rest)
        case "G":
            return all(here(parts[0], i) for i in rest)
        case "U":
            return any(
                here(parts[1], i) and all(here(parts[0], j) for j in range(at, i)) for i in rest
            )
        case "W":
            always = all(here(parts[0], i) for i in rest)
            return always or holds(formula._replace(kind="U"), trace, at)
        case "R":
            return all(
                here(parts[1], i) or any(here(parts[0], j) for j in range(at, i)) for i in rest
            )


def some_formula(rng, depth):
    if depth == 0:
        return rng.choice([*ACTIONS, *ACTIONS, "true", "false", "last"])
    if rng.random() < 0.5:
        return f"{rng.choice(['!', 'X', 'WX', 'F', 'G'])} ({some_formula(rng, depth - 1)})"
    operator = rng.choice(["&", "|", "->", "<->", "U", "W", "R"])
    return f"({some_formula(rng, depth - 1)}) {operator} ({some_formula(rng, depth - 1)})"


@pytest.mark.parametrize("seed", range(150))
def test_plans(seed):
    rng = random.Random(seed)
    written = some_formula(rng, rng.randint(1, 3))
    formula = read(written, ACTIONS)
    wanted = [trace for trace in TRACES if holds(formula, trace)]
    separator = rng.choice(["", ", "])
    try:
        grammar = Grammar.ltlf(written, ACTIONS, sep=separator)
    except UnsatisfiableError:
        assert not wanted
        return
    assert [trace for trace in TRACES if separator.join(trace) in grammar] == wanted, written
    for trace in rng.sample(wanted, min(5, len(wanted))):
        assert grammar.parse(separator.join(trace)) == list(trace)
    assert "" not in grammar


def test_texts_of_actions():
    robot = {"go": "move(x)", "grab": "move(x, y)", "stop": "m"}
    grammar = Grammar.ltlf("F stop & G(stop -> last) & (!grab U go)", robot)
    assert grammar.parse("move(x)\nmove(x, y)\nm") == ["go", "grab", "stop"]
    assert "move(x, y)\nm" not in grammar
    assert "m\nmove(x)" not in grammar


def test_one_action_begins_another():
    grammar = Grammar.ltlf('G(a -> X "aa")', ["a", "aa"], sep="")
    assert grammar.parse("aaa") == ["a", "aa"]
    assert grammar.parse("aa") == ["aa"]
    assert "a" not in grammar


def test_precedence():
    trees = {
        "a & b | c": "(a & b) | c",
        "a -> b -> c": "a -> (b -> c)",
        "!a U b": "(!a) U b",
        "X a & b": "(X a) & b",
        "a U b U c": "a U (b U c)",
        "a <-> b -> c": "a <-> (b -> c)",
        "G F a && ~b || c": "((G (F a)) & (!b)) | c",
    }
    for left, right in trees.items():
        assert read(left, ACTIONS) == read(right, ACTIONS)


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("", "a formula is missing"),
        ("F", "a formula is missing"),
        ("a b", "operator is missing"),
        ("(a", "parenthesis"),
        ("a & d", "no action d"),
        ("a ? b", "a sign"),
        ("!" * 300 + "a", "deep"),
        ("(" * 300 + "a" + ")" * 300, "deep"),
        ("a & U", "a formula is missing"),
    ],
)
def test_bad_formulas(formula, reason):
    with pytest.raises(GrammarError, match=reason):
        Grammar.ltlf(formula, ACTIONS)


def test_error_points_at_the_place():
    with pytest.raises(GrammarError) as caught:
        Grammar.ltlf("F a & G serv", ["a", "serve"])
    assert "did you mean serve?" in str(caught.value)
    assert str(caught.value).splitlines()[3].index("^") == 7 + 8


def test_bad_actions():
    for actions in ([], [""], {"a": "x", "b": "x"}, ["\ud800"]):
        with pytest.raises(GrammarError):
            Grammar.ltlf("true", actions)
    with pytest.raises(UnsatisfiableError, match="no plan"):
        Grammar.ltlf("a & b", ACTIONS)


def test_too_much_work_is_refused():
    many = [f"a{n}" for n in range(30)]
    with pytest.raises(GrammarError, match=r"too much work|too large"):
        Grammar.ltlf(" & ".join(f"F {name}" for name in many), many)
