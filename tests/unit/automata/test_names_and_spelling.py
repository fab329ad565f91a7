"""Named character sets against `re` and `unicodedata`; JSON spelling against `json`."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from random import Random

import pytest

from tercet import GrammarError
from tercet.automata.casefold import ignore_case
from tercet.automata.charset import CharSet
from tercet.automata.jsontext import json_escape
from tercet.automata.unicode_sets import ECMA_CLASSES, unicode_property

EVERYTHING = "".join(map(chr, range(sys.maxunicode + 1)))


def where(pattern: str, flags: int = 0) -> CharSet:
    return CharSet((m.start(), m.start()) for m in re.finditer(pattern, EVERYTHING, flags))


@pytest.mark.parametrize("name", ["L", "Letter", "gc=Lu", "General_Category=Decimal_Number", "LC"])
def test_categories(name: str) -> None:
    short = {"Letter": "L", "gc=Lu": "Lu", "General_Category=Decimal_Number": "Nd"}.get(name, name)
    wanted = ("Lu", "Ll", "Lt") if short == "LC" else (short,)
    codes = (i for i, c in enumerate(EVERYTHING) if unicodedata.category(c).startswith(wanted))
    assert unicode_property(name) is CharSet((code, code) for code in codes)


def test_categories_are_a_partition() -> None:
    parts = [unicode_property(name) for name in "LMNPSZC"]
    assert sum(len(part) for part in parts if part) == len(CharSet.ANY)


@pytest.mark.parametrize(
    "name", ["", "Lx", "Cx", "Greek", "Script=Greek", "sc=Latn", "gc=Any", "l"]
)
def test_unknown_properties(name: str) -> None:
    assert unicode_property(name) is None


def test_binary_properties() -> None:
    assert unicode_property("Any") is CharSet.ANY
    assert ord("ª") in (unicode_property("Lowercase") or ())
    assert len(unicode_property("White_Space") or ()) == 25
    assert len(unicode_property("ASCII") or ()) == 128


def test_white_space_of_ecmascript() -> None:
    separators = unicode_property("Zs") or CharSet.NONE
    expected = separators | CharSet.of("\t\n\v\f\r\u2028\u2029\ufeff")
    assert ECMA_CLASSES["s"] is expected


@pytest.mark.parametrize("flags", [re.IGNORECASE, re.IGNORECASE | re.ASCII])
def test_ignoring_case_as_re_does(flags: int) -> None:
    rng = Random(0)
    cased = [i for i, c in enumerate(EVERYTHING) if c.lower() != c or c.upper() != c]
    for code in rng.sample(cased, 25):
        found = ignore_case(CharSet.single(code), ascii_only=bool(flags & re.ASCII))
        assert found is where(re.escape(chr(code)), flags), hex(code)


def test_spelling_of_every_character() -> None:
    for code in (*range(0xD800), *range(0xE000, 0x110000, 37)):
        expected = json.dumps(chr(code), ensure_ascii=False)[1:-1].encode()
        assert json_escape(chr(code)) == expected


def test_half_a_pair_cannot_be_spelled() -> None:
    with pytest.raises(GrammarError, match="UTF-8"):
        json_escape("a\ud800")
