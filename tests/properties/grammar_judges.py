"""Outside judges for texts of the bundled grammars: a real reader of the language, or lark.

A judge returns what is wrong with a text, or "". Lark's Earley parser reads a grammar without a
lexer in cubic time, so it only judges short texts.
"""

from __future__ import annotations

import ast
import csv
import json
import re
import tomllib
import warnings
from collections.abc import Callable
from datetime import date, time
from functools import cache
from xml.etree import ElementTree as ET  # our own texts, without entities

from tercet.frontends.bundled import bundled
from tests.differential.specs import judge_by_lark

Judge = Callable[[str], str]
_LONGEST = 120  # characters that Earley reads
_DATES = re.compile(r"\d{4}-(?:\d\d-\d\d|W\d\d-\d)(?=$|[T/])|(?<!\d)\d{8}(?=$|[T/])")
_TIMES = re.compile(r"(?<=T)\d\d(?::\d\d(?::\d\d)?)?(?=$|[-+Z./,])")


@cache
def judge_of(name: str) -> Judge:
    """What judges the texts of a bundled grammar."""
    by_lark = _by_lark(name)
    real = _REAL.get(name)
    return lambda text: (real(text) if real else "") or by_lark(text)


def _by_lark(name: str) -> Judge:
    found = bundled(name)
    is_valid = judge_by_lark(found.text, lexer=found.lexer)

    def judge(text: str) -> str:
        short = found.lexer == "contextual" or len(text) <= _LONGEST
        return "" if not short or is_valid(text) else "not by lark"

    return judge


def _complains(read: Callable[[str], object]) -> Judge:
    def judge(text: str) -> str:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of odd but valid things
                read(text)
        except (ValueError, SyntaxError, re.error, csv.Error, AssertionError) as error:
            return f"{type(error).__name__}: {error}"
        return ""

    return judge


def _no(constant: str) -> None:
    raise ValueError(f"{constant} isn't JSON")


def _json(text: str) -> None:
    json.loads(text, parse_constant=_no, parse_int=float)  # int() stops at 4,300 digits


def _json_lines(text: str) -> None:
    for line in text.removesuffix("\n").split("\n"):
        _json(line)


def _csv(text: str) -> None:
    """Every quote opens or closes a field or is doubled: what is read and written is the same."""
    lines = text.replace("\r\n", "\n").splitlines(keepends=True)
    list(csv.reader(lines, strict=True))


def _arithmetic(text: str) -> None:
    ast.parse(text.strip().replace("^", "**"), mode="eval")


def _iso8601(text: str) -> None:
    dated = text.replace("0000", "2000")  # Python's calendar has no year 0
    for found in _DATES.finditer(dated):
        date.fromisoformat(found[0])
    for found in _TIMES.finditer(dated):
        time.fromisoformat(found[0])


def _markdown_table(text: str) -> None:
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    assert [token.type for token in tokens if token.level == 0] == ["table_open", "table_close"]


_SEMVER = re.compile(
    r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
    r"(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?"
    r"(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?",
    re.ASCII,
)  # the expression that semver.org suggests


def _semver(text: str) -> None:
    assert _SEMVER.fullmatch(text)


_DEFINED_TWICE = ("overwrite", "twice", "immutable namespace", "Duplicate")


def _toml(text: str) -> None:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        if not any(word in str(error) for word in _DEFINED_TWICE):
            raise


_REAL: dict[str, Judge] = {
    name: _complains(read)
    for name, read in {
        "arithmetic": _arithmetic,
        "csv": _csv,
        "iso8601": _iso8601,
        "json": _json,
        "jsonl": _json_lines,
        "markdown_table": _markdown_table,
        "regex": re.compile,
        "semver": _semver,
        "toml": _toml,
        "xml": ET.fromstring,
    }.items()
}
