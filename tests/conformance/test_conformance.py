"""Real schemas and the official suite: nothing invalid is accepted, and nothing gets worse."""

from __future__ import annotations

import pytest

from benchmarks import corpus
from tercet import Grammar
from tests.conformance import ratchet
from tests.conformance.ordering import out_of_order
from tests.conformance.page import PAGE, page


def measured_or_skip(suite: str) -> dict[str, str]:
    found = ratchet.measured(suite)
    if not found:
        pytest.skip(f"no {suite} data in ../shared/data, nor in the folder that TERCET_DATA names")
    return found


@pytest.mark.parametrize("suite", ratchet.SUITES)
def test_nothing_invalid_is_accepted(suite: str) -> None:
    found = measured_or_skip(suite)
    assert [name for name, category in found.items() if category == "invalid_accepted"] == []


@pytest.mark.parametrize("suite", ratchet.SUITES)
def test_nothing_got_worse(suite: str) -> None:
    better, worse = ratchet.compared(measured_or_skip(suite), ratchet.recorded(suite))
    print(*better, sep="\n")  # to record: python -m tests.conformance.ratchet --update
    assert worse == []


def test_most_of_the_official_suite_is_right_and_the_rest_refused() -> None:
    """At least 99 % of each draft's required tests."""
    measured_or_skip("official")
    for counts in ratchet.official_tests().values():
        assert counts["right"] >= 0.99 * sum(counts.values())
        assert counts["accepts invalid"] == counts["refuses valid"] == 0


def test_a_valid_instance_is_refused_only_for_the_order_of_its_keys() -> None:
    found = measured_or_skip("maskbench")
    assert [name for name, category in found.items() if category == "valid_refused"] == []


def test_the_page_of_the_docs_says_what_is_recorded() -> None:
    """To write it: python -m tests.conformance.page."""
    assert PAGE.read_text("utf-8") == page()


@pytest.mark.filterwarnings("ignore:unknown keyword", "ignore:keyword")
def test_each_refused_order_is_shown_to_be_out_of_the_declared_one() -> None:
    found, entries = measured_or_skip("maskbench"), corpus.maskbench(1)
    for entry in (e for e in entries if found[e["name"]] == "order"):
        grammar = Grammar.json(entry["schema"])
        for test in entry["tests"]:
            if test["valid"] and corpus.text_of(test["data"]) not in grammar:
                assert out_of_order(entry["schema"], test["data"]), entry["name"]
