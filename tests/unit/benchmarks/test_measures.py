"""What the benchmarks compute from what they measure: percentiles, verdicts, turns, places."""

from __future__ import annotations

import doctest
import json
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks import corpus, following, jsonschemabench, summing, supervising, tables, timing


@pytest.mark.parametrize("module", [corpus, jsonschemabench, summing, supervising, tables, timing])
def test_examples(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


def test_percentiles_are_in_microseconds() -> None:
    found = timing.percentiles(range(1000, 101_000, 1000))
    assert (found["p50"], found["p99"], found["max"], found["mean"]) == (50.5, 99.01, 100, 50.5)
    assert found["count"] == 100
    assert timing.percentiles([]) == {"count": 0}


def test_curves_rise_to_the_end() -> None:
    assert sorted(timing.CURVE) == timing.CURVE
    assert timing.CURVE[-1] == 100
    assert timing.curve(range(1, 1001))[-1] == 1.0


class _Engine:
    """Accepts tokens in ascending order; "slow" schemas aren't compiled."""

    def __init__(self) -> None:
        self.row = [-1]

    def compile(self, schema: Any) -> _Engine:
        if schema == "refused":
            raise ValueError("no\nmore")
        return self

    def start(self) -> None:
        self.last = -1

    def mask(self) -> None:
        self.row[0] = sum(1 << token for token in range(self.last + 1, 32))

    def advance(self, token: int) -> bool:
        taken, self.last = token > self.last, token
        return taken

    def is_accepting(self) -> bool:
        return self.last > 5


def _record(schema: str, tests: list[tuple[bool, list[int]]]) -> dict[str, Any]:
    entry = {"schema": schema, "tests": [{"valid": valid} for valid, _ in tests]}
    return following.measured(_Engine(), entry, [tokens for _, tokens in tests], lambda _: None)


def test_following_counts_the_refused_token() -> None:
    found = _record("any", [(True, [1, 7]), (False, [1, 1, 2]), (True, [1, 2])])
    assert found["tests"] == [[True, True, 2, 2], [False, False, 1, 3], [True, False, 2, 2]]
    assert len(found["wall"]) == len(found["cpu"]) == 6
    assert found["differ"] == 0
    assert len(list(summing.places(found["tests"]))) == 6


def test_sums() -> None:
    records = [
        {"name": "a", "engine": "e", **_record("any", [(True, [1, 7]), (False, [1, 1])])},
        {"name": "b", "engine": "e", **_record("any", [(False, [1, 7])])},
        {"name": "c", "engine": "e", **_record("refused", [])},
        {"name": "d", "engine": "e", "failed": "no answer within 3 s", "step": "compiling"},
    ]
    found = summing.sum_up(records, ["e"], 3)["engines"]["e"]
    assert found["counts"] == {
        "compiled": 2,
        "passing": 1,
        "refused": 1,
        "failed": 1,
        "valid accepted": 1,
        "invalid refused": 1,
        "invalid accepted": 1,
        "mask and advance differ": 0,
    }
    assert found["refused"] == {"c": "ValueError: no"}
    assert found["first_mask_us"]["max"] == 3_000_000
    assert found["first_mask_us"]["count"] == 3
    assert found["token_us"]["count"] == 6
    assert found["invalid_accepted"] == [{"name": "b", "test": 0, "token": 2, "of": 2}]
    assert {tuple(place[1:]) for place in found["slowest_tokens"]} == {
        ("a", 0, 0),
        ("a", 0, 1),
        ("a", 1, 0),
        ("a", 1, 1),
        ("b", 0, 0),
        ("b", 0, 1),
    }


def test_a_folder_is_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps({"schema": {}, "tests": [{"valid": True}]}))
    (tmp_path / "other.json").write_text("{}")
    assert corpus.load(str(tmp_path)) == [{"name": "one", "schema": {}, "tests": [{"valid": True}]}]


def test_the_run_outlives_an_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "following.py"
    script.write_text(
        textwrap.dedent("""
            import json, os, sys, time
            def say(message): print(json.dumps(message), flush=True)
            say({"ready": {}})
            for name, engine in json.loads(sys.stdin.readline())["pairs"]:
                say({"next": [name, engine]})
                say({"begin": "compiling"})
                if name == "hangs": time.sleep(60)
                if name == "dies": os._exit(3)
                say({"refused": name})
        """)
    )
    monkeypatch.setattr(supervising, "__file__", str(tmp_path / "supervising.py"))
    pairs = supervising.turns(["fine", "hangs", "dies", "good"], ["e"])
    found = list(supervising.records({}, pairs, 1.0, log=tmp_path / "log"))
    assert [record.get("name") for record in found] == [None, "fine", "hangs", "dies", "good"]
    assert found[2]["failed"] == "no answer within 1 s"
    assert found[3]["failed"] == "ended with exit code 3"
    assert found[2]["step"] == "compiling"


def test_measures_of_jsonschemabench() -> None:
    done = {"compile": 2000, "first_token": 9000, "per_token": 3000, "inside": [1000, 5000]}
    answers = [
        {**done, "name": "a", "finished": True, "valid": True},
        {**done, "name": "b", "finished": True, "valid": False},
        {**done, "name": "c", "finished": False, "valid": False},
        {"refused": "no", "name": "d", "valid": False},
    ]
    found = jsonschemabench.sum_up(answers)
    assert found["declared_coverage"] == 0.75
    assert found["empirical_coverage"] == 0.25
    assert found["compliance"] == 0.5
    assert found["invalid"] == ["b"]
    assert found["processor_us"]["mean"] == 3.0


@pytest.mark.parametrize(
    ("text", "valid"), [('{"a": 1}', True), ('{"a": "1"}', False), ('{"a": ', False), ("", False)]
)
def test_answers_are_judged_by_jsonschema(text: str, *, valid: bool) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    assert jsonschemabench.is_valid(schema, text) == valid
