"""Pictures are well-formed SVG, small, and say what is in the grammar."""

import sys
import xml.etree.ElementTree as ET

import pytest

from tercet import Grammar, TercetError

SVG = "{http://www.w3.org/2000/svg}"
GRAMMARS = {
    "pattern": (Grammar.regex("a+(b|<c>)?"), "<"),
    "dead loop back": (Grammar.regex("(ab)*"), "b"),
    "space": (Grammar.regex(r"[ \n]x"), "x"),
    "json": (Grammar.json(), "true"),
    "sum": (Grammar.of(dict[str, list[int]]) + " & <b>", "␠&␠<b>"),
    "choice": (Grammar.choice([f"option {n}" for n in range(5000)]), "4,988 more"),
    "long text": (Grammar.regex("x{200}|y"), "x{200}"),
    "quote": (Grammar.substring("to be or not " * 50), "words of a text of 650"),
    "repeat": (Grammar.json().repeat(2, 5, sep=","), "1 to 4 times"),
    "different": (Grammar.json({"type": "array", "items": {"enum": [1, 2]}, "maxItems": 9}), "1"),
}


@pytest.mark.parametrize("name", GRAMMARS)
def test_pictures(name, tmp_path):
    grammar, label = GRAMMARS[name]
    picture = grammar.draw(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_text(encoding="utf-8") == picture
    root = ET.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    texts = [found.text or "" for found in root.iter(f"{SVG}text")]
    assert any(label in text for text in texts), texts
    assert len(picture) < 500_000


def test_every_state_and_edge_is_drawn():
    root = ET.fromstring(Grammar.regex("a(b|c)d*").draw())
    assert len(list(root.iter(f"{SVG}circle"))) == 3 + 1  # one ring more for the accepting one
    labels = [found.text for found in root.iter(f"{SVG}text")]
    assert {"a", "[bc]", "d", "0", "1", "2"} == set(labels)


def test_the_package_is_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "railroad", None)
    with pytest.raises(TercetError, match="railroad-diagrams"):
        Grammar.json().draw()
    assert Grammar.regex("a").draw()
