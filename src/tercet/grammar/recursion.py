"""Left recursion is taken out of a language: `list: list item | item` becomes `item item*`.

An engine starts a rule by starting what it begins with, so a rule that begins with itself would
never start. Only the set of texts matters here, not a tree, so the rules that begin with each other
(a strongly connected component of "can begin with") are turned around: a text of one of them is
something that leaves the component, then *tails*, each what follows when one of the rules has
just been completed as the beginning of another. This is the left-corner transform (Rosenkrantz and
Lewis, 1970) of those rules alone; all others stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tercet.grammar.heads import heads, is_nullable, nullable_rules
from tercet.grammar.nodes import EMPTY, Language, Node, Rule, alt, opt, rep, seq
from tercet.grammar.productive import pruned
from tercet.grammar.reachable import reachable_rules


def without_left_recursion(language: Language) -> Language:
    """The same texts, from rules that never begin with themselves.

    >>> from tercet.grammar.nodes import lit
    >>> rules = {"list": alt(seq(Rule("list"), lit(",x")), lit("x"))}
    >>> without_left_recursion(Language(Rule("list"), rules)).rules["list"]
    Sequence((Literal(b'x'), Repeat(Literal(b',x'), 0, None)))
    """
    language = pruned(language)
    rules = {name: language.rules[name] for name in reachable_rules(language)}
    nullable = nullable_rules(rules, rules)
    begins = {
        name: dict.fromkeys(h.name for h, _ in heads(node, nullable) if isinstance(h, Rule))
        for name, node in rules.items()
    }
    turned: dict[str, Node] = {}
    for names in _components(begins):
        if len(names) > 1 or names[0] in begins[names[0]]:
            turned |= _Component(names, rules, nullable).turned()
    if not turned:
        return language
    return pruned(replace(language, rules=_Turned(rules, turned, nullable).all()))


@dataclass(frozen=True)
class _Component:
    """Rules that begin with each other."""

    names: list[str]
    rules: Mapping[str, Node]
    nullable: frozenset[str]

    def turned(self) -> dict[str, Node]:
        """New nodes for these rules, and for their tails."""
        members = set(self.names)
        leaving: list[tuple[str, Node]] = []  # rule, a text of it that leaves the component
        steps: dict[str, list[tuple[str, Node]]] = {name: [] for name in self.names}
        for name in self.names:
            for head, rest in heads(self.rules[name], self.nullable):
                if isinstance(head, Rule) and head.name in members:
                    steps[head.name].append((name, rest))
                else:
                    leaving.append((name, seq(_full(head, self.nullable), rest)))
        if len(self.names) == 1:
            return self._turned_alone(leaving, steps)
        nodes: dict[str, Node] = {}
        for goal in self.names:
            whole = alt(*(seq(node, Rule(_tail(name, goal))) for name, node in leaving))
            nodes[_nonempty(goal)] = whole
            for name in self.names:
                nodes[_tail(name, goal)] = self._tails(name, goal, steps)
        return nodes | {name: self._named(name, Rule(_nonempty(name))) for name in self.names}

    def _turned_alone(
        self, leaving: list[tuple[str, Node]], steps: dict[str, list[tuple[str, Node]]]
    ) -> dict[str, Node]:
        (name,) = self.names
        again = [more for _, rest in steps[name] if (more := self._more(rest))]
        whole = seq(alt(*(node for _, node in leaving)), rep(alt(*again)))
        if name not in self.nullable:
            return {name: whole}
        return {_nonempty(name): whole, name: opt(Rule(_nonempty(name)))}

    def _named(self, name: str, node: Node) -> Node:
        return opt(node) if name in self.nullable else node

    def _tails(self, name: str, goal: str, steps: Mapping[str, list[tuple[str, Node]]]) -> Node:
        """What may follow a complete `name` until a `goal` that it began is complete."""
        same, queue = {name}, [name]  # joined by rules that add nothing
        for current in queue:
            for longer, rest in steps[current]:
                if is_nullable(rest, self.nullable) and longer not in same:
                    same.add(longer)
                    queue.append(longer)
        tails = [
            seq(more, Rule(_tail(longer, goal)))
            for current in queue
            for longer, rest in steps[current]
            if (more := self._more(rest))
        ]
        return alt(*([EMPTY] if goal in same else []), *tails)

    def _more(self, rest: Node) -> Node | None:
        """The texts of `rest` that are not empty; None if there are none."""
        if not is_nullable(rest, self.nullable):
            return rest
        options = [seq(_full(h, self.nullable), r) for h, r in heads(rest, self.nullable)]
        return alt(*options) if options else None


@dataclass(frozen=True)
class _Turned:
    """All rules after turning: the nonempty forms that others refer to are made as well."""

    rules: Mapping[str, Node]
    turned: dict[str, Node]
    nullable: frozenset[str]

    def all(self) -> dict[str, Node]:
        found = {**self.rules, **self.turned}
        for name in self.nullable:
            if _nonempty(name) not in found:
                options = heads(self.rules[name], self.nullable)
                found[_nonempty(name)] = alt(
                    *(seq(_full(head, self.nullable), rest) for head, rest in options)
                )
        return found


def _full(head: Node, nullable: frozenset[str]) -> Node:
    """A head without the empty text."""
    if isinstance(head, Rule) and head.name in nullable:
        return Rule(_nonempty(head.name))
    return head


def _nonempty(name: str) -> str:
    return f"{name} (not empty)"


def _tail(name: str, goal: str) -> str:
    return f"{goal} after {name}"


def _components(edges: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Strongly connected components (Tarjan, 1972), without recursion."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    on_path: dict[str, None] = {}
    found: list[list[str]] = []
    for root in edges:
        if root in index:
            continue
        work = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        on_path[root] = None
        while work:
            name, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    on_path[target] = None
                    work.append((target, iter(edges[target])))
                    break
                if target in on_path:
                    low[name] = min(low[name], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    members = list(on_path)[list(on_path).index(name) :]
                    for member in members:
                        del on_path[member]
                    found.append(members)
    return found
