"""Schemas in files."""

import pytest

from tercet import Grammar
from tercet.errors import GrammarError, TercetError


def test_a_schema_file(tmp_path):
    path = tmp_path / "schema.json"
    path.write_text('{"type": "integer"}', "utf-8")
    assert "1" in Grammar.json(path)
    assert "1" in Grammar.json(str(path))


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ('{"type":\n"integer", }', "not JSON", "line 2"),
        ('{"a": 1,\n"type": "null",\n"type": "string"}', '"type" twice', "line 3, column 1"),
        ('{"enum": [1,\nNaN]}', "NaN", "line 2, column 1"),
        ('{"enum": [-Infinity]}', "-Infinity", "line 1, column 11"),
        ("[" * 100_000, "too deeply", "schema.json"),
        ("", "not JSON", "line 1"),
    ],
    ids=lambda text: text[:30],
)
def test_what_is_no_schema_file(tmp_path, text, message, place):
    path = tmp_path / "schema.json"
    path.write_text(text, "utf-8")
    with pytest.raises(GrammarError, match=message) as caught:
        Grammar.json(path)
    assert place in caught.value.at


def test_no_such_file(tmp_path):
    with pytest.raises(TercetError, match="can't read"):
        Grammar.json(tmp_path / "none.json")
