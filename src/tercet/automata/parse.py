r"""Patterns become `Regex` nodes.

The walk over groups, alternatives and quantifiers is here, with a stack of its own, so that no
nesting overflows Python's. Classes are `parse_class`, what differs between dialects is in
`python_syntax` and `ecma_syntax`, and anchors and lookaround are taken out by `lookaround`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from tercet.automata.charset import CharSet
from tercet.automata.dialects import Dialect, Flags, Opened
from tercet.automata.ecma_syntax import EcmaSyntax
from tercet.automata.lazy import Lazy, without_lazy
from tercet.automata.lookaround import UnresolvedError, without_looks
from tercet.automata.looks import Look
from tercet.automata.parse_class import parse_class
from tercet.automata.python_syntax import PythonSyntax
from tercet.automata.regex import ANY_TEXT, Regex, chars, concat, repeat, union
from tercet.automata.source import Source

MAX_DEPTH = 200
MAX_LENGTH = 1 << 16

_SYNTAX: dict[str, Dialect] = {"python": PythonSyntax(), "ecma": EcmaSyntax()}
_SPACE = frozenset(" \t\n\r\v\f")
_COUNTS = {"*": (0, None), "+": (1, None), "?": (0, 1)}


@lru_cache(maxsize=1024)
def parse(
    pattern: str,
    dialect: Literal["python", "ecma"] = "python",
    *,
    as_match_ends: bool = False,
) -> Regex:
    r"""The strings that a pattern matches.

    "python" is the meaning of `re.fullmatch`; "ecma" is that of JSON Schema's ``pattern``, which
    may match anywhere in the text unless anchored. Greedy and lazy repeats are the same language,
    but for `as_match_ends`: then a text must be where `re.match` lets its lazy repeats end.

    >>> parse("(?i)a{2}").body
    Chars(CharSet([(0x41, 0x41), (0x61, 0x61)]))
    >>> parse(r"^\d$", "ecma") is chars("0-9")
    True
    >>> parse(r"(a|b)\1")
    Traceback (most recent call last):
        ...
    tercet.GrammarError: a backreference is not supported
       at  line 1, column 6
           (a|b)\1
                ^^
      why  texts that repeat an earlier part are not a regular language
      try  write the alternatives out

    Raises:
        GrammarError: the pattern doesn't parse, is too long or too deep, isn't regular
            (backreferences, possessive repeats), or its lookaround needs too many states.
    """
    source = Source(pattern)
    regex, has_assertions = _Parser(source, _SYNTAX[dialect], keep_lazy=as_match_ends).read()
    if dialect == "ecma":
        regex = concat(ANY_TEXT, regex, ANY_TEXT)
    try:
        return without_looks(without_lazy(regex)) if has_assertions else regex
    except UnresolvedError:
        source.position = len(pattern)
        raise source.refusal(0, "lookaround of this size") from None


class _Group:
    """An open group, or all of the pattern: the alternatives so far and the parts of the last."""

    def __init__(self, start: int, flags: Flags, kind: Opened = "(") -> None:
        self.start = start
        self.flags = flags
        self.kind = kind
        self.options: list[Regex] = []
        self.parts: list[Regex] = []
        self.last: Literal["", "atom", "assertion", "repeat"] = ""

    def add(self, part: Regex, kind: Literal["atom", "assertion"] = "atom") -> None:
        self.parts.append(part)
        self.last = kind

    def next_option(self) -> None:
        self.options.append(concat(*self.parts))
        self.parts = []
        self.last = ""

    def close(self) -> Regex:
        self.next_option()
        return union(*self.options)


_single = lru_cache(maxsize=4096)(CharSet.single)


class _Parser:
    """A pattern while it is read."""

    def __init__(self, source: Source, dialect: Dialect, *, keep_lazy: bool = False) -> None:
        self.source = source
        self.keep_lazy = keep_lazy
        self.dialect = dialect
        self.open = [_Group(0, frozenset())]
        self.has_assertions = False

    def read(self) -> tuple[Regex, bool]:
        """All of the pattern, and whether there are anchors or lookaround in it."""
        if len(self.source.text) > MAX_LENGTH:
            raise self.source.error(f"a pattern of more than {MAX_LENGTH} characters", 0)
        while not self.source.at_end:
            self._step()
        if len(self.open) > 1:
            raise self.source.error("a group that is never closed", self.open[-1].start)
        return self.open[0].close(), self.has_assertions

    def _step(self) -> None:
        start = self.source.position
        char = self.source.take()
        group = self.open[-1]
        if "x" in group.flags and (char in _SPACE or char == "#"):
            if char == "#":
                self.source.skip_past("\n")
        elif char == "(":
            self._open_group(start)
        elif char == ")":
            self._close_group(start)
        elif char == "|":
            group.next_option()
        elif char in _COUNTS:
            self._quantify(_COUNTS[char], start)
        elif char == "{":
            bounds = self.dialect.bounds(self.source, start)
            if bounds is None:
                self._add(ord(char))
            else:
                self._quantify(bounds, start)
        else:
            self._add(self._atom(char, group.flags))

    def _atom(self, char: str, flags: Flags) -> Regex | CharSet | int:
        match char:
            case "[":
                return parse_class(self.source, self.dialect, flags)
            case ".":
                return self.dialect.dot(flags)
            case "\\":
                return self.dialect.escape(self.source, flags)
            case "^" | "$":
                return self.dialect.anchor(self.source, char, flags)
        return ord(char)

    def _add(self, found: Regex | CharSet | int) -> None:
        group = self.open[-1]
        if isinstance(found, Regex):
            self.has_assertions = True
            group.add(found, "assertion")
        elif isinstance(found, CharSet):
            group.add(chars(found))
        else:
            group.add(chars(self.dialect.ignoring_case(_single(found), group.flags)))

    def _open_group(self, start: int) -> None:
        group = self.open[-1]
        at_start = len(self.open) == 1 and not group.options and not group.parts
        flags, opened = self.dialect.group(self.source, group.flags, at_start=at_start)
        if not opened:
            group.flags = flags
        elif len(self.open) > MAX_DEPTH:
            raise self.source.error(f"groups nested more than {MAX_DEPTH} deep", start)
        else:
            self.open.append(_Group(start, flags, opened))

    def _close_group(self, start: int) -> None:
        if len(self.open) == 1:
            raise self.source.error("a closing parenthesis without an opening one", start)
        group = self.open.pop()
        regex = group.close()
        if group.kind == "(":
            self.open[-1].add(regex)
            return
        look = Look(regex, "<" not in group.kind, "!" in group.kind)
        can_repeat = self.dialect.check_look(self.source, look, group.start)
        self.has_assertions = True
        self.open[-1].add(look, "atom" if can_repeat else "assertion")

    def _quantify(self, bounds: tuple[int, int | None], start: int) -> None:
        group = self.open[-1]
        if group.last in {"", "assertion"}:
            raise self.source.error("nothing to repeat", start)
        if group.last == "repeat":
            raise self.source.error("a repeat of a repeat", start, hint="put a group around it")
        least, most = bounds
        if most is not None and most < least:
            raise self.source.error("the least count is above the greatest", start)
        is_lazy = self.source.match("?")
        if not is_lazy:
            self.dialect.no_possessive(self.source, start)
        if is_lazy and self.keep_lazy and least != most:
            self.has_assertions = True
            group.parts[-1] = Lazy(group.parts[-1], least, most)
        else:
            group.parts[-1] = repeat(group.parts[-1], least, most)
        group.last = "repeat"
