"""Options of the test run.

`--engine reference|fast|both` says which engines the differential tests run; `both` is the
default. The engine of the rest of the library is chosen with the variable TERCET_ENGINE.
`--forgetful` lets compiled grammars forget everything whenever they may, so that every step of
every matcher makes its states again: nobody may notice.
"""

from __future__ import annotations

import pytest

ENGINES = ("reference", "fast")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", choices=(*ENGINES, "both"), default="both")
    parser.addoption("--forgetful", action="store_true")


@pytest.fixture(autouse=True)
def _forgetful(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.config.getoption("--forgetful"):
        from tercet.engines.ledger import LEDGER

        monkeypatch.setattr(LEDGER, "limit", -1)
        monkeypatch.setattr("tercet.engines.ledger._has_doubled", lambda holder: True)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("--engine")
        metafunc.parametrize("engine", ENGINES if chosen == "both" else [chosen])
