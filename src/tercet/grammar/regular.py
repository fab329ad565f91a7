"""Languages as regular expressions over the characters of their texts, where they are regular.

A language without recursion is regular, but for members that must differ from each other. Whether a
recursive one is regular after all can't be decided, so those are refused. This is what Boolean
algebra on grammars (`product`, `frontends.boolean`) stands on.
"""

from __future__ import annotations

from tercet.automata.automaton import explore
from tercet.automata.chardfa import CharDFA, compile_regex
from tercet.automata.charset import CharSet, partition
from tercet.automata.jsontext import ESCAPES
from tercet.automata.regex import (
    ANY_CHAR,
    Regex,
    both,
    concat,
    negate,
    repeat,
    text,
    union,
)
from tercet.errors import GrammarError
from tercet.grammar.nodes import (
    Choice,
    Composite,
    Language,
    Literal,
    Marker,
    Node,
    Repeat,
    Rule,
    Scope,
    Sequence,
    Terminal,
    Words,
)

_MOST_NODES = 100_000
_MOST_WORDS = 20_000  # an automaton of more states is refused anyhow


class NotRegularError(GrammarError):
    """There is no regular expression for it, or none that is found."""


def regular(language: Language) -> Regex:
    """The texts of a language as one expression.

    >>> from tercet.grammar.nodes import lit
    >>> regular(Language(Rule("a"), {"a": lit("x")})) is text("x")
    True

    Raises:
        NotRegularError: it is recursive, remembers what came before, or is too large.
    """
    return _Reader(language).read(language.root)


class _Reader:
    """Writes out rules; `None` for a rule that is being written out."""

    def __init__(self, language: Language) -> None:
        self._rules = language.rules
        self._known: dict[Node, Regex] = {}
        self._open: set[str] = set()
        self._count = 0

    def read(self, node: Node) -> Regex:
        found = self._known.get(node)
        if found is None:
            self._count += 1
            if self._count > _MOST_NODES:
                raise _refusal(f"it has more than {_MOST_NODES} parts")
            found = self._known[node] = self._read(node)
        return found

    def _read(self, node: Node) -> Regex:
        match node:
            case Literal(data=data):
                return text(data.decode())
            case Words(options=options):
                if len(options) > _MOST_WORDS:
                    raise _refusal(f"it has a choice of {len(options)} words")
                return union(*(text(option.decode()) for option in options))
            case Terminal():
                return written(node)
            case Sequence(parts=parts):
                return concat(*map(self.read, parts))
            case Choice(options=options):
                return union(*map(self.read, options))
            case Repeat(body=body, min=least, max=most):
                return repeat(self.read(body), least, most)
            case Rule(name=name):
                return self._read_rule(name)
            case Marker(name=name):
                raise _refusal(f"it asks for the token {name}")
            case Scope() | Composite():
                raise _refusal("its members must differ from each other")
        raise _refusal("it is read by a lexer")

    def _read_rule(self, name: str) -> Regex:
        if name in self._open:
            raise _refusal("it is recursive", f"rule {name}")
        self._open.add(name)
        found = self.read(self._rules[name])
        self._open.discard(name)
        return found


def _refusal(why: str, at: str = "") -> NotRegularError:
    return NotRegularError("the grammar isn't regular", why=why, at=at)


def written(node: Terminal) -> Regex:
    r"""The texts of a terminal as they are written, escapes and all.

    >>> from tercet.automata.regex import ANY_TEXT
    >>> compile_regex(written(Terminal(text('"'), "json", 0, None, ()))).words(2)
    ['\\"']
    """
    regex = node.regex
    if node.min_chars or node.max_chars is not None:
        regex = both(regex, repeat(ANY_CHAR, node.min_chars, node.max_chars))
    if node.exclude:
        regex = both(regex, negate(union(*map(text, node.exclude))))
    if node.encoding == "json-any":
        raise _refusal("its strings may be spelled in many ways")
    return _escaped(compile_regex(regex)) if node.encoding == "json" else regex


def _escaped(dfa: CharDFA) -> Regex:
    """An automaton that reads what JSON writes for the characters of another."""
    letters = CharSet.of("".join(ESCAPES.values()))
    singles = map(CharSet.single, letters)
    raw = [charset - CharSet.of("".join(ESCAPES)) for charset in dfa.classes]
    classes, _ = partition(tuple(charset for charset in (*raw, *singles) if charset))
    meant = {spelled: char for char, spelled in ESCAPES.items()}
    begun = {spelled[:end] for spelled in meant for end in range(1, len(spelled))}

    def step(state: tuple[int, str], char: str) -> tuple[int, str] | None:
        at, before = state
        spelled = before + char
        if spelled in begun:
            return at, spelled
        if spelled not in meant and (before or char in ESCAPES):
            return None
        target = dfa.step(at, ord(meant.get(spelled, char)))
        return None if target < 0 else (target, "")

    alphabet = "".join(chr(charset.ranges[0][0]) for charset in classes)
    return explore((0, ""), step, lambda s: not s[1] and dfa.accept[s[0]], alphabet, classes)
