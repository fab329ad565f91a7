"""Objects become rules: one for "a member from here on", one for "after a member: the end or more".

With `order="schema"` members come in the order of their list, so the rules are a chain that is as
long as the list. With `order="any"` what is left is part of the rule's name: rules are written when
an engine asks for them, so only the sets that some text reaches are ever made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from tercet.frontends.json_schema.completion import set_bits
from tercet.frontends.json_schema.keys import Keys
from tercet.frontends.json_schema.members import Members, State, Way
from tercet.frontends.json_schema.rules import LazyRules
from tercet.frontends.json_schema.schema import Value
from tercet.grammar.nodes import Node, Scope, alt, lit, seq


class KeyTexts(Protocol):
    """Writes keys, with their quotes."""

    def named(self, name: str, /) -> Node:
        """A declared key."""

    def free(self, keys: Keys, /, *, is_new: bool) -> Node:
        """Any key of a class; `is_new` if none of those that must be new so far."""


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """An object while its rules are written; states are numbered as they are met."""

    name: str
    members: Members
    numbers: dict[State, int] = field(default_factory=dict)

    def label(self, state: State) -> str:
        return f"{self.name} state {self.numbers.setdefault(state, len(self.numbers))}"


@dataclass(slots=True, eq=False)
class ObjectRules:
    """Writes the rules of objects; `value` gives the rule of a value, the rest is punctuation.

    With `is_compared` all keys are noted, which makes them new.
    """

    rules: LazyRules
    value: Callable[[Value], Node]
    gap: Node
    comma: Node
    colon: Node
    keys: KeyTexts
    is_ordered: bool
    is_compared: bool = False

    def node(self, members: Members, name: str) -> Node:
        """The texts of an object: `{` gap (key colon value gap (`,` key colon value gap)*)? `}`."""
        frame, start = _Frame(name, members), members.start
        if start is None:
            return alt()
        options = [lit("}")] if members.can_end(start) else []
        options += [self._member(frame, start)] if self._has_more(frame, start) else []
        whole = seq(lit("{"), self.gap, alt(*options))
        return Scope(whole) if members.has_memory and not self.is_compared else whole

    def _has_more(self, frame: _Frame, state: State) -> bool:
        return next(self._moves(frame, state), None) is not None

    def _member(self, frame: _Frame, state: State) -> Node:
        """One of the members that can come in a state, and all that follows it."""
        return alt(*self._moves(frame, state))

    def _moves(self, frame: _Frame, state: State) -> Iterator[Node]:
        if self.is_ordered and state.left & frame.members.placed:
            yield from self._first_move(frame, state)
            return
        for number in set_bits(state.left):
            yield from self._named(frame, state, number)
        for keys in frame.members.free:
            for way in frame.members.free_ways(state, keys):
                yield self._pair(frame, self.keys.free(keys, is_new=way.is_new), way)

    def _first_move(self, frame: _Frame, state: State) -> Iterator[Node]:
        """The first placed member of those left, and one rule for all others."""
        members, at = frame.members, state
        while at.left & members.placed:
            number = (at.left & -at.left).bit_length() - 1
            after = members.skip(at, number)
            pairs = [*self._named(frame, at, number)]
            yield from pairs
            if after is None:
                return
            if pairs:
                if self._has_more(frame, after):
                    write = partial(self._member, frame, after)
                    yield self.rules.promise(f"{frame.label(after)} from here", write)
                return
            at = after
        yield from self._moves(frame, at) if at is not state else ()

    def _named(self, frame: _Frame, state: State, number: int) -> Iterator[Node]:
        key = self.keys.named(frame.members.entries[number].name)
        for way in frame.members.ways(state, number):
            yield self._pair(frame, key, way)

    def _pair(self, frame: _Frame, key: Node, way: Way) -> Node:
        name = f"{frame.label(way.state)} after a member"
        after = self.rules.promise(name, partial(self._after, frame, way.state))
        return seq(key, self.colon, self.value(way.value), after)

    def _after(self, frame: _Frame, state: State) -> Node:
        """What comes after a member: the end, or a comma and more."""
        options = [lit("}")] if frame.members.can_end(state) else []
        if self._has_more(frame, state):
            options.append(seq(self.comma, self._member(frame, state)))
        return seq(self.gap, alt(*options))
