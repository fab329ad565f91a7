"""The reference engine: what a language means, in sets and dicts.

Every other engine is tested against this one, so it is written to be read. A text is followed
byte by byte by *threads*: a thread is what it stands in (a *head*: bytes still to come, or a
regular expression still to match) and a stack of the nodes that come after. A state is the set of
threads that can still finish; a byte is allowed if it leaves such a thread, a token if its bytes
are. There are no counters: a repetition that has been entered once is a shorter repetition, and a
terminal is the Brzozowski derivative of its expression.

The language is cut to texts of *spellable* bytes: a byte for which the vocabulary has no token of
its own never occurs, not even inside a longer token, because relying on those could lead into a
dead end. What can only go on through such a byte counts as impossible from the start.

It doesn't know EOS tokens beyond their mask bits (`Matcher` handles them), and it is slow: a mask
tries every token.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from tercet.automata.charset import CharSet
from tercet.automata.derive import classes, derive, is_empty, nullable
from tercet.automata.regex import Chars, Regex, both, negate, repeat, text, union
from tercet.engines.spelling import chars_spelled, spell, spellable_chars
from tercet.errors import GrammarError
from tercet.grammar.nodes import (
    Choice,
    Encoding,
    Language,
    Literal,
    Node,
    Repeat,
    Rule,
    Sequence,
    Terminal,
    Words,
)
from tercet.vocabulary.vocabulary import Vocabulary


class Reading(NamedTuple):
    """Inside a terminal: what is left of it, and the bytes of a character that is not complete."""

    regex: Regex
    encoding: Encoding
    pending: bytes


class Thread(NamedTuple):
    """What is being matched, and the nodes after it, nearest first."""

    head: bytes | Reading
    stack: tuple[Node, ...]


State = frozenset[Thread]
DONE = Thread(b"", ())


class Recognizer:
    """Follows texts of one language, and finds the tokens that may come next."""

    def __init__(self, language: Language, vocabulary: Vocabulary) -> None:
        self.language = language
        self.vocabulary = vocabulary
        self._unspellable = vocabulary.unspellable
        self._sorted_tokens = _sorted_tokens(vocabulary)
        self._first_memo: dict[Node, State] = {}
        self._after_memo: dict[State, dict[int, State]] = {}
        self._tokens_memo: dict[State, tuple[int, ...]] = {}
        self._entered: set[str] = set()  # rules whose first threads are being looked for
        self._productive: frozenset[str] = frozenset()
        self._find_productive_rules()
        self._start = self._first(language.root)

    def start(self) -> State:
        """The state before any text."""
        return self._start

    def step(self, state: State, byte: int) -> State | None:
        """The state after one byte, or None if no text goes on with it."""
        known = self._after_memo.setdefault(state, {})
        if byte not in known:
            known[byte] = self._step(state, byte)
        return known[byte] or None

    def advance(self, state: State, token: int) -> State | None:
        """The state after a token's bytes, or None; special and empty tokens are never text."""
        data = self.vocabulary.tokens[token] if 0 <= token < len(self.vocabulary.tokens) else b""
        after: State | None = state if data else None
        for byte in data:
            after = after and self.step(after, byte)
        return after or None

    def live_bytes(self, state: State) -> list[int]:
        """The bytes that may come next."""
        return [byte for byte in range(256) if self.step(state, byte)]

    def is_accepting(self, state: State) -> bool:
        """Whether the text so far is complete."""
        return DONE in state

    def is_finished(self, state: State) -> bool:
        """Whether the text so far is complete and can't be continued."""
        return state == {DONE}

    def fill(self, state: State, row: Any) -> None:
        """Write the mask: bit ``token % 32`` of ``row[token // 32]``, EOS iff accepting."""
        if state not in self._tokens_memo:
            self._tokens_memo[state] = tuple(self._allowed_tokens(state))
        words = [0] * len(row)
        for token in self._tokens_memo[state]:
            words[token >> 5] |= 1 << (token & 31)
        if self.is_accepting(state):
            for token in self.vocabulary.eos:
                words[token >> 5] |= 1 << (token & 31)
        row[:] = [word - (word >> 31 << 32) for word in words]  # as signed 32-bit integers

    def _allowed_tokens(self, state: State) -> Iterator[int]:
        # Every token is tried. They come sorted, so that the states along the part that a token
        # shares with the one before are still on the path; a shorter path means that it is dead.
        path = [state]
        for shared, data, token in self._sorted_tokens:
            del path[shared + 1 :]
            for byte in data[len(path) - 1 :] if len(path) == shared + 1 else ():
                after = self.step(path[-1], byte)
                if after is None:
                    break
                path.append(after)
            if len(path) == len(data) + 1:
                yield token

    def _step(self, state: State, byte: int) -> State:
        if byte in self._unspellable:
            return frozenset()
        after: set[Thread] = set()
        for head, stack in state:
            if isinstance(head, Reading):
                heads = _read(head, byte)
            else:
                heads = [head[1:]] if head[:1] == bytes([byte]) else []
            for new in heads:
                after |= {Thread(new, stack)} if new else self._first_of(stack)
        return frozenset(after)

    def _first_of(self, parts: tuple[Node, ...]) -> State:
        """The threads at the start of these parts one after another; DONE if all may be empty."""
        found: set[Thread] = set()
        for index, part in enumerate(parts):
            threads = self._first(part)
            rest = parts[index + 1 :]
            found |= {Thread(head, stack + rest) for head, stack in threads - {DONE}}
            if DONE not in threads:
                return frozenset(found)
        return frozenset(found | {DONE})

    def _first(self, node: Node) -> State:
        if node not in self._first_memo:
            self._first_memo[node] = self._find_first(node) if self._alive(node) else frozenset()
        return self._first_memo[node]

    def _find_first(self, node: Node) -> State:
        match node:
            case Literal():
                return frozenset({Thread(node.data, ())})
            case Words():
                return frozenset(Thread(w, ()) for w in node.options if self._spellable(w))
            case Terminal():
                reading = Reading(self._whole(node), node.encoding, b"")
                return frozenset(Thread(head, ()) for head in _resume(reading))
            case Sequence():
                return self._first_of(node.parts)
            case Choice():
                return frozenset().union(*(self._first(option) for option in node.options))
            case Repeat():
                return self._first_of_repeat(node)
            case Rule():
                return self._first_of_rule(node)
        raise TypeError(f"not a node of the grammar: {node!r}")

    def _first_of_repeat(self, node: Repeat) -> State:
        threads = self._first(node.body) if node.max != 0 else frozenset()
        more = None if node.max is None else node.max - 1
        again = () if more == 0 else (Repeat(node.body, max(node.min - 1, 0), more),)
        found = {Thread(head, stack + again) for head, stack in threads - {DONE}}
        # an empty round is never needed but to make up the least number of rounds
        return frozenset(found | {DONE} if node.min == 0 or DONE in threads else found)

    def _first_of_rule(self, node: Rule) -> State:
        if node.name in self._entered:
            raise GrammarError(
                f"the rule {node.name!r} is left-recursive",
                at=f"rule {node.name}",
                why="it can come to itself again before any text, so it never starts",
                hint="write the recursion at the end: `list: item list` or a repetition",
            )
        self._entered.add(node.name)
        try:
            return self._first(self.language.rules[node.name])
        finally:
            self._entered.discard(node.name)

    # What can be finished at all

    def _find_productive_rules(self) -> None:
        """Name the rules with a spellable text: the least set that is closed under `_alive`."""
        names = _reachable_rules(self.language)
        while new := {n for n in names if self._alive(self.language.rules[n])} - self._productive:
            self._productive |= new

    def _alive(self, node: Node) -> bool:
        match node:
            case Literal():
                return self._spellable(node.data)
            case Words():
                return any(self._spellable(word) for word in node.options)
            case Terminal():
                return not is_empty(self._whole(node))
            case Sequence():
                return all(self._alive(part) for part in node.parts)
            case Choice():
                return any(self._alive(option) for option in node.options)
            case Repeat():
                return node.min == 0 or self._alive(node.body)
            case Rule():
                return node.name in self._productive
        raise TypeError(f"not a node of the grammar: {node!r}")

    def _spellable(self, data: bytes) -> bool:
        return self._unspellable.isdisjoint(data)

    def _whole(self, node: Terminal) -> Regex:
        """A terminal as one expression: its regex, length, exclusions and spellable characters."""
        chars = spellable_chars(node.encoding, self._unspellable)
        length = repeat(Chars(chars), node.min_chars, node.max_chars)
        return both(node.regex, length, negate(union(*map(text, node.exclude))))


