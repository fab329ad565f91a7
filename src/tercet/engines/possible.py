"""What the vocabulary can spell at all, and which parts of a language are therefore impossible.

A byte that no token spells alone never occurs in a text: relying on longer tokens for it could
lead into a dead end. Parts of a language that can't do without such a byte are left out, and when
nothing is left that is an error at compile time. For a vocabulary that spells every byte of UTF-8
nothing has to be looked at, so lazily lowered rules stay lazy.
"""

from __future__ import annotations

from collections.abc import Callable

from tercet.automata.bytedfa import UNBOUNDED, ByteDFA, lower
from tercet.automata.chardfa import compile_regex, with_length
from tercet.automata.corpus import Corpus
from tercet.automata.derive import is_empty
from tercet.automata.jsontext import json_escape
from tercet.automata.lexicon import Lexicon
from tercet.automata.regex import Chars, both, repeat
from tercet.automata.remembering import remembered
from tercet.engines.spelling import spellable_chars
from tercet.errors import GrammarError, UnsatisfiableError
from tercet.grammar.lexer import Lexer
from tercet.grammar.nodes import (
    Choice,
    Composite,
    Language,
    Lexed,
    Lexeme,
    Literal,
    Marker,
    Node,
    Noted,
    Repeat,
    Rule,
    Scope,
    Sequence,
    Terminal,
    Unseen,
    Words,
)
from tercet.grammar.textual import textual_rules
from tercet.vocabulary.marks import MARK
from tercet.vocabulary.vocabulary import Vocabulary

_NOT_IN_UTF8 = frozenset((0xC0, 0xC1, *range(0xF5, 0x100)))

Strings = tuple[bytes, ...] | Lexicon | Corpus
Automaton = tuple[ByteDFA, int, int | None]


def _weight(found: Automaton) -> int:
    return found[0].weight()


@remembered(64 << 20, _weight)
def terminal_automaton(node: Terminal, forbidden: frozenset[int]) -> Automaton:
    """The automaton of a terminal, and the counts of characters that it leaves to be kept.

    Raises:
        UnsatisfiableError: no text of spellable bytes matches.
    """
    characters = compile_regex(node.regex)
    low, high = node.min_chars, node.max_chars
    missing = _relevant(forbidden)
    dfa = lower(characters, node.encoding, missing)
    # an upper count alone only needs the least number of characters still to come
    if not dfa.is_empty and low > int(dfa.dmin[0]) and not dfa.lengths_are_intervals:
        characters = with_length(characters, low, high)
        dfa, low, high = lower(characters, node.encoding, missing), 0, None
    if dfa.is_empty:
        raise UnsatisfiableError(
            "no text can match a terminal of the grammar",
            why="its language is empty"
            if characters.is_empty
            else "the vocabulary has no token for a byte that every match needs",
        )
    least, most = int(dfa.dmin[0]), int(dfa.dmax[0])
    if low > most or (high is not None and high < least):
        raise UnsatisfiableError(
            "no text can match a terminal of the grammar",
            why=f"it has between {least} and {most} characters, not {low} to {high}",
        )
    low = 0 if low <= least else low
    if node.exclude and (low or high is not None or int(dfa.dmax.min()) < UNBOUNDED):
        raise GrammarError("a terminal that excludes words must be able to go on for ever")
    return dfa, low, None if high is not None and high >= most else high


def _relevant(forbidden: frozenset[int]) -> frozenset[int]:
    return forbidden - _NOT_IN_UTF8


class Possible:
    """Decides which nodes of a language have a text, under the vocabulary's missing bytes."""

    def __init__(self, language: Language, vocabulary: Vocabulary) -> None:
        self._forbidden = vocabulary.unspellable - {MARK}
        self._spelling = vocabulary.spelling
        self._everything = not _relevant(self._forbidden)
        self._known: dict[Node, bool] = {}
        self._rules = frozenset[str]()
        if not self._everything:
            self._rules = textual_rules(language, self._decide)

    def __call__(self, node: Node) -> bool:
        """Whether any text of spellable bytes matches the node."""
        if self._everything:
            return True
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = self._decide(node, self._rules.__contains__)
        return known

    def require(self, node: Node) -> None:
        """Raise UnsatisfiableError unless some text matches."""
        if not self(node):
            raise UnsatisfiableError(
                "no text can match",
                why="the vocabulary has no single-byte token for a byte that every text needs",
                hint="use a tokenizer with byte fallback, or leave those characters out",
            )

    def options(self, options: tuple[Node, ...]) -> list[Node]:
        """The options that have a text."""
        kept = [option for option in options if self(option)]
        if not kept:
            raise UnsatisfiableError("no text can match a choice without options")
        return kept

    def words(self, options: Strings) -> Strings:
        """The words that can be spelled."""
        if self._everything:
            return options
        if isinstance(options, Corpus):
            return options.without(self._forbidden)
        return tuple(option for option in options if self._forbidden.isdisjoint(option))

    def excluded(self, node: Terminal) -> tuple[bytes, ...]:
        """The encoded words that a terminal excludes."""
        encode = json_escape if node.encoding == "json" else str.encode
        return tuple(sorted(encode(word) for word in node.exclude))

    def is_nullable(self, node: Node) -> bool:
        """Whether the empty text matches (False where a rule would have to be looked into)."""
        match node:
            case Sequence(parts=parts):
                return all(self.is_nullable(part) for part in parts)
            case Choice(options=options):
                return any(self.is_nullable(option) for option in options)
            case Repeat(body=body, min=least):
                return least == 0 or self.is_nullable(body)
            case Scope(body=body) | Composite(body=body) | Lexed(body=body):
                return self.is_nullable(body)
            case Words(options=options):
                return b"" in options
            case Terminal(regex=regex, min_chars=least, exclude=exclude):
                return regex.nullable and least == 0 and "" not in exclude
            case _:
                return False

    def _decide(self, node: Node, is_textual: Callable[[str], bool]) -> bool:
        match node:
            case Literal(data=data):
                return self._forbidden.isdisjoint(data)
            case Marker(name=name):
                return self._forbidden.isdisjoint(self._spelling(name))
            case Words(options=options):
                return bool(self.words(options))
            case Terminal():
                return self._has_automaton(node)
            case Sequence(parts=parts):
                return all(self._decide(part, is_textual) for part in parts)
            case Choice(options=options):
                return any(self._decide(option, is_textual) for option in options)
            case Repeat(body=body, min=least):
                return least == 0 or self._decide(body, is_textual)
            case Scope(body=body) | Composite(body=body) | Lexed(body=body):
                return self._decide(body, is_textual)
            case Lexeme(lexer=lexer, name=name):
                return self._has_lexeme(lexer, name)
            case Unseen(terminal=terminal) | Noted(terminal=terminal):
                return self._has_automaton(terminal)
            case Rule(name=name):
                return is_textual(name)
            case _:
                raise TypeError(f"not a node of the grammar: {node!r}")

    def _has_automaton(self, node: Terminal) -> bool:
        try:
            terminal_automaton(node, self._forbidden)
        except UnsatisfiableError:
            return False
        return True

    def _has_lexeme(self, lexer: Lexer, name: str) -> bool:
        chars = spellable_chars("utf8", self._forbidden)
        return not is_empty(both(lexer.terminals[name], repeat(Chars(chars))))
