"""Real schemas and the official suite: nothing invalid is accepted, and nothing gets worse."""

from __future__ import annotations

from functools import cache

import pytest

from tests.conformance import ratchet
from tests.conformance.page import PAGE, page


@cache
def measured(suite: str) -> dict[str, str]:
    return ratchet.measured(suite)


def measured_or_skip(suite: str) -> dict[str, str]:
    found = measured(suite)
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


def test_a_valid_instance_is_refused_only_for_the_order_of_its_keys() -> None:
    found = measured_or_skip("maskbench")
    assert [name for name, category in found.items() if category == "valid_refused"] == []


def test_the_page_of_the_docs_says_what_is_recorded() -> None:
    """To write it: python -m tests.conformance.page."""
    assert PAGE.read_text("utf-8") == page()
