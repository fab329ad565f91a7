"""Byte automata spell exactly the characters, keep their boundaries and know their lengths."""

from __future__ import annotations

import json
from random import Random

import numpy as np
import pytest

from tercet import GrammarError
from tercet.automata.bytedfa import UNBOUNDED, ByteDFA, Encoding, lower
from tercet.automata.chardfa import compile_regex
from tercet.automata.charset import CharSet
from tercet.automata.parse import parse
from tercet.automata.regex import ANY_CHAR, ANY_TEXT, NEVER, Regex, chars, concat, repeat, union
from tests.unit.automata.rounds import equivalence, useful

EDGES = [
    *(0, 1, 8, 9, 10, 12, 13, 0x1F, 0x20, 0x22, 0x2F, 0x5C, 0x61, 0x75, 0x7F, 0x80, 0x7FF, 0x800),
    *(
        0xFFF,
        0x1000,
        0xD7FF,
        0xE000,
        0xFFFF,
        0x10000,
        0x3FFFF,
        0x40000,
        0xFFFFF,
        0x100000,
        0x10FFFF,
    ),
]
ENCODINGS: list[Encoding] = ["utf8", "json"]
BYTES = [0x22, 0x30, 0x5C, 0x61, 0x75, 0x80, 0xBF, 0xC3, 0xE0, 0xED, 0xF0]


def encode(text: str, encoding: Encoding) -> bytes:
    return (text if encoding == "utf8" else json.dumps(text, ensure_ascii=False)[1:-1]).encode()


def run(dfa: ByteDFA, data: bytes) -> int:
    state = 0
    for byte in data:
        state = int(dfa.table[state, byte]) if state >= 0 else -1
    return state


def accepts(dfa: ByteDFA, data: bytes) -> bool:
    state = run(dfa, data)
    return state >= 0 and bool(dfa.accept[state])


def random_regex(rng: Random) -> Regex:
    """Sets with ends where the length of the encoding changes."""
    a, b, c = (
        chars(CharSet([tuple(sorted(rng.choices(EDGES, k=2))) for _ in range(rng.randint(1, 3))]))
        for _ in range(3)
    )
    return union(concat(a, repeat(b, 0, 2)), concat(c, a))


def random_text(rng: Random) -> str:
    return "".join(map(chr, rng.choices(EDGES, k=rng.randint(0, 3))))


def check_shape(dfa: ByteDFA) -> None:
    """Trimmed and minimal, but for boundaries."""
    rows = dfa.table.tolist()
    assert dfa.table.dtype == np.int32
    assert all(useful(rows, dfa.accept.tolist())) or dfa.is_empty
    colours = list(zip(dfa.accept.tolist(), dfa.boundary.tolist(), strict=True))
    assert len(set(equivalence(rows, colours))) == len(rows)
    assert dfa.boundary[0]
    assert dfa.boundary[dfa.accept].all()
    targets = [sorted({t for t in row if t >= 0}) for row in rows]
    assert [sorted(found) for found in dfa.successors] == targets
    assert {0}.union(*targets) == set(range(len(rows)))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("seed", range(40))
def test_spelling(seed: int, encoding: Encoding) -> None:
    rng = Random(seed)
    dfa = compile_regex(random_regex(rng))
    lowered = lower(dfa, encoding)
    check_shape(lowered)
    for text in (random_text(rng) for _ in range(60)):
        assert accepts(lowered, encode(text, encoding)) == dfa.accepts(text)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("seed", range(40))
def test_forbidden_bytes(seed: int, encoding: Encoding) -> None:
    rng = Random(seed)
    dfa = compile_regex(random_regex(rng))
    forbidden = frozenset(rng.sample(BYTES, 2))
    lowered = lower(dfa, encoding, forbidden)
    check_shape(lowered)
    for text in (random_text(rng) for _ in range(60)):
        data = encode(text, encoding)
        expected = dfa.accepts(text) and forbidden.isdisjoint(data)
        assert accepts(lowered, data) == expected, (text, forbidden)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_character(encoding: Encoding) -> None:
    """One automaton for all characters: each is spelled as `json` and UTF-8 spell it."""
    dfa = lower(compile_regex(ANY_CHAR), encoding)
    for code in (*range(0x3000), *EDGES, *range(0x4000, 0x110000, 997)):
        if not 0xD800 <= code < 0xE000:
            assert accepts(dfa, encode(chr(code), encoding)), hex(code)


