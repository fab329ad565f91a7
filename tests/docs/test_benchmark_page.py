"""The page of benchmarks and README's figures say what benchmarks/results say."""

from __future__ import annotations

import doctest

from benchmarks import page, plots

AGAIN = "python benchmarks/page.py makes it anew"


def test_page() -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.page(), AGAIN


def test_readme() -> None:
    readme = page.README.read_text(encoding="utf-8")
    assert page.with_figures(readme) == readme, AGAIN
    assert "schemas passed" in readme


def test_examples() -> None:
    assert doctest.testmod(plots).failed == 0
