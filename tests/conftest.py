"""Options of the test run.

`--engine reference|fast|both` says which engines the differential tests run; `both` is the
default. The engine of the rest of the library is chosen with the variable TERCET_ENGINE.
"""

from __future__ import annotations

import pytest

ENGINES = ("reference", "fast")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", choices=(*ENGINES, "both"), default="both")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("--engine")
        metafunc.parametrize("engine", ENGINES if chosen == "both" else [chosen])
