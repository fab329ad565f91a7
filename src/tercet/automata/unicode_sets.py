r"""Named sets of characters: ``\d``, ``\w``, ``\s`` and ``\p{...}``.

Python's classes are asked of `re` itself and general categories of `unicodedata`, so they are those
of the running interpreter. Each is found by one scan over all characters, on first use (a tenth of
a second). What these tables can't tell exactly, such as scripts, isn't here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import groupby

from tercet.automata.charset import MAX_CODE_POINT, CharSet

_DIGIT = CharSet.of("0123456789")
_LETTER = CharSet([(0x41, 0x5A), (0x61, 0x7A)])

ASCII_CLASSES = {
    "d": _DIGIT,
    "w": _LETTER | _DIGIT | CharSet.of("_"),
    "s": CharSet.of(" \t\n\r\f\v"),
}
"""Python's classes under ``(?a)``."""

LINE_ENDS = CharSet.of("\n\r\u2028\u2029")
"""What ECMAScript's ``.`` leaves out."""

ECMA_CLASSES = {
    "d": _DIGIT,
    "w": ASCII_CLASSES["w"],
    # WhiteSpace and LineTerminator of ECMA-262: category Zs, and these
    "s": LINE_ENDS
    | CharSet.of("\t\v\f \xa0\ufeff\u1680\u202f\u205f\u3000\u2000")
    | CharSet([(0x2001, 0x200A)]),
}
"""ECMAScript's classes; only ``\\s`` goes beyond ASCII."""

# Unicode's White_Space property, unchanged since version 6.3 and closed to additions
_WHITE_SPACE = CharSet([(9, 13), (0x2000, 0x200A)]) | CharSet.of(
    " \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
)

_LONG_NAMES = {
    "Cased_Letter": "LC", "Close_Punctuation": "Pe", "Connector_Punctuation": "Pc",
    "Control": "Cc", "cntrl": "Cc", "Currency_Symbol": "Sc", "Dash_Punctuation": "Pd",
    "Decimal_Number": "Nd", "digit": "Nd", "Enclosing_Mark": "Me", "Final_Punctuation": "Pf",
    "Format": "Cf", "Initial_Punctuation": "Pi", "Letter": "L", "Letter_Number": "Nl",
    "Line_Separator": "Zl", "Lowercase_Letter": "Ll", "Mark": "M", "Combining_Mark": "M",
    "Math_Symbol": "Sm", "Modifier_Letter": "Lm", "Modifier_Symbol": "Sk",
    "Nonspacing_Mark": "Mn", "Number": "N", "Open_Punctuation": "Ps", "Other": "C",
    "Other_Letter": "Lo", "Other_Number": "No", "Other_Punctuation": "Po", "Other_Symbol": "So",
    "Paragraph_Separator": "Zp", "Private_Use": "Co", "Punctuation": "P", "punct": "P",
    "Separator": "Z", "Space_Separator": "Zs", "Spacing_Mark": "Mc", "Surrogate": "Cs",
    "Symbol": "S", "Titlecase_Letter": "Lt", "Unassigned": "Cn", "Uppercase_Letter": "Lu",
}  # fmt: skip
_MINOR = {
    "L": "ultmo", "M": "nce", "N": "dlo", "P": "cdseifo", "S": "mcko", "Z": "slp", "C": "cfson",
}  # fmt: skip


def where(test: Callable[[str], object]) -> dict[object, CharSet]:
    """The characters by what `test` answers for them: a scan over all of Unicode."""
    ranges: dict[object, list[tuple[int, int]]] = {}
    end = 0
    for answer, group in groupby(map(test, map(chr, range(MAX_CODE_POINT + 1)))):
        start, end = end, end + len(list(group))
        ranges.setdefault(answer, []).append((start, end - 1))
    return {answer: CharSet(spans) for answer, spans in ranges.items()}


@cache
def _categories() -> dict[object, CharSet]:
    return where(unicodedata.category)


@cache
def python_classes() -> dict[str, CharSet]:
    r"""What ``\d``, ``\w`` and ``\s`` match in a `str` pattern, by the letter."""
    everything = "".join(map(chr, range(MAX_CODE_POINT + 1)))
    return {
        letter: CharSet((m.start(), m.end() - 1) for m in re.finditer(rf"\{letter}+", everything))
        for letter in "dws"
    }


@cache
def unicode_property(name: str) -> CharSet | None:
    r"""What ``\p{name}`` matches in ECMAScript, or None where it can't be told.

    Known are general categories by their short and long names, with or without ``gc=``, and
    Any, ASCII, ASCII_Hex_Digit, Assigned, Lowercase, Uppercase and White_Space.

    >>> ord("é") in unicode_property("Letter"), unicode_property("Script=Greek")
    (True, None)
    """
    key, separator, value = name.partition("=")
    if separator:
        return _category(value) if key in {"gc", "General_Category"} else None
    return _category(name) or _binary(name)


def _category(name: str) -> CharSet | None:
    short = _LONG_NAMES.get(name, name)
    if short == "LC":
        parts = ["Lu", "Ll", "Lt"]
    elif short in _MINOR:
        parts = [short + minor for minor in _MINOR[short]]
    elif short[:1] in _MINOR and len(short) == 2 and short[1] in _MINOR[short[0]]:
        parts = [short]
    else:
        return None
    found = [_categories().get(part, CharSet.NONE) for part in parts]
    return CharSet([span for charset in found for span in charset.ranges])


def _binary(name: str) -> CharSet | None:
    match name:
        case "Any":
            return CharSet.ANY
        case "ASCII":
            return CharSet([(0, 0x7F)])
        case "ASCII_Hex_Digit" | "AHex":
            return CharSet.of("0123456789abcdefABCDEF")
        case "Assigned":
            return ~_categories()["Cn"]
        case "Lowercase" | "Lower":
            return where(str.islower)[True]
        case "Uppercase" | "Upper":
            return where(str.isupper)[True]
        case "White_Space" | "space":
            return _WHITE_SPACE
    return None
