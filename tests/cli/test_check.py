"""`tercet check`: a verdict in words, in JSON and as an exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from tercet.cli.main import app
from tercet.cli.outcome import Exit


def _check(tmp_path: Path, schema: object, *options: str) -> Result:
    path = tmp_path / "schema.json"
    path.write_text(schema if isinstance(schema, str) else json.dumps(schema))
    return CliRunner().invoke(app, ["check", str(path), *options])


REFUSED = {"type": "array", "items": {"type": "array", "maxItems": 2}, "uniqueItems": True}


def test_exact(tmp_path: Path) -> None:
    result = _check(tmp_path, {"type": "integer", "minimum": 3})
    assert result.exit_code == Exit.OK
    assert result.stdout == "exact: every keyword is enforced\n"


def test_relaxed(tmp_path: Path) -> None:
    result = _check(tmp_path, REFUSED, "--lax", "uniqueItems")
    assert result.exit_code == Exit.RELAXED
    assert result.stdout == "relaxed: all is enforced but uniqueItems\n"


def test_refused_says_where_why_and_what_to_do(tmp_path: Path) -> None:
    result = _check(tmp_path, REFUSED)
    assert result.exit_code == Exit.REFUSED
    assert result.stdout == ""
    for part in ("UnsupportedSchemaError", "/uniqueItems", "^^^^", "why", "try"):
        assert part in result.stderr


@pytest.mark.parametrize(
    ("schema", "code", "verdict"),
    [
        (REFUSED, Exit.REFUSED, "refused"),
        ({"type": "integer", "minimum": 3, "maximum": 2}, Exit.UNSATISFIABLE, "unsatisfiable"),
        ({"type": "strng"}, Exit.NOT_A_SCHEMA, "not a schema"),
        ("{oops", Exit.NOT_A_SCHEMA, "not a schema"),
        ("[" * 200_000, Exit.NOT_A_SCHEMA, "not a schema"),
    ],
)
def test_verdict_for_scripts(tmp_path: Path, schema: object, code: int, verdict: str) -> None:
    result = _check(tmp_path, schema, "--json")
    assert result.exit_code == code
    document = json.loads(result.stdout)
    assert document["verdict"] == verdict
    assert document["error"]["message"]


def test_error_in_json_has_its_parts(tmp_path: Path) -> None:
    error = json.loads(_check(tmp_path, REFUSED, "--json").stdout)["error"]
    assert error["type"] == "UnsupportedSchemaError"
    assert error["pointer"] == "/uniqueItems"
    assert error["keyword"] == "uniqueItems"


def test_exact_for_scripts(tmp_path: Path) -> None:
    document = json.loads(_check(tmp_path, {"type": "null"}, "--json").stdout)
    assert document == {"verdict": "exact", "relaxed": [], "warnings": []}


def test_schema_from_stdin() -> None:
    result = CliRunner().invoke(app, ["check", "-"], input='{"type": "boolean"}')
    assert result.exit_code == Exit.OK


def test_broken_json_is_marked(tmp_path: Path) -> None:
    result = _check(tmp_path, '{"type": "string",\n "minLength" 3}')
    assert "line 2, column 14" in result.stderr
    assert "^" in result.stderr


def test_missing_file() -> None:
    result = CliRunner().invoke(app, ["check", "no-such-file.json"])
    assert result.exit_code == Exit.FAILED
    assert "no-such-file.json" in result.stderr


def test_misspelt_keyword_is_a_warning(tmp_path: Path) -> None:
    result = _check(tmp_path, {"type": "object", "propertis": {}})
    assert result.exit_code == Exit.OK
    assert 'warning: unknown keyword "propertis"' in result.stderr
    assert result.stdout == "exact: every keyword is enforced\n"


def test_usage_error() -> None:
    assert CliRunner().invoke(app, ["check"]).exit_code == Exit.USAGE
