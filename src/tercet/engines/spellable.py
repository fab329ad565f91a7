"""What has a text at all in a vocabulary that can't spell every byte: for the reference engine."""

from __future__ import annotations

from collections.abc import Callable

from tercet.automata.derive import is_empty
from tercet.automata.regex import Chars, Regex, both, negate, repeat, text, union
from tercet.engines.spelling import spellable_chars
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


class Close(Node):
    """The end of a scope, on the stack of what was begun inside it."""

    __slots__ = ()


class Compose(Node):
    """The end of a composite, as `Close` is that of a scope."""

    __slots__ = ("kind", "is_new")
    kind: str
    is_new: bool


class Context(Node):
    """After a lexeme: the context that the lexer stands in from here."""

    __slots__ = ("number",)
    number: int


class Spellable:
    """The texts of a language in which some bytes never occur."""

    def __init__(self, language: Language, vocabulary: Vocabulary) -> None:
        self._unspellable = vocabulary.unspellable - {MARK}
        self._spelling = vocabulary.spelling
        self._rules = textual_rules(language, self._has_text)

    def has_text(self, node: Node) -> bool:
        """Whether there is any text of a node."""
        return self._has_text(node, self._rules.__contains__)

    def _has_text(self, node: Node, is_textual: Callable[[str], bool]) -> bool:
        match node:
            case Literal():
                return self.is_in(node.data)
            case Marker(name=name):
                return self.is_in(self._spelling(name))
            case Words():
                return any(self.is_in(word) for word in node.options)
            case Terminal():
                return not is_empty(self.whole(node))
            case Sequence():
                return all(self._has_text(part, is_textual) for part in node.parts)
            case Choice():
                return any(self._has_text(option, is_textual) for option in node.options)
            case Repeat():
                return node.min == 0 or self._has_text(node.body, is_textual)
            case Unseen() | Noted():
                return not is_empty(self.whole(node.terminal))
            case Scope() | Composite() | Lexed():
                return self._has_text(node.body, is_textual)
            case Lexeme(lexer=lexer, name=name):
                chars = spellable_chars("utf8", self._unspellable)
                return not is_empty(both(lexer.terminals[name], repeat(Chars(chars))))
            case Close() | Compose() | Context():
                return True
            case Rule():
                return is_textual(node.name)
        raise TypeError(f"not a node of the grammar: {node!r}")

    def is_in(self, data: bytes) -> bool:
        """Whether these bytes can occur."""
        return self._unspellable.isdisjoint(data)

    def whole(self, node: Terminal) -> Regex:
        """A terminal as one expression: its regex, length, exclusions and spellable characters."""
        chars = spellable_chars(node.encoding, self._unspellable)
        length = repeat(Chars(chars), node.min_chars, node.max_chars)
        return both(node.regex, length, negate(union(*map(text, node.exclude))))
