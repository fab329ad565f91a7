r"""ECMAScript's syntax of regular expressions, as JSON Schema's ``pattern`` uses it.

The meaning is that of the ``u`` flag: whole characters, ``\p{...}``. Real schemas are often written
without that flag in mind, so what only the ``u`` flag forbids is taken where Annex B of ECMA-262
gives it one plain meaning: ``\-`` and other escaped punctuation, lone braces and brackets, a dash
beside ``\w`` in a class. Escaped letters without a meaning are errors: Python would read them
otherwise.
"""

from __future__ import annotations

from tercet.automata.anchors import Anchor
from tercet.automata.charset import MAX_CODE_POINT, CharSet
from tercet.automata.dialects import Flags, Opened, opened
from tercet.automata.looks import Look, boundary, no_boundary
from tercet.automata.regex import Regex
from tercet.automata.source import Source
from tercet.automata.unicode_sets import ECMA_CLASSES, LINE_ENDS, unicode_property

_CONTROLS = {"f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_MOST_DIGITS = 9


class EcmaSyntax:
    """The dialect of ECMA-262, without flags."""

    bracket_may_lead = False

    def dot(self, flags: Flags) -> CharSet:
        """Everything but the four line terminators."""
        return ~LINE_ENDS

    def escape(self, source: Source, flags: Flags) -> Regex | CharSet | int:
        """An escape outside of a class."""
        start = source.position - 1
        char = source.peek()
        if source.match("b"):
            return boundary(ECMA_CLASSES["w"])
        if source.match("B"):
            return no_boundary(ECMA_CLASSES["w"], in_empty_text=True)
        if char == "k" or char in set("123456789"):
            source.take()
            source.decimal()
            raise source.refusal(start, "a backreference")
        return self._common(source, start)

    def class_escape(self, source: Source, flags: Flags) -> CharSet | int:
        """An escape inside of a class, where "b" is the backspace."""
        start = source.position - 1
        return 8 if source.match("b") else self._common(source, start)

    def _common(self, source: Source, start: int) -> CharSet | int:
        char = source.take()
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char and char in "dDsSwW":
            found = ECMA_CLASSES[char.lower()]
            return ~found if char.isupper() else found
        if char and char in "pP":
            found = self._property(source, start)
            return ~found if char == "P" else found
        if char == "x":
            return source.hexadecimal(2, start)
        if char == "u":
            return self._unicode(source, start)
        if char == "0" and not source.decimal():
            return 0
        if char == "c" and source.peek().isascii() and source.peek().isalpha():
            return ord(source.take()) % 32
        if not char:
            raise source.error("the pattern ends in a backslash", start)
        if char.isascii() and char.isalnum():
            raise source.error(
                f"unknown escape \\{char}",
                start,
                why="ECMAScript has no such escape; \\A, \\Z and \\z are Python's",
                hint="use ^ and $ for the ends of the text, or drop the backslash",
            )
        return ord(char)

    def _property(self, source: Source, start: int) -> CharSet:
        name = source.until("}", start) if source.match("{") else ""
        found = unicode_property(name)
        if found is None:
            raise source.error(
                f"unknown property {name!r}",
                start,
                why="general categories and a few other properties are known, scripts are not",
                hint="use a category such as \\p{L} or ranges such as \\u0370-\\u03ff",
            )
        return found

    def _unicode(self, source: Source, start: int) -> int:
        """Four digits, two fours that are one character, or any number in braces."""
        if source.match("{"):
            digits = source.until("}", start)
            if not digits or set(digits) - set("0123456789abcdefABCDEF"):
                raise source.error("not a hexadecimal number", start)
            code = int(digits.lstrip("0")[:_MOST_DIGITS] or "0", 16)
            if code > MAX_CODE_POINT:
                raise source.error("an escape beyond U+10FFFF", start)
            return code
        code = source.hexadecimal(4, start)
        behind = source.position
        if 0xD800 <= code <= 0xDBFF and source.match("\\u") and source.peek() != "{":
            low = source.hexadecimal(4, start)
            if 0xDC00 <= low <= 0xDFFF:
                return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
        source.position = behind
        return code

    def anchor(self, source: Source, char: str, flags: Flags) -> Regex:
        """The beginning and the very end."""
        return Anchor("start" if char == "^" else "end")

    def ignoring_case(self, charset: CharSet, flags: Flags) -> CharSet:
        """The set as it is: there is no such flag."""
        return charset

    def check_member(self, source: Source, charset: CharSet, flags: Flags, start: int) -> None:
        """Everything may be a member."""

    def dash_beside_class(self, source: Source, start: int) -> None:
        """The dash is a member, as in Annex B."""

    def bounds(self, source: Source, start: int) -> tuple[int, int | None] | None:
        """``{m}``, ``{m,}`` and ``{m,n}``; anything else is a plain brace."""
        low = source.decimal()
        high = source.decimal() if source.match(",") else low
        closed = source.match("}")
        if closed and high and not low:
            raise source.error(
                "a count without a least number",
                start,
                why="ECMAScript has no {,n}: it would match these very characters",
                hint=f"write {{0,{high}}}",
            )
        if not low or not closed:
            source.position = start + 1
            return None
        if max(len(low), len(high)) > _MOST_DIGITS:
            raise source.error("a count of too many digits", start)
        return int(low), int(high) if high else None

    def no_possessive(self, source: Source, start: int) -> None:
        """There is no such thing; `parse` says that nothing is repeated."""

    def group(self, source: Source, flags: Flags, *, at_start: bool) -> tuple[Flags, Opened]:
        """Plain and named groups, and lookaround."""
        start = source.position - 1
        kind = opened(source)
        if kind:
            return flags, kind
        if source.match("?<"):
            name = source.until(">", start)
            if not name.replace("$", "_").isidentifier():
                raise source.error(f"{name!r} can't name a group", start)
            source.name_group(name, start)
            return flags, "("
        source.take()
        if source.peek() in set("ims-"):
            source.take()
            raise source.refusal(start, "an inline flag")
        source.take()
        raise source.error("an unknown kind of group", start)

    def check_look(self, source: Source, look: Look, start: int) -> bool:
        """Lookahead may be repeated, as in Annex B."""
        return look.ahead
