"""A few random walks for every case: each must end in a text that an outside judge accepts."""

from __future__ import annotations

import random
import zlib
from functools import cache

import pytest

from tercet import UnsatisfiableError, compile
from tests.differential import specs
from tests.differential.cases import Case, working_cases
from tests.differential.vocabularies import NAMES, vocabulary
from tests.properties.walks import Outcome, Walker, run

WALKS = 3


@cache
def walker(name: str) -> Walker:
    return Walker(vocabulary(name))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in working_cases()])
def test_walks_end_valid(case: Case, name: str) -> None:
    try:
        constraint = compile(specs.grammar(case), vocabulary(name))
    except UnsatisfiableError:
        pytest.skip("this vocabulary can't write any text of the language")
    judge = None if case.judge == "none" else specs.judge_of(case)
    rng = random.Random(zlib.crc32(f"{case.id} {name}".encode()))
    for _ in range(WALKS):
        text = walker(name).walk(constraint, rng).decode()
        assert judge is None or judge(text), text


def test_walks_on_real_schemas() -> None:
    """The run of `python -m tests.properties.walks`, on a small scale."""
    outcomes = run(walks=90, schemas=30, seed=1)
    walked = Outcome()
    for outcome in outcomes.values():
        walked.counts += outcome.counts
        walked.failures += outcome.failures
    if not walked.counts["walks"]:
        pytest.skip("no MaskBench schemas in ../shared/data, nor in the folder of TERCET_DATA")
    assert walked.failures == []
