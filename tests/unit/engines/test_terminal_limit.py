"""Tables of terminals are shared until they are large; then grammars begin with new ones."""

from __future__ import annotations

import gc
import threading
from weakref import ref

import numpy as np
import pytest

from tercet import Grammar
from tercet.automata.remembering import remembered
from tercet.constraint import Constraint
from tercet.engines import terminals
from tercet.testing import byte_vocabulary, hostile_vocabulary


def constraint(pattern: str) -> Constraint:
    return Constraint(Grammar.regex(pattern), hostile_vocabulary(), engine="fast")


def tables_of(made: Constraint) -> terminals.TerminalTables:
    return made._cursors.current().recognizer._tables


def test_size_grows_with_what_is_kept() -> None:
    tables = terminals.TerminalTables(byte_vocabulary())
    before = tables.size
    tables._keep(np.zeros(1000, np.int32))
    assert tables.size == before + 4000


def test_tables_are_shared_until_they_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = constraint("[a-f]{3}x*"), constraint("[b-g]+")
    assert tables_of(one) is tables_of(other)
    monkeypatch.setattr(terminals, "_ROOM", 0)
    matcher = one.matcher()
    later = constraint("[a-f]{3}x*")
    assert tables_of(later) is not tables_of(one)
    twin = later.matcher()
    text = [hostile_vocabulary().tokens.index(word) for word in (b"ab", b"a")]
    for token in text:
        assert (matcher.mask() == twin.mask()).all()
        matcher.advance(token)
        twin.advance(token)
    assert np.array_equal(matcher.mask(), twin.mask())


def test_old_tables_go_with_their_last_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminals, "_ROOM", 0)
    old = constraint("[c-h]{2,5}")
    kept = ref(tables_of(old))
    new = constraint("[c-h]{2,4}")
    assert tables_of(new) is not kept()
    del old
    gc.collect()
    assert kept() is None


def test_threads_may_remember_together() -> None:
    @remembered(50, len)
    def spelt(number: int) -> str:
        return "x" * (number % 20)

    wrong: list[int] = []

    def ask() -> None:
        numbers = [number * 7 % 40 for number in range(3000)]
        wrong.extend(number for number in numbers if len(spelt(number)) != number % 20)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
