"""Objects whose members come in the order of their list, uncounted: nearly all that people write.

A member is one rule, "this one or a later one", with the end of the object in it; a few required
members in a row are one rule together. `object_rules` writes the same language for such objects,
and all others. It keeps states, which these don't need: here a state is the number of a member.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tercet.frontends.json_schema.objects import Member, Objects
from tercet.frontends.json_schema.rules import LazyRules
from tercet.frontends.json_schema.schema import Value
from tercet.frontends.json_schema.spelling import key_node, other_key
from tercet.frontends.json_schema.style import Style
from tercet.grammar.nodes import NOTHING, Node, alt, lit, seq

_AT_ONCE = 6
"""Required members in a row that one rule writes: traps get fewer, and none gets slow."""

_END = lit("}")


def is_chain(objects: Objects) -> bool:
    """Whether the order of its members is all there is to say about an object."""
    return objects.is_free and not objects.patterns


@dataclass(slots=True, eq=False)
class ChainRules:
    """What the chains of a document have in common; `value` gives the node of a value."""

    rules: LazyRules
    value: Callable[[Value], Node]
    productive: Callable[[Value], bool]
    gap: Node
    comma: Node
    colon: Node
    style: Style

    def node(self, objects: Objects, name: str) -> Node:
        """The texts of an object: as `object_rules` has them."""
        if not all(map(self.productive, objects.needed())):
            return NOTHING
        return _Chain(self, objects, name).whole()


class _Chain:
    """One object. A place is the number of a member, or of members: then come the other keys."""

    def __init__(self, shared: ChainRules, objects: Objects, name: str) -> None:
        self._shared = shared
        self._objects = objects
        self._name = name
        self._members: list[tuple[str, Member]] = list(objects.members.items())
        needed = [n for n, (_, member) in enumerate(self._members) if member.is_required]
        self._last_needed = needed[-1] if needed else -1

    def whole(self) -> Node:
        """The object."""
        return seq(lit("{"), self._shared.gap, self._end_or(0, lambda place: self._from(place, 1)))

    def _end_or(self, place: int, more: Callable[[int], Node]) -> Node:
        """The end, where it may come, or a member from a place on."""
        following = self._next(place)
        options = [_END] if place > self._last_needed else []
        if following is not None:
            options.append(more(following))
        return alt(*options)

    def _next(self, place: int) -> int | None:
        """The first place from here on where a member may stand."""
        productive = self._shared.productive
        for number in range(place, len(self._members)):
            if productive(self._members[number][1].value):
                return number
        return len(self._members) if productive(self._objects.other) else None

    def _from(self, place: int, at_once: int = _AT_ONCE) -> Node:
        """The member of a place, if it comes, and all after it."""
        shared = self._shared
        if place == len(self._members):
            key = other_key(self._objects.members, shared.style)
            return seq(key, shared.colon, shared.value(self._objects.other), self._after(place, 0))
        name, member = self._members[place]
        key, value = key_node(name, shared.style), shared.value(member.value)
        is_single = not member.is_required or at_once <= 1
        after = self._after(place + 1, 0 if is_single else at_once - 1)
        pair = seq(key, shared.colon, value, after)
        if member.is_required:
            return pair
        following = self._next(place + 1)
        return pair if following is None else alt(pair, self._rule(following))

    def _after(self, place: int, at_once: int) -> Node:
        """After a value: the end, or a comma and the next member, here or in a rule of its own."""

        def more(following: int) -> Node:
            is_here = at_once and following < len(self._members)
            is_here = is_here and self._members[following][1].is_required
            node = self._from(following, at_once) if is_here else self._rule(following)
            return seq(self._shared.comma, node)

        return seq(self._shared.gap, self._end_or(place, more))

    def _rule(self, place: int) -> Node:
        write = partial(self._from, place)
        return self._shared.rules.promise(f"{self._name} from {place}", write)
