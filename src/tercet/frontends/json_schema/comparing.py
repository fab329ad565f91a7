"""Which arrays and objects can be items that all differ, and how they are written to be compared.

Inside such an item every scalar and every key is noted, and the engine compares items by what was
noted. That needs no look ahead where an item can go on for ever: one that equals an earlier item
can't end yet, and gets another member or item. All other kinds of arrays and objects are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from tercet.automata.regex import text
from tercet.frontends.json_schema.arrays import Arrays, Productive
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.forms import Form
from tercet.frontends.json_schema.keys import Keys
from tercet.frontends.json_schema.members import Members
from tercet.frontends.json_schema.objects import Objects
from tercet.frontends.json_schema.schema import Undecided, Value
from tercet.frontends.json_schema.spelling import number_terminals, string_terminals
from tercet.frontends.json_schema.style import Style
from tercet.frontends.regex import node_of
from tercet.grammar.nodes import Node, Noted, Terminal, alt, lit, seq, term

_QUOTE = lit('"')
_CONSTANTS = ((None, "null"), (True, "true"), (False, "false"))


class Composed(NamedTuple):
    """The arrays or the objects that a value may be, as items that must be new."""

    value: Value
    kind: Literal["array", "object"]


def require_comparable(value: Value, canonical: Canonical, productive: Productive) -> None:
    """Check that an item can be written as `Comparing` does, with all that is inside of it.

    Raises:
        Undecided: it can't.
    """
    todo, seen = [value], {value}
    while todo:
        form = canonical.form(todo.pop())
        string_terminals(form.strings)
        for inside in _insides(form, canonical, productive):
            if inside not in seen:
                seen.add(inside)
                todo.append(inside)


def _insides(form: Form, canonical: Canonical, productive: Productive) -> Iterator[Value]:
    for arrays in form.arrays:
        if arrays.distinct:
            raise Undecided("there are items without equals inside of its items", "uniqueItems")
        yield from arrays.inside()
    for objects in form.objects:
        members = Members(objects, canonical.keys, productive)
        if any(keys.room is not None for keys in members.free):
            raise Undecided("its objects could come to the end of their keys", "uniqueItems")
        for keys in members.free:
            NotedKeys().free(keys, is_new=True)
        yield from members.values()


def is_endless_array(arrays: Arrays, productive: Productive) -> bool:
    """Whether every such array can get another item, however many it has."""
    return (
        arrays.high is None
        and not arrays.distinct
        and all(share.high is None for share in arrays.shares)
        and all(map(productive, (*arrays.prefix, arrays.rest)))
    )


def is_endless_object(objects: Objects, members: Members) -> bool:
    """Whether every such object can get another member, however many it has."""
    has_room = any(keys.room is None for keys in members.free)
    return has_room and objects.high is None and not objects.violated


def noted_scalars(form: Form, style: Style) -> Iterator[Node]:
    """The scalars of a form, each noted."""
    for constant, word in _CONSTANTS:
        if constant in form.constants:
            yield _noted(term(text(word)), "word")
    for terminal in number_terminals(form.numbers, style):
        yield Noted(terminal, "number")
    strings = [Noted(terminal, "string") for terminal in string_terminals(form.strings)]
    if strings:
        yield seq(_QUOTE, alt(*strings), _QUOTE)


class NotedKeys:
    """Writes the keys of objects that are compared: each is new among those of its object."""

    def named(self, name: str) -> Node:
        """A declared key."""
        return seq(_QUOTE, _noted(term(text(name), "json"), "key"), _QUOTE)

    def free(self, keys: Keys, *, is_new: bool) -> Node:
        """Any key of a class; all are new, for what comes twice would change the value."""
        if keys.is_open:
            inside = term(keys.regex, "json", exclude=keys.without)
        else:
            inside = node_of(keys.regex, "json")
        return seq(_QUOTE, _noted(inside, "key"), _QUOTE)


def _noted(node: Node, kind: Literal["word", "key"]) -> Node:
    if not isinstance(node, Terminal):
        raise Undecided("the keys of its objects are too long to be compared", "uniqueItems")
    return Noted(node, kind)
