"""The nodes of the IR, one per idea, and the constructors that keep them small.

A `Node` denotes a set of byte strings. Leaves are literal bytes, finite word lists and regular
terminals; inner nodes combine them; `Rule` names a node of the surrounding `Language`, which is
how recursion is written. Nothing here knows tokens (engines) or input syntax (frontends).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal as OneOf

from tercet.automata import jsontext
from tercet.automata.corpus import Corpus
from tercet.automata.lexicon import Lexicon
from tercet.automata.regex import Regex, both, negate, text, union
from tercet.grammar.lexer import Lexer
from tercet.interning import Interned

Encoding = jsontext.Encoding


class Node(Interned):
    """A set of byte strings."""

    __slots__ = ()


class Literal(Node):
    """Exactly these bytes (not empty)."""

    __slots__ = ("data",)
    data: bytes


class Marker(Node):
    """A special token by its name; where the vocabulary has none of it, its name as text."""

    __slots__ = ("name",)
    name: str


class Words(Node):
    """One of a finite set of byte strings: sorted and distinct, or the quotes from a text."""

    __slots__ = ("options",)
    options: tuple[bytes, ...] | Lexicon | Corpus


class Terminal(Node):
    """A regular language over characters, written in an encoding.

    `min_chars` and `max_chars` bound the number of characters (Unicode code points, however they
    are spelled). `exclude` lists decoded strings that are not in the terminal; it is only used
    where every text can go on for ever, so that taking finitely many away leaves no dead end.
    """

    __slots__ = ("regex", "encoding", "min_chars", "max_chars", "exclude")
    regex: Regex
    encoding: Encoding
    min_chars: int
    max_chars: int | None
    exclude: tuple[str, ...]


class Sequence(Node):
    """One part after another; the empty sequence is the empty text."""

    __slots__ = ("parts",)
    parts: tuple[Node, ...]


class Choice(Node):
    """Any of the options; the empty choice is the empty language."""

    __slots__ = ("options",)
    options: tuple[Node, ...]


class Repeat(Node):
    """`body` at least `min` and at most `max` times (None: without bound)."""

    __slots__ = ("body", "min", "max")
    body: Node
    min: int
    max: int | None


class Scope(Node):
    """`body`, with nothing seen yet at its start; what an outer scope has seen comes back after."""

    __slots__ = ("body",)
    body: Node


class Unseen(Node):
    """A text of `terminal` that no other `Unseen` of the innermost scope has matched before.

    Strings compare as they are written, numbers by value.
    """

    __slots__ = ("terminal", "kind")
    terminal: Terminal
    kind: OneOf["string", "number"]


class Noted(Node):
    """A text of `terminal`, which the innermost composite is made of; a key must be new in it.

    Strings and keys compare as they are written, numbers by value, words are literals.
    """

    __slots__ = ("terminal", "kind")
    terminal: Terminal
    kind: OneOf["string", "number", "word", "key"]


class Composite(Node):
    """`body`, an array or object that is compared by the values noted in it.

    Where it `is_new`, no other item of the innermost scope has the same value; it must be able to
    go on for ever, so that a value that was seen is no dead end. Otherwise it is noted itself.
    Objects compare whatever the order of their keys.
    """

    __slots__ = ("body", "kind", "is_new")
    body: Node
    kind: OneOf["array", "object"]
    is_new: bool


class Lexed(Node):
    """`body`, whose lexemes are read by a lexer that starts here, in its first context."""

    __slots__ = ("lexer", "body")
    lexer: Lexer
    body: Node


class Lexeme(Node):
    """A text that the lexer reads as terminal `name`; afterwards it stands in `context`."""

    __slots__ = ("lexer", "name", "context")
    lexer: Lexer
    name: str
    context: int


class Rule(Node):
    """The node that the language's `rules` hold under this name."""

    __slots__ = ("name",)
    name: str


@dataclass(frozen=True, eq=False)
class Language:
    """A root node and the rules it refers to; `rules` may build its values on demand."""

    root: Node
    rules: Mapping[str, Node]


EMPTY = Sequence(())
NOTHING = Choice(())


def lit(data: bytes | str) -> Node:
    """Exactly this text.

    >>> lit("a")
    Literal(b'a')
    """
    data = data.encode() if isinstance(data, str) else data
    return Literal(data) if data else EMPTY


def words(options: Iterable[bytes]) -> Node:
    """One of these byte strings.

    >>> words([b"b", b"a", b"b"])
    Words((b'a', b'b'))
    """
    distinct = tuple(sorted(set(options)))
    if len(distinct) == 1:
        return lit(distinct[0])
    return Words(distinct) if distinct else NOTHING


def seq(*parts: Node) -> Node:
    """One part after another; neighbouring literals are joined.

    >>> seq(lit("a"), seq(lit("b"), EMPTY))
    Literal(b'ab')
    """
    flat: list[Node] = []
    for part in parts:
        for item in part.parts if isinstance(part, Sequence) else (part,):
            if item is NOTHING:
                return NOTHING
            if isinstance(item, Literal) and flat and isinstance(flat[-1], Literal):
                flat[-1] = Literal(flat[-1].data + item.data)
            else:
                flat.append(item)
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def alt(*options: Node) -> Node:
    """Any of the options, each once, in the order given.

    >>> alt(lit("a"), alt(lit("b"), lit("a")))
    Choice((Literal(b'a'), Literal(b'b')))
    """
    flat: dict[Node, None] = {}
    for option in options:
        for item in option.options if isinstance(option, Choice) else (option,):
            flat[item] = None
    return next(iter(flat)) if len(flat) == 1 else Choice(tuple(flat))


def opt(node: Node) -> Node:
    """The node or the empty text."""
    return alt(node, EMPTY)


def rep(body: Node, min: int = 0, max: int | None = None) -> Node:
    """The body repeated between `min` and `max` times."""
    if body is EMPTY or max == 0:
        return EMPTY
    if body is NOTHING:
        return EMPTY if min == 0 else NOTHING
    return body if (min, max) == (1, 1) else Repeat(body, min, max)


def term(
    regex: Regex,
    encoding: Encoding = "utf8",
    min_chars: int = 0,
    max_chars: int | None = None,
    exclude: Iterable[str] = (),
) -> Node:
    """A regular terminal; see `Terminal`."""
    exclude = set(exclude)
    if exclude and encoding == "json-any":  # engines know one spelling of an excluded text
        regex, exclude = both(regex, negate(union(*map(text, exclude)))), set()
    return Terminal(regex, encoding, min_chars, max_chars, tuple(sorted(exclude)))
