"""`tercet run`: with a scripted model, so that no weights are needed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from tercet.cli.main import app
from tercet.cli.outcome import Exit
from tercet.testing import scripted

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 20}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
ADA = '{"name": "Ada", "age": 36}'


@pytest.fixture
def schema(tmp_path: Path) -> str:
    path = tmp_path / "person.json"
    path.write_text(json.dumps(PERSON))
    return str(path)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the model will say, once for each prompt."""
    lines: list[str] = []
    monkeypatch.setattr("tercet.models.load.load", lambda _: scripted(*lines))
    return lines


def _run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, ["run", *arguments], input=stdin)


def test_prints_the_answer_and_nothing_else_to_stdout(schema: str, answers: list[str]) -> None:
    answers.append(ADA)
    result = _run("--schema", schema, "Who?")
    assert result.exit_code == Exit.OK, result.output
    assert json.loads(result.stdout) == {"name": "Ada", "age": 36}
    assert "tokens" in result.stderr


def test_prompt_from_stdin(schema: str, answers: list[str]) -> None:
    answers.append(ADA)
    assert _run("--schema", schema, stdin="Who?").exit_code == Exit.OK


def test_json_has_the_figures(schema: str, answers: list[str]) -> None:
    answers.append(ADA)
    document = json.loads(_run("--schema", schema, "--json", "Who?").stdout)
    assert document["value"] == {"name": "Ada", "age": 36}
    assert document["text"] == ADA
    assert document["tokens"] > 0


def test_many_prompts(schema: str, answers: list[str], tmp_path: Path) -> None:
    answers += [ADA, '{"name": "Bob", "age": 1}']
    (tmp_path / "prompts.txt").write_text("Who?\n\nAnd who else?\n")
    arguments = ["--schema", schema, "--prompts", str(tmp_path / "prompts.txt")]
    lines = [json.loads(line) for line in _run(*arguments).stdout.splitlines()]
    assert [line["name"] for line in lines] == ["Ada", "Bob"]
    lines = [json.loads(line) for line in _run(*arguments, "--json").stdout.splitlines()]
    assert [line["prompt"] for line in lines] == ["Who?", "And who else?"]


def test_cut_off_answer(schema: str, answers: list[str]) -> None:
    answers.append(ADA)
    result = _run("--schema", schema, "--max-tokens", "3", "Who?")
    assert result.exit_code == Exit.TRUNCATED
    assert "max_tokens" in result.stderr


def test_bad_schema_is_refused_before_the_model_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "schema.json").write_text('{"not": {}}')
    monkeypatch.setattr("tercet.models.load.load", lambda _: pytest.fail("loaded a model"))
    result = _run("--schema", str(tmp_path / "schema.json"), "Who?")
    assert result.exit_code in (Exit.REFUSED, Exit.UNSATISFIABLE)


def test_interrupt_ends_quietly(schema: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tercet.models.load.load", interrupted)
    result = _run("--schema", schema, "Who?")
    assert result.exit_code == Exit.INTERRUPTED
    assert result.stderr.endswith("interrupted\n")


def test_prompt_and_prompts_exclude_each_other(schema: str) -> None:
    assert _run("--schema", schema, "--prompts", "x", "Who?").exit_code == Exit.USAGE


def test_missing_prompts_file(schema: str) -> None:
    result = _run("--schema", schema, "--prompts", "no-such-file")
    assert result.exit_code == Exit.FAILED
    assert "no-such-file" in result.stderr