@pytest.mark.parametrize(
    "data",
    [
        *(b"\xc0\x80", b"\xc1\xbf", b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xed\xa0\x80"),
        *(b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\x80", b"\xff"),
    ],
)
def test_ill_formed_utf8_is_dead(data: bytes) -> None:
    for encoding in ENCODINGS:
        assert run(lower(compile_regex(ANY_TEXT), encoding), data) == -1


@pytest.mark.parametrize(
    "data", [b'"', b"\n", b"\\/", b"\\u0041", b"\\u000A", b"\\u000a", b"\\u001F", b"\\x", b"\x1f"]
)
def test_other_spellings_of_json_are_dead(data: bytes) -> None:
    assert not accepts(lower(compile_regex(ANY_TEXT), "json"), data)


def random_spelling(rng: Random, text: str) -> bytes:
    """Some of the spellings that RFC 8259 has for a text."""
    spelled = b""
    for char in text:
        hexadecimal = json.dumps(f"{char}")[1:-1] if char > "\x7f" else f"\\u{ord(char):04x}"
        ways = [encode(char, "json"), hexadecimal.encode()]
        ways.append(hexadecimal.upper().replace("\\U", "\\u").encode())
        spelled += rng.choice([*ways, b"\\/"] if char == "/" else ways)
    return spelled


@pytest.mark.parametrize("seed", range(15))
def test_every_spelling_of_json(seed: int) -> None:
    rng = Random(seed)
    dfa = compile_regex(random_regex(rng))
    lowered = lower(dfa, "json-any")
    check_shape(lowered)
    for text in (random_text(rng) for _ in range(60)):
        data = random_spelling(rng, text)
        assert json.loads(b'"' + data + b'"') == text
        state = run(lowered, data)
        assert (state >= 0 and bool(lowered.accept[state])) == dfa.accepts(text)
        assert state < 0 or lowered.boundary[state]


@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_accepted_is_json(seed: int) -> None:
    """Walks through any text, among them pairs of surrogates, and never half a pair."""
    rng = Random(seed)
    lowered = lower(compile_regex(ANY_TEXT), "json-any")
    for _ in range(60):
        state, data, chars_read = 0, b"", 0
        while len(data) < 40 or not lowered.accept[state]:
            live = [byte for byte in range(256) if lowered.table[state, byte] >= 0]
            byte = 0x5C if 0x5C in live and rng.random() < 0.5 else rng.choice(live)
            state = int(lowered.table[state, byte])
            data += bytes([byte])
            chars_read += bool(lowered.boundary[state])
        text = json.loads(b'"' + data + b'"')
        text.encode()
        assert len(text) == chars_read


def test_spellings_without_a_byte() -> None:
    lowered = lower(compile_regex(parse("é")), "json-any", frozenset({0xC3, 0x45}))
    assert accepts(lowered, rb"\u00e9")
    assert not accepts(lowered, rb"\u00E9")
    assert not accepts(lowered, "é".encode())


@pytest.mark.parametrize(
    "data",
    [
        *(rb"\ud83d", rb"\ud83dx", rb"\ud83d\u0041", rb"\ude00", rb"\ude00\ud83d", rb"\u12"),
        *(rb"\ud83d\ud83d", b"\n", b'"', rb"\x", rb"\U0041", rb"\ud83d\\", rb"\u{41}", rb"\'"),
    ],
)
def test_no_spelling_of_json(data: bytes) -> None:
    assert not accepts(lower(compile_regex(ANY_TEXT), "json-any"), data)


def test_string_interior_is_small_and_remembered() -> None:
    dfa = compile_regex(ANY_TEXT)
    assert len(lower(dfa, "json").table) == 14
    assert len(lower(dfa, "json-any").table) == 20
    assert len(lower(dfa, "utf8").table) == 8
    assert lower(compile_regex(parse("(?s).*")), "json") is lower(dfa, "json")
    assert lower(dfa, "utf8", frozenset({0xFF})) is lower(dfa, "utf8")


def test_empty() -> None:
    dfa = lower(compile_regex(NEVER), "utf8")
    assert dfa.is_empty
    assert dfa.table.shape == (1, 256)
    assert lower(compile_regex(parse("é")), "utf8", frozenset({0xC3})).is_empty


def possible_counts(dfa: ByteDFA) -> list[set[int]]:
    """For each state of a finite language all counts of characters, by brute force."""
    counts: list[set[int]] = [set() for _ in dfa.accept]
    changed = True
    while changed:
        before = [set(found) for found in counts]
        for state, targets in enumerate(dfa.successors):
            reached = {n + int(dfa.boundary[t]) for t in targets for n in counts[t]}
            counts[state] = reached | ({0} if dfa.accept[state] else set())
        changed = counts != before
    return counts


@pytest.mark.parametrize(
    "source",
    ["a{2,5}", "a|bcd", "(ab){0,3}", "é{1,2}(ü|xyz)?", "", "[é😀]{3}", "a(bc)?(def)?", "(a|éé){2}"],
)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_counts_of_finite_languages(source: str, encoding: Encoding) -> None:
    dfa = lower(compile_regex(parse(source)), encoding)
    counts = possible_counts(dfa)
    assert dfa.dmin.tolist() == [min(found) for found in counts]
    assert dfa.dmax.tolist() == [max(found) for found in counts]
    full = [max(found) - min(found) + 1 == len(found) for found in counts]
    assert dfa.lengths_are_intervals == all(full)


@pytest.mark.parametrize(
    ("source", "least", "greatest", "intervals"),
    [
        ("a*", 0, UNBOUNDED, True),
        ("(aa)*", 0, UNBOUNDED, False),
        ("(aa|aaa)*", 0, UNBOUNDED, False),
        ("a?(aa)*", 0, UNBOUNDED, True),
        (r"[^@]+@[^@]+\.[a-z]+", 5, UNBOUNDED, True),
        ("[a-z]*x", 1, UNBOUNDED, True),
        (r"\d{4}-\d{2}", 7, 7, True),
    ],
)
def test_counts(source: str, least: int, greatest: int, intervals: bool) -> None:
    dfa = lower(compile_regex(parse(source)), "json")
    assert (dfa.dmin[0], dfa.dmax[0]) == (least, greatest)
    assert dfa.lengths_are_intervals == intervals


def test_inside_a_character_it_is_still_to_complete() -> None:
    dfa = lower(compile_regex(parse("é{2}")), "utf8")
    state = run(dfa, b"\xc3")
    assert not dfa.boundary[state]
    assert (dfa.dmin[state], dfa.dmax[state]) == (2, 2)


def test_too_many_states() -> None:
    with pytest.raises(GrammarError, match="byte states"):
        lower(compile_regex(repeat(ANY_CHAR, 0, 9000)), "utf8")
