"""Rules that are written when an engine first reads them.

A language looks like a mapping from names to nodes. Here a name is first only a promise; large
schemas are never lowered as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tercet.grammar.nodes import Node, Rule


class LazyRules(Mapping[str, Node]):
    """The rules of one language. Iterating gives those that something refers to so far."""

    def __init__(self) -> None:
        self._promised: dict[str, Callable[[], Node]] = {}
        self._written: dict[str, Node] = {}

    def promise(self, name: str, write: Callable[[], Node]) -> Rule:
        """A reference to a rule that `write` will make."""
        self._promised.setdefault(name, write)
        return Rule(name)

    def __getitem__(self, name: str) -> Node:
        node = self._written.get(name)
        if node is None:
            node = self._written[name] = self._promised[name]()
        return node

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._promised))

    def __len__(self) -> int:
        return len(self._promised)
