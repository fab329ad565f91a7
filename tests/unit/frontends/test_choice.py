"""Choices are written bare and read back as the value that was given."""

import enum

import pytest

from tercet.errors import GrammarError
from tercet.frontends.choice import lower
from tests.unit.frontends.texts import Texts


class Colour(enum.Enum):
    RED = "red"

    def __str__(self):
        return self.value


def test_texts_and_values():
    options = ["a", "ab", 1, 2.5, None, Colour.RED, ("x",), "é\n"]
    language, values = lower(options)
    assert all(str(option) in Texts(language) for option in options)
    assert [values[str(option)] for option in options] == options
    assert "b" not in Texts(language)


def test_the_empty_text_is_an_option():
    language, values = lower(["", "a"])
    assert "" in Texts(language)
    assert set(values) == {"", "a"}


def test_the_same_option_twice():
    assert list(lower(["a", "a", 1, 1])[1]) == ["a", "1"]


@pytest.mark.parametrize("options", [[], ["1", 1], [True, "True"], [1, 1.0, "1.0"], ["\ud800"]])
def test_refused(options):
    with pytest.raises(GrammarError):
        lower(options)
