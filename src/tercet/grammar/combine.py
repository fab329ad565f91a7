"""Languages put together: one after another, either of several, one again and again.

The rules of two languages may have the same names, so they get new ones where several languages
with rules meet. Rules stay lazy: a rule is looked up, and renamed, when an engine asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tercet.grammar.nodes import EMPTY, Language, Node, Rule, alt, opt, rep, seq


def concatenated(languages: Sequence[Language]) -> Language:
    """A text of each, one after another.

    >>> from tercet.grammar.nodes import lit
    >>> concatenated([Language(lit("a"), {}), Language(lit("b"), {})]).root
    Literal(b'ab')
    """
    roots, rules = _side_by_side(languages)
    return Language(seq(*roots), rules)


def either(languages: Sequence[Language]) -> Language:
    """A text of any of them."""
    roots, rules = _side_by_side(languages)
    return Language(alt(*roots), rules)


def repeated(body: Language, separator: Language, least: int, most: int | None) -> Language:
    """Between `least` and `most` texts of the body (None: without bound), with separators between.

    >>> from tercet.grammar.nodes import lit
    >>> repeated(Language(lit("a"), {}), Language(lit(","), {}), 0, None).root
    Choice((Sequence((Literal(b'a'), Repeat(Literal(b',a'), 0, None))), Sequence(())))
    """
    (one, between), rules = _side_by_side([body, separator])
    if between is EMPTY:
        return Language(rep(one, least, most), rules)
    if most == 0:
        return Language(EMPTY, {})
    more = rep(seq(between, one), max(least - 1, 0), None if most is None else most - 1)
    some = seq(one, more)
    return Language(some if least else opt(some), rules)


def _side_by_side(languages: Sequence[Language]) -> tuple[list[Node], Mapping[str, Node]]:
    """The roots of all languages, and all their rules, under names that don't meet."""
    ruled = list({id(one.rules): one.rules for one in languages if one.rules}.values())
    if len(ruled) <= 1:
        return [one.root for one in languages], ruled[0] if ruled else {}
    numbers = {id(rules): str(number) for number, rules in enumerate(ruled)}
    joined = _Joined({numbers[id(rules)]: rules for rules in ruled})
    roots = [
        joined.renamed(one.root, numbers[id(one.rules)]) if one.rules else one.root
        for one in languages
    ]
    return roots, joined


class _Joined(Mapping[str, Node]):
    """Rules of several languages, named `number/name`."""

    def __init__(self, parts: dict[str, Mapping[str, Node]]) -> None:
        self._parts = parts
        self._known: dict[str, Node] = {}

    def __getitem__(self, name: str) -> Node:
        found = self._known.get(name)
        if found is None:
            number, _, own = name.partition("/")
            found = self._known[name] = self.renamed(self._parts[number][own], number)
        return found

    def __iter__(self) -> Iterator[str]:
        for number, rules in self._parts.items():
            yield from (f"{number}/{name}" for name in rules)

    def __len__(self) -> int:
        return sum(map(len, self._parts.values()))

    def renamed(self, node: Node, number: str) -> Node:
        """The node with the new names of its rules."""
        if isinstance(node, Rule):
            return Rule(f"{number}/{node.name}")
        fields = [getattr(node, field) for field in type(node)._fields]
        changed = [self._renamed_field(field, number) for field in fields]
        return node if changed == fields else type(node)(*changed)

    def _renamed_field(self, field: Any, number: str) -> Any:
        if isinstance(field, Node):
            return self.renamed(field, number)
        if isinstance(field, tuple) and field and isinstance(field[0], Node):
            return tuple(self.renamed(part, number) for part in field)
        return field
