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

from tercet.automata.derive import is_empty
from tercet.automata.regex import EMPTY
from tercet.engines.composites import NOTED, ends_of
from tercet.engines.lexing import Lexing, lexeme
from tercet.engines.reading import Reading, Scopes, in_context, read, resume, with_seen
from tercet.engines.spellable import Close, Compose, Context, Spellable
from tercet.errors import GrammarError
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
from tercet.vocabulary.marks import MARK
from tercet.vocabulary.vocabulary import Vocabulary


class Thread(NamedTuple):
    """What is being matched, the nodes after it, nearest first, and what open scopes have seen."""

    head: bytes | Reading
    stack: tuple[Node, ...]
    scopes: Scopes = ()


State = frozenset[Thread]
DONE = Thread(b"", ())


class Recognizer:
    """Follows texts of one language, and finds the tokens that may come next."""

    def __init__(self, language: Language, vocabulary: Vocabulary) -> None:
        self.language = language
        self.vocabulary = vocabulary
        self._unspellable = vocabulary.unspellable - {MARK}
        self._sorted_tokens = _sorted_tokens(vocabulary)
        self._first_memo: dict[tuple[Node, Scopes], State] = {}
        self._after_memo: dict[State, dict[int, State]] = {}
        self._tokens_memo: dict[State, tuple[int, ...]] = {}
        self._entered: set[str] = set()  # rules whose first threads are being looked for
        self._spellable = Spellable(language, vocabulary)
        self._start = self._first(language.root, ())

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
        data = self.vocabulary.spellings[token] if 0 <= token < self.vocabulary.size else b""
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

    def least_bytes(self, state: State) -> int:
        """Less than these bytes don't complete the text: no more is known than that one is left."""
        return 0 if self.is_accepting(state) else 1

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
        for head, stack, scopes in state:
            if isinstance(head, Reading):
                for new in read(head, byte, scopes):
                    after |= self._go_on(new, stack, scopes)
            elif head[:1] == bytes([byte]):
                after |= self._go_on(head[1:], stack, scopes)
        return frozenset(after)

    def _go_on(self, head: bytes | Reading, stack: tuple[Node, ...], scopes: Scopes) -> State:
        """The threads of a head that has taken a byte; where it has ended, those of its stack."""
        if isinstance(head, Reading) and head.regex is EMPTY and not head.pending:
            scopes = with_seen(head, scopes)
            head = b""
        return frozenset({Thread(head, stack, scopes)}) if head else self._first_of(stack, scopes)

    def _first_of(self, parts: tuple[Node, ...], scopes: Scopes) -> State:
        """The threads at the start of these parts one after another; empty heads if all may end."""
        found: set[Thread] = set()
        ends = {scopes}
        for index, part in enumerate(parts):
            rest, before, ends = parts[index + 1 :], ends, set()
            for head, stack, within in (t for end in before for t in self._first(part, end)):
                if head:
                    found.add(Thread(head, stack + rest, within))
                else:
                    ends.add(within)
        return frozenset(found | {Thread(b"", (), end) for end in ends})

    def _first(self, node: Node, scopes: Scopes) -> State:
        known = self._first_memo.get((node, scopes))
        if known is None:
            known = (
                self._find_first(node, scopes) if self._spellable.has_text(node) else frozenset()
            )
            self._first_memo[node, scopes] = known
        return known

    def _find_first(self, node: Node, scopes: Scopes) -> State:
        match node:
            case Literal(data=data):
                return frozenset({Thread(data, (), scopes)})
            case Marker(name=name):
                return frozenset({Thread(self.vocabulary.spelling(name), (), scopes)})
            case Words():
                return frozenset(
                    Thread(w, (), scopes) for w in node.options if self._spellable.is_in(w)
                )
            case Terminal():
                return self._first_of_terminal(node, "", scopes)
            case Unseen():
                return self._first_of_terminal(node.terminal, node.kind, scopes)
            case Scope():
                return self._first_of((node.body, Close()), (*scopes, frozenset()))
            case Lexed(lexer=lexer, body=body):
                return self._first_of((body, Close()), (*scopes, Lexing(lexer, 0)))
            case Lexeme():
                return self._first_of_lexeme(node, scopes)
            case Context(number=number):
                return frozenset({Thread(b"", (), in_context(scopes, number))})
            case Noted():
                return self._first_of_terminal(node.terminal, NOTED[node.kind], scopes)
            case Composite():
                return self._first_of((node.body, Compose(node.kind, node.is_new)), (*scopes, ()))
            case Compose():
                return frozenset(Thread(b"", (), end) for end in ends_of(node, scopes))
            case Close():
                return frozenset({Thread(b"", (), scopes[:-1])})
            case Sequence():
                return self._first_of(node.parts, scopes)
            case Choice():
                return frozenset().union(*(self._first(option, scopes) for option in node.options))
            case Repeat():
                return self._first_of_repeat(node, scopes)
            case Rule():
                return self._first_of_rule(node, scopes)
        raise TypeError(f"not a node of the grammar: {node!r}")

    def _first_of_terminal(self, node: Terminal, kind: str, scopes: Scopes) -> State:
        reading = Reading(
            self._spellable.whole(node), node.encoding, b"", kind, "", self._unspellable
        )
        heads = resume(reading, scopes)
        return frozenset().union(*(self._go_on(head, (), scopes) for head in heads))

    def _first_of_lexeme(self, node: Lexeme, scopes: Scopes) -> State:
        place = scopes[-1]
        found = isinstance(place, Lexing) and lexeme(place, node.name, self._unspellable)
        if not found or is_empty(found[0]):
            return frozenset()
        head = Reading(found[0], "utf8", b"", unspellable=self._unspellable, growing=found[1])
        return frozenset({Thread(head, (Context(node.context),), scopes)})

    def _first_of_repeat(self, node: Repeat, scopes: Scopes) -> State:
        threads = self._first(node.body, scopes) if node.max != 0 else frozenset()
        more = None if node.max is None else node.max - 1
        again = () if more == 0 else (Repeat(node.body, max(node.min - 1, 0), more),)
        found = {Thread(head, stack + again, within) for head, stack, within in threads if head}
        # an empty round is never needed but to make up the least number of rounds
        ends = {Thread(b"", (), scopes)} if node.min == 0 else {t for t in threads if not t.head}
        return frozenset(found | ends)

    def _first_of_rule(self, node: Rule, scopes: Scopes) -> State:
        if node.name in self._entered:
            raise GrammarError(
                f"the rule {node.name!r} is left-recursive",
                at=f"rule {node.name}",
                why="it can come to itself again before any text, so it never starts",
                hint="write the recursion at the end: `list: item list` or a repetition",
            )
        self._entered.add(node.name)
        try:
            return self._first(self.language.rules[node.name], scopes)
        finally:
            self._entered.discard(node.name)


@lru_cache(16)
def _sorted_tokens(vocabulary: Vocabulary) -> list[tuple[int, bytes, int]]:
    """Tokens sorted by their bytes, each with the length it shares with the one before."""
    before, found = b"", []
    for data, token in sorted(
        (data, token) for token, data in enumerate(vocabulary.spellings) if data
    ):
        shared = 0
        while shared < min(len(before), len(data)) and before[shared] == data[shared]:
            shared += 1
        found.append((shared, data, token))
        before = data
    return found
