"""Grammars in GBNF, the notation of llama.cpp, as its guide and its parser have it.

Rules of characters, without a lexer: a text is in the grammar if it can be derived at all. Left
recursion, which llama.cpp refuses, is taken out. Single tokens (`<think>`, `<[1000]>`) are refused,
since a grammar here is a set of texts, whatever the vocabulary.
"""

from __future__ import annotations

import string

from tercet.automata.charset import CharSet
from tercet.automata.regex import ANY_CHAR, chars
from tercet.automata.source import Source
from tercet.errors import GrammarError, UnsatisfiableError
from tercet.grammar.fusing import with_terminals
from tercet.grammar.nodes import NOTHING, Language, Node, Rule, alt, lit, rep, seq, term
from tercet.grammar.recursion import without_left_recursion

_NAME = frozenset(string.ascii_letters + string.digits + "-_")
_COUNTS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_ESCAPES = {"t": "\t", "r": "\r", "n": "\n", **{char: char for char in '\\"[]-'}}
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
MAX_DEPTH = 200


def lower(text: str, root: str = "root") -> Language:
    r"""The language of a grammar.

    >>> sorted(lower('root ::= "a" root "b" | [0-9]').rules)
    ['root']

    Raises:
        GrammarError: it doesn't parse, or names a rule that isn't there.
        UnsatisfiableError: no text matches.
    """
    rules = _Reader(text).rules()
    if root not in rules:
        known = ", ".join(sorted(rules)) or "none"
        raise GrammarError(f"the grammar has no rule {root!r}", why=f"its rules: {known}")
    language = without_left_recursion(Language(Rule(root), rules))
    if language.root is NOTHING:
        raise UnsatisfiableError("no text matches the grammar", at=f"rule {root}")
    return with_terminals(language)


class _Reader:
    """A grammar while it is read."""

    def __init__(self, text: str) -> None:
        self._source = Source(text)
        self._uses: dict[str, int] = {}  # where each rule is named first

    def rules(self) -> dict[str, Node]:
        """All rules by name."""
        found: dict[str, Node] = {}
        self._skip(newlines=True)
        while not self._source.at_end:
            start = self._source.position
            name = self._name()
            if name in found:
                raise self._source.error(f"a second rule {name!r}", start)
            self._skip(newlines=False)
            if not self._source.match("::="):
                raise self._expected("::=")
            self._skip(newlines=True)
            found[name] = self._alternatives(0)
            if self._source.peek() not in {"", "\r", "\n"}:
                raise self._expected("the end of the line")
            self._skip(newlines=True)
        for name, start in self._uses.items():
            if name not in found:
                self._source.position = start + len(name)
                raise self._source.error(f"there is no rule {name!r}", start)
        return found

    def _alternatives(self, depth: int) -> Node:
        options = [self._sequence(depth)]
        while self._source.match("|"):
            self._skip(newlines=True)
            options.append(self._sequence(depth))
        return alt(*options)

    def _sequence(self, depth: int) -> Node:
        parts: list[Node] = []
        while (part := self._symbol(depth)) is not None:
            self._skip(newlines=depth > 0)
            while (bounds := self._bounds()) is not None:
                part = rep(part, *bounds)
                self._skip(newlines=depth > 0)
            parts.append(part)
        if self._source.peek() in {*_COUNTS, "{"}:
            raise self._source.error("nothing to repeat", self._source.position)
        return seq(*parts)

    def _symbol(self, depth: int) -> Node | None:
        """The next symbol of a sequence, or None at its end."""
        source, start = self._source, self._source.position
        char = source.peek()
        if char in _NAME and char:
            name = self._name()
            self._uses.setdefault(name, start)
            return Rule(name)
        if char in {"<", "!"}:
            source.position += 1
            raise source.error(
                "single tokens are not supported in a grammar",
                start,
                why="a grammar is a set of texts; which tokens there are is the vocabulary's",
                hint="write the text between the tokens, and let the caller add them",
            )
        if char not in {'"', "[", ".", "("} or not char:
            return None
        source.take()
        match char:
            case '"':
                return lit(self._literal(start))
            case "[":
                return term(chars(self._class(start)))
            case ".":
                return term(ANY_CHAR)
        return self._group(start, depth)

    def _group(self, start: int, depth: int) -> Node:
        if depth == MAX_DEPTH:
            raise self._source.error(f"groups nested more than {MAX_DEPTH} deep", start)
        self._skip(newlines=True)
        inside = self._alternatives(depth + 1)
        if not self._source.match(")"):
            raise self._source.error("a group that is never closed", start)
        return inside

    def _literal(self, start: int) -> str:
        found = ""
        while not self._source.match('"'):
            found += chr(self._character(start, "a string"))
        return found

    def _class(self, start: int) -> CharSet:
        source = self._source
        is_negated = source.match("^")
        spans = []
        while not source.match("]"):
            at = source.position
            low = high = self._character(start, "a class")
            if source.peek() == "-" and source.text[source.position + 1 :][:1] not in {"", "]"}:
                source.take()
                high = self._character(start, "a class")
            if high < low:
                raise source.error("a range in descending order", at)
            spans.append((low, high))
        charset = CharSet(spans)
        if not charset and not is_negated:
            raise source.error("a class without characters", start)
        return ~charset if is_negated else charset

    def _character(self, start: int, inside: str) -> int:
        """One character of a string or class, perhaps escaped."""
        source, at = self._source, self._source.position
        char = source.take()
        if not char:
            raise source.error(f"{inside} that is never closed", start)
        if char != "\\":
            return ord(char)
        escaped = source.take()
        if escaped in _HEX_DIGITS:
            code_point = source.hexadecimal(_HEX_DIGITS[escaped], at)
            if code_point > 0x10FFFF or 0xD800 <= code_point < 0xE000:
                raise source.error("an escape that is no character", at)
            return code_point
        if escaped not in _ESCAPES:
            raise source.error("an escape that GBNF doesn't have", at)
        return ord(_ESCAPES[escaped])

    def _bounds(self) -> tuple[int, int | None] | None:
        """How often the last symbol may come, if that is said."""
        source, start = self._source, self._source.position
        if source.peek() in _COUNTS and source.peek():
            return _COUNTS[source.take()]
        if not source.match("{"):
            return None
        least, _, most = self._source.until("}", start).partition(",")
        exactly = "," not in source.text[start : source.position]
        least, most = least.strip(), most.strip()
        if not least.isdecimal() or not (most.isdecimal() or not most):
            raise source.error("counts must be {m}, {m,} or {m,n}", start)
        bounds = int(least), int(least) if exactly else int(most) if most else None
        if bounds[1] is not None and bounds[1] < bounds[0]:
            raise source.error("the least count is above the greatest", start)
        return bounds

    def _name(self) -> str:
        start = self._source.position
        while self._source.peek() in _NAME and self._source.peek():
            self._source.take()
        if self._source.position == start:
            raise self._expected("the name of a rule")
        return self._source.text[start : self._source.position]

    def _skip(self, *, newlines: bool) -> None:
        """Read white space and comments; line ends only where they don't end a rule."""
        source = self._source
        while (char := source.peek()) and char in (" \t#\r\n" if newlines else " \t#"):
            if char == "#":
                while source.peek() not in {"", "\r", "\n"}:
                    source.take()
            else:
                source.take()

    def _expected(self, what: str) -> GrammarError:
        start = self._source.position
        found = self._source.take() or "the end"
        return self._source.error(
            f"expected {what}, found {found!r}",
            start,
            hint='a rule goes on in the next line after "|" and inside parentheses',
        )