def _read(head: Reading, byte: int) -> list[bytes | Reading]:
    """The heads after one more byte of a terminal; b"" where the terminal may end."""
    pending = head.pending + bytes([byte])
    possible = _next_chars(head.regex) & chars_spelled(head.encoding, pending)
    if not possible:
        return []
    (first, last), *_ = possible.ranges
    if first == last and spell(head.encoding, first) == pending:  # no spelling starts another
        return _resume(Reading(derive(head.regex, first), head.encoding, b""))
    return [Reading(head.regex, head.encoding, pending)]


def _resume(head: Reading) -> list[bytes | Reading]:
    going_on: list[bytes | Reading] = [head] if _next_chars(head.regex) else []
    return [*going_on, b""] if nullable(head.regex) else going_on


@lru_cache(1 << 16)
def _next_chars(regex: Regex) -> CharSet:
    """The characters after which the expression can still be matched."""
    found = CharSet.NONE
    for chars in classes(regex):
        if chars and not is_empty(derive(regex, chars.ranges[0][0])):
            found |= chars
    return found


@lru_cache(16)
def _sorted_tokens(vocabulary: Vocabulary) -> list[tuple[int, bytes, int]]:
    """Tokens sorted by their bytes, each with the length it shares with the one before."""
    before, found = b"", []
    for data, token in sorted(
        (data, token) for token, data in enumerate(vocabulary.tokens) if data
    ):
        shared = 0
        while shared < min(len(before), len(data)) and before[shared] == data[shared]:
            shared += 1
        found.append((shared, data, token))
        before = data
    return found


def _reachable_rules(language: Language) -> list[str]:
    """Names of the rules that the root needs, the last found first."""
    names: dict[str, None] = {}
    nodes: list[Node] = [language.root]
    while nodes:
        node = nodes.pop()
        if isinstance(node, Rule) and node.name not in names:
            names[node.name] = None
            nodes.append(language.rules[node.name])
        elif isinstance(node, Sequence):
            nodes.extend(node.parts)
        elif isinstance(node, Choice):
            nodes.extend(node.options)
        elif isinstance(node, Repeat):
            nodes.append(node.body)
    return list(names)[::-1]
