"""The bundled grammars: their cases on both engines and by outside judges, masks, walks."""

from __future__ import annotations

import random
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tercet import Grammar, TercetError, UnsatisfiableError
from tercet.engines.select import recognizer
from tercet.frontends.bundled import bundled, folder, names
from tests.differential import views
from tests.differential.vocabularies import vocabulary
from tests.properties.grammar_judges import judge_of
from tests.properties.grammar_walks import walked
from tests.properties.walks import Walker

WALKS, MASKS = 5, 2
NAMES = names()
SLOW = {"fol", "ltl", "toml", "xml"}  # too slow in the reference engine for a test


@cache
def cases(name: str) -> dict[str, list[str]]:
    text = (folder() / "cases" / f"{name}.toml").read_text(encoding="utf-8")
    found = tomllib.loads(text)
    assert set(found) == {"accept", "reject"}
    return found


@cache
def automaton(name: str, words: str, engine: str) -> Any:
    return recognizer(Grammar.bundled(name).language, vocabulary(words), engine=engine)


@pytest.mark.parametrize("name", NAMES)
def test_cases(name: str, engine: str) -> None:
    found = automaton(name, "bytes", engine)
    most = 4 if name in SLOW and engine == "reference" else None
    good, bad = cases(name)["accept"][:most], cases(name)["reject"][:most]
    wrong = [text for text in good if not views.accepts(found, text.encode())]
    wrong += [text for text in bad if views.accepts(found, text.encode())]
    assert not wrong


@pytest.mark.parametrize("name", NAMES)
def test_judges_agree_about_cases(name: str) -> None:
    found = bundled(name)
    from tests.differential.specs import judge_by_lark

    is_valid = judge_by_lark(found.text, lexer=found.lexer)
    wrong = [text for text in cases(name)["accept"] if not is_valid(text) or judge_of(name)(text)]
    wrong += [text for text in cases(name)["reject"] if is_valid(text)]
    assert not wrong


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SLOW])
def test_masks_are_the_reference_s(name: str) -> None:
    words, rng = vocabulary("toy"), random.Random(name)
    try:
        fast, reference = (automaton(name, "toy", engine) for engine in ("fast", "reference"))
    except UnsatisfiableError:
        pytest.skip("the toy has no newline")
    chunker = views.Chunker.of(words)
    runs = [chunker.cut(text.encode(), rng) or [] for text in cases(name)["accept"]]
    for _ in range(MASKS):
        tokens = rng.choice(runs)
        tokens = tokens[: rng.randint(0, len(tokens))]
        *_, state = views.states_along(fast, tokens)
        *_, judged = views.states_along(reference, tokens)
        after = words.decode(tokens)
        wanted = views.mask_of(reference, words, judged)
        views.assert_same_mask(words, wanted, views.mask_of(fast, words, state), after)


@cache
def walker() -> Walker:
    return Walker(vocabulary("real"))


@pytest.mark.parametrize("name", NAMES)
def test_walks_end_valid(name: str) -> None:
    assert walked(name, walker(), WALKS).failures == []


@pytest.mark.parametrize("name", NAMES)
def test_headers_are_complete(name: str) -> None:
    found = bundled(name)
    assert found.title
    assert found.source
    assert found.omits
    assert found.lexer in {"contextual", "dynamic_complete"}


def test_a_wrong_name_lists_the_names() -> None:
    with pytest.raises(TercetError) as caught:
        Grammar.bundled("jsn")
    assert all(name in str(caught.value) for name in NAMES)


def test_saved_and_shown() -> None:
    grammar = Grammar.bundled("semver")
    assert repr(grammar) == "Grammar.bundled('semver')"
    assert Grammar.from_dict(grammar.to_dict()) == grammar


def test_the_page_lists_them() -> None:
    page = (Path(__file__).parents[2] / "docs" / "bundled-grammars.md").read_text(encoding="utf-8")
    for name in NAMES:
        found = bundled(name)
        entry = f"## {name}\n\n{found.title}.\n\n- Source: {found.source}\n"
        entry += f"- Left out: {found.omits}\n"
        assert entry in page, f"docs/bundled-grammars.md lacks\n{entry}"


def test_a_wheel_has_them() -> None:
    """What hatchling is told; a build would need hatchling, which tests don't install."""
    build = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    targets = build["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"]["force-include"] == {"grammars": "tercet/grammars"}
    assert "/grammars" in targets["sdist"]["include"]
