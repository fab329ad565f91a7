"""The automata that are kept as data are those that their languages would be built into."""

from __future__ import annotations

import pytest

from tercet.automata.chardfa import compile_regex
from tercet.automata.formats import FORMATS
from tercet.automata.numbers import number_between
from tercet.automata.stored import stored
from tests.unit.automata.storing import built

BUILT = built()


@pytest.mark.parametrize("name", BUILT)
def test_stored_as_built(name: str) -> None:
    assert stored(name) == BUILT[name], "run python -m tests.unit.automata.storing"


def test_used() -> None:
    assert stored("format none") is None
    assert compile_regex(FORMATS["email"]) is stored("format email")
    assert compile_regex(number_between()) is stored("number")
