r"""Python's own syntax of regular expressions, as `re` of Python 3.11 and later reads it.

Follows CPython's ``re/_parser.py`` case by case, for `str` patterns. What `re` accepts and a
regular language can't say is refused; what `re` calls an error is an error here.
"""

from __future__ import annotations

import re
import unicodedata

from tercet.automata.anchors import Anchor
from tercet.automata.casefold import ignore_case, is_doubtful
from tercet.automata.charset import MAX_CODE_POINT, CharSet
from tercet.automata.dialects import Flags, Opened, opened
from tercet.automata.looks import Look, boundary, is_fixed_width, no_boundary
from tercet.automata.regex import Regex, chars
from tercet.automata.source import Source
from tercet.automata.unicode_sets import ASCII_CLASSES, python_classes

_FLAGS = frozenset("aiLmsux")
_KINDS = frozenset("aLu")  # at most one of them
_CONTROLS = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92}
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_MOST_DIGITS = 9
_LINE_END = CharSet.of("\n")
_NO_FLAGS: Flags = frozenset()
_NO_BOUNDARY_IN_EMPTY = re.compile(r"\B").match("") is not None  # from Python 3.14


class PythonSyntax:
    """The dialect of `re`."""

    bracket_may_lead = True

    def dot(self, flags: Flags) -> CharSet:
        """Everything but the line feed, which ``(?s)`` adds."""
        return CharSet.ANY if "s" in flags else ~_LINE_END

    def escape(self, source: Source, flags: Flags) -> Regex | CharSet | int:
        """An escape outside of a class."""
        start = source.position - 1
        char = source.peek()
        if char and char in "AZ":
            source.take()
            return Anchor("start" if char == "A" else "end")
        if source.match("b"):
            return boundary(_classes(flags)["w"])
        if source.match("B"):
            return no_boundary(_classes(flags)["w"], in_empty_text=_NO_BOUNDARY_IN_EMPTY)
        if char in set("123456789"):
            return self._octal_or_reference(source, start)
        return self._common(source, flags, start)

    def class_escape(self, source: Source, flags: Flags) -> CharSet | int:
        """An escape inside of a class, where "b" is the backspace."""
        start = source.position - 1
        if source.match("b"):
            return 8
        if source.peek() in set("1234567"):
            return self._octal(source, source.octal(3), start)
        return self._common(source, flags, start)

    def _common(self, source: Source, flags: Flags, start: int) -> CharSet | int:
        char = source.take()
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char and char in "dDsSwW":
            found = _classes(flags)[char.lower()]
            return ~found if char.isupper() else found
        if char in _HEX_DIGITS:
            code = source.hexadecimal(_HEX_DIGITS[char], start)
            if code > MAX_CODE_POINT:
                raise source.error("an escape beyond U+10FFFF", start)
            return code
        if char == "N":
            return self._named(source, start)
        if char == "0":
            return self._octal(source, "0" + source.octal(2), start)
        if not char:
            raise source.error("the pattern ends in a backslash", start)
        if char.isascii() and char.isalnum():
            raise source.error(f"unknown escape \\{char}", start)
        return ord(char)

    def _named(self, source: Source, start: int) -> int:
        if not source.match("{"):
            raise source.error("missing { after \\N", start)
        name = source.until("}", start)
        try:
            return ord(unicodedata.lookup(name))
        except (KeyError, TypeError):
            raise source.error(f"unknown character name {name!r}", start) from None

    def _octal_or_reference(self, source: Source, start: int) -> int:
        """Three octal digits are a character, other digits the number of a group."""
        digits = source.octal(3)
        if len(digits) == 3:
            return self._octal(source, digits, start)
        source.position = start + 1
        source.decimal()
        raise source.refusal(start, "a backreference")

    def _octal(self, source: Source, digits: str, start: int) -> int:
        code = int(digits, 8)
        if code > 0o377:
            raise source.error("an octal escape beyond \\377", start)
        return code

    def anchor(self, source: Source, char: str, flags: Flags) -> Regex:
        """``^`` is the beginning; ``$`` also holds before a final line end, or before any."""
        if "m" in flags:
            return Look(chars(~_LINE_END), char == "$", True)
        return Anchor("start" if char == "^" else "final")

    def ignoring_case(self, charset: CharSet, flags: Flags) -> CharSet:
        """With ``(?i)`` the partners too."""
        if "i" not in flags:
            return charset
        return ignore_case(charset, ascii_only="a" in flags)

    def check_member(self, source: Source, charset: CharSet, flags: Flags, start: int) -> None:
        """Refuse the members of classes with which `re` itself goes astray."""
        if "i" in flags and is_doubtful(charset, ascii_only="a" in flags):
            raise source.error(
                "this member of a class can't ignore case as Python does",
                start,
                why="CPython loses some capitals beyond U+FFFF here",
                hint="write both cases",
            )

    def dash_beside_class(self, source: Source, start: int) -> None:
        """``re`` calls it an error."""
        raise source.error("a range can't begin or end with a class", start)

    def bounds(self, source: Source, start: int) -> tuple[int, int | None] | None:
        """``{m}``, ``{m,}``, ``{,n}`` and ``{m,n}``; anything else is a plain brace."""
        low = source.decimal()
        high = source.decimal() if source.match(",") else low
        if source.position == start + 1 or not source.match("}"):
            source.position = start + 1
            return None
        if max(len(low), len(high)) > _MOST_DIGITS:
            raise source.error("a count of too many digits", start)
        return int(low or "0"), int(high) if high else None

    def no_possessive(self, source: Source, start: int) -> None:
        """``a*+`` is the possessive repeat."""
        if source.match("+"):
            raise source.refusal(start, "a possessive quantifier")

    def group(self, source: Source, flags: Flags, *, at_start: bool) -> tuple[Flags, Opened]:
        """Groups of all kinds, comments and flags."""
        start = source.position - 1
        kind = opened(source)
        if kind:
            return flags, kind
        source.take()
        char = source.take()
        if char == "#":
            source.until(")", start)
            return flags, ""
        if char == "P" and source.match("<"):
            self._name(source, source.until(">", start), start)
            return flags, "("
        if char == "-" or char in _FLAGS:
            source.position -= 1
            return self._inline_flags(source, flags, start, at_start=at_start)
        raise self._refused_group(source, char, start)

    def _refused_group(self, source: Source, char: str, start: int) -> Exception:
        if char == "P" and source.peek() == "=":
            return source.refusal(start, "a backreference")
        if char == ">":
            return source.refusal(start, "an atomic group")
        if char == "(":
            return source.refusal(start, "a conditional group")
        return source.error("an unknown kind of group", start)

    def _name(self, source: Source, name: str, start: int) -> None:
        if not name.isidentifier():
            raise source.error(f"{name!r} can't name a group", start)
        source.name_group(name, start)

    def _inline_flags(
        self, source: Source, flags: Flags, start: int, *, at_start: bool
    ) -> tuple[Flags, Opened]:
        """``(?is)`` for the rest of the pattern, ``(?i-s:`` for one group."""
        added = self._letters(source)
        removed = self._letters(source) if source.match("-") else None
        if removed == _NO_FLAGS or "L" in added or len(added & _KINDS) > 1:
            raise source.error("these flags don't go together", start)
        if removed is None and source.match(")"):
            if not at_start:
                raise source.error("flags for all of the pattern must come first", start)
            return self._merged(flags, added), ""
        if not source.match(":"):
            source.take()
            raise source.error("unknown or unfinished flags", start)
        if removed and (removed & _KINDS or removed & added):
            raise source.error("these flags don't go together", start)
        return self._merged(flags, added) - (removed or _NO_FLAGS), "("

    def check_look(self, source: Source, look: Look, start: int) -> bool:
        """``re`` knows lookbehind of one width only."""
        if not look.ahead and not is_fixed_width(look.body):
            raise source.error(
                "a lookbehind without a fixed width",
                start,
                why="Python's re has none, because it steps back and then matches",
                hint="give each width a lookbehind of its own: (?:(?<=a)|(?<=bc))",
            )
        return True

    def _letters(self, source: Source) -> Flags:
        letters: set[str] = set()
        while source.peek() in _FLAGS:
            letters.add(source.take())
        return frozenset(letters)

    def _merged(self, flags: Flags, added: Flags) -> Flags:
        return (flags - _KINDS if added & _KINDS else flags) | added


def _classes(flags: Flags) -> dict[str, CharSet]:
    return ASCII_CLASSES if "a" in flags else python_classes()
