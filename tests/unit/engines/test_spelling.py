"""Spellings of characters by the reference engine; the automata have to agree with them."""

from __future__ import annotations

import json
from random import Random

import pytest

from tercet.automata.bytedfa import lower
from tercet.automata.chardfa import compile_regex
from tercet.automata.charset import CharSet
from tercet.automata.jsontext import Encoding
from tercet.automata.regex import Chars
from tercet.engines.spelling import chars_spelled, spellable_chars, spellings

CHARS = [*range(0x30), 0x5C, 0x7F, 0x80, 0xE9, 0xABCD, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x1F600]
ENCODINGS: list[Encoding] = ["utf8", "json", "json-any"]
BYTES = b'\\"/buAdDfF\xc3\xa9\xf0'


@pytest.mark.parametrize("cp", CHARS)
def test_every_spelling_is_json(cp: int) -> None:
    for spelled in spellings("json-any", cp):
        assert json.loads(b'"' + spelled + b'"') == chr(cp)
    assert spellings("json", cp) <= spellings("json-any", cp)
    assert len(spellings("json-any", 0x1F600)) == 1 + 2**4  # four letters


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_characters_of_a_prefix(encoding: Encoding) -> None:
    for cp in CHARS:
        for spelled in spellings(encoding, cp):
            for end in range(1, len(spelled) + 1):
                assert cp in chars_spelled(encoding, spelled[:end])
            assert len(chars_spelled(encoding, spelled)) == 1


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("seed", range(8))
def test_automata_agree(encoding: Encoding, seed: int) -> None:
    rng = Random(seed)
    charset = CharSet((cp, cp) for cp in rng.sample(CHARS, 20))
    forbidden = frozenset(rng.sample(BYTES, rng.randrange(3)))
    dfa = lower(compile_regex(Chars(charset)), encoding, forbidden)
    spellable = charset & spellable_chars(encoding, forbidden)
    assert dfa.is_empty == (not spellable)
    states = {b"": 0}
    queue = [b""] if spellable else []
    for known in queue:  # grows while it is read
        for byte in range(256):
            spelled = known + bytes([byte])
            target = int(dfa.table[states[known], byte])
            possible = spellable & chars_spelled(encoding, spelled, forbidden)
            alive = bool(possible) and byte not in forbidden
            assert (target >= 0) == alive, spelled
            if alive and dfa.accept[target]:
                (cp,) = possible
                assert spelled in spellings(encoding, cp)
            elif alive:
                queue.append(spelled)
                states[spelled] = target


def test_without_a_digit() -> None:
    forbidden = frozenset(b"\xc3aA")
    assert 0xE9 in chars_spelled("json-any", b"\\u00", forbidden)
    assert 0xEA not in chars_spelled("json-any", b"\\u00", forbidden)
    assert 0xE9 not in chars_spelled("json-any", b"\xc3", forbidden)
    assert 0xEA not in spellable_chars("json-any", forbidden)
    assert 0x1F600 in chars_spelled("json-any", b"\\uD83d\\uD", forbidden)
    assert 0x1F600 not in chars_spelled("json-any", b"\\uD83d\\uD", forbidden | {0x30})
