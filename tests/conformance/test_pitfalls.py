"""The schemas that others get wrong: every row is as JSON Schema says, and so says the page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.pitfalls import PAGE, ROWS, page, verdicts, wanted


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["case"])
def test_every_row_is_as_wanted(row: dict[str, Any]) -> None:
    assert verdicts(row) == wanted(row)


def test_the_page_of_the_docs() -> None:
    """To write it: python -m tests.conformance.pitfalls."""
    assert PAGE.read_text("utf-8") == page()
