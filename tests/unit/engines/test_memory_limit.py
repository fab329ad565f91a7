"""Memory that is let go comes back, and nobody notices; grammars that are dropped free theirs."""

from __future__ import annotations

import gc
import random
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tercet import Batch, Grammar, TercetError
from tercet.constraint import Constraint
from tercet.engines.ledger import LEDGER, Ledger, parsed_size
from tercet.kernels import layout as at
from tercet.testing import byte_vocabulary

SCHEMA = {
    "type": "object",
    "properties": {
        "names": {
            "type": "array",
            "items": {"type": "string", "maxLength": 5},
            "uniqueItems": True,
        },
        "size": {"type": "number", "minimum": 0, "maximum": 1e6},
    },
}


def constraint(seed: int = 0) -> Constraint:
    return Constraint(Grammar.json({**SCHEMA, "title": str(seed)}), byte_vocabulary())


def step(matcher, choose: random.Random) -> bool:
    """Take a random token; False at the end."""
    allowed = np.flatnonzero(matcher.mask()).tolist()
    token = choose.choice(allowed)
    matcher.advance(token)
    return token != 256


@pytest.fixture
def small_limit(monkeypatch):
    """Everything that isn't in use goes at once, and what has doubled too."""
    monkeypatch.setattr(LEDGER, "limit", 0)


class Held:
    """A holder for tests."""

    def __init__(self, size: int, base: int = 1, *, idle: bool = False, busy: bool = False) -> None:
        self.size, self.base, self.is_idle, self.busy = size, base, idle, busy

    def let_go(self) -> bool:
        if not self.busy:
            self.size = 0
        return not self.busy


def test_the_idle_go_first_and_the_least_recent_of_them():
    ledger = Ledger(100)
    holders = [Held(40, idle=True), Held(30, idle=True), Held(60)]
    keys = [ledger.enter(holder) for holder in holders]
    ledger.touch(keys[0])
    ledger.settle()
    assert [holder.size for holder in holders] == [40, 0, 60]
    assert ledger.used == 100


def test_those_in_use_go_when_they_have_doubled_the_fattest_first():
    ledger = Ledger(50)
    holders = [Held(40, 30), Held(30, 15), Held(60, 20), Held(70, 20, busy=True)]
    _keys = [ledger.enter(holder) for holder in holders]
    ledger.settle()
    assert [holder.size for holder in holders] == [40, 0, 0, 70]
    ledger.limit = 200
    ledger.settle()
    assert ledger.used == 110


def test_a_holder_that_is_gone_counts_no_more():
    ledger = Ledger(50)
    holder = Held(40)
    ledger.enter(holder)
    del holder
    gc.collect()
    assert ledger.used == 0


def test_matchers_go_on_after_their_memory_was_let_go():
    shared, choose = constraint(), random.Random(1)
    matcher, twin = shared.matcher(), constraint().matcher()
    for _ in range(60):
        assert shared._cursors.let_go()
        assert (matcher.mask() == twin.mask()).all()
        assert shared._cursors.let_go()
        token = choose.choice(np.flatnonzero(twin.mask()).tolist())
        matcher.advance(token)
        twin.advance(token)
        if twin.is_finished:
            break
        assert shared._cursors.let_go()
        assert matcher.is_accepting == twin.is_accepting
        assert matcher.tokens == twin.tokens
        if len(twin.tokens) % 7 == 6:
            shared._cursors.let_go()
            matcher.rollback(3)
            twin.rollback(3)


def test_a_batch_goes_on_too():
    shared, choose = [constraint(n) for n in range(3)], random.Random(2)
    matchers = [shared[n % 3].matcher() for n in range(9)]
    bits, wanted = np.zeros((9, 9), np.int32), np.zeros((9, 9), np.int32)
    for _ in range(20):
        for matcher in matchers:
            if not matcher._cursor.has_ended:
                step(matcher, choose)
        Batch([m.fork() for m in matchers]).fill_bitmask(wanted)
        for one in choose.sample(shared, 2):
            one._cursors.let_go()
        Batch(matchers).fill_bitmask(bits)
        assert (bits == wanted).all()
        shared[0]._cursors.let_go()
        assert not Batch(matchers).advance([300] * 9).any()


def test_an_error_while_states_are_made_again_loses_nothing(monkeypatch):
    shared = constraint()
    matcher = shared.matcher()
    for byte in b'{"names": ["a", "b"':
        matcher.advance(byte)
    before, tokens = matcher.mask(), matcher.tokens
    shared._cursors.let_go()
    shared._cursors.current()

    def fail(self):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr("tercet.engines.fast.FastRecognizer.answer_trap", fail)
        with pytest.raises(MemoryError):
            matcher.mask()
        assert matcher.tokens == tokens
    assert (matcher.mask() == before).all()


@pytest.mark.usefixtures("small_limit")
def test_unique_texts_without_end_stay_in_bounds():
    """Every prefix of a text that must be unique is a state: the cache would grow for ever."""
    shared = Constraint(
        Grammar.json({"type": "array", "items": {"type": "string"}, "uniqueItems": True}),
        byte_vocabulary(),
    )
    matcher, sizes, epochs = shared.matcher(), [], set()
    matcher.advance(ord("["))
    for number in range(1500):
        for byte in b'"%05d"' % (7 * number):
            matcher.advance(byte)
        matcher.rollback(7)  # the text in hand stays short, what was learnt grows
        sizes.append(shared._cursors.size)
        epochs.add(shared._cursors._record[at.HANDLE_EPOCH])
    assert len(epochs) > 2
    assert max(sizes) < 12 << 20


def test_a_grammar_that_is_dropped_is_freed():
    one = constraint(99)
    matcher, used = one.matcher(), LEDGER.used
    step(matcher, random.Random(1))
    source, memory = weakref.ref(one._cursors), weakref.ref(one._cursors.current().recognizer)
    del one
    gc.collect()
    assert source() is not None  # its matcher is still there
    del matcher
    gc.collect()
    assert source() is None
    assert memory() is None
    assert LEDGER.used < used


@pytest.mark.usefixtures("small_limit")
def test_threads_share_grammars_whose_memory_comes_and_goes():
    shared = [constraint(n) for n in range(3)]

    def walk(seed: int) -> list[tuple[list[int], bool]]:
        choose, seen = random.Random(seed), []
        for _ in range(5):
            matcher = choose.choice(shared).matcher()
            for _ in range(30):
                if choose.random() < 0.1:
                    choose.choice(shared)._cursors.let_go()
                if not step(matcher, choose):
                    break
            Batch([matcher.fork(), matcher]).fill_bitmask(np.zeros((2, 9), np.int32))
            seen.append((matcher.tokens, matcher.is_accepting))
        return seen

    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(walk, range(6)))
    fresh = constraint()
    for tokens, is_accepting in (pair for seen in together for pair in seen):
        assert fresh.matcher().accepts(tokens) == len(tokens)
        judge = fresh.matcher()
        for token in tokens:
            judge.advance(token)
        assert judge.is_accepting == is_accepting


@pytest.mark.parametrize(
    ("text", "size"), [("0", 0), ("64 MB", 64 << 20), ("1.5GiB", 3 << 29), ("7k", 7 << 10)]
)
def test_sizes(text, size):
    assert parsed_size(text) == size


@pytest.mark.parametrize("text", ["", "MB", "12 apples", "1TB"])
def test_wrong_sizes(text):
    with pytest.raises(TercetError, match="is not a size"):
        parsed_size(text)
