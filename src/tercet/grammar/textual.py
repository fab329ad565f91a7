"""Which rules have a text, where some leaves have none, and the rules are too many to look at all.

A rule has a text if its node has one, given the rules that have one: the least such set. Rules may
be written only when they are read, and there may be one for each count up to millions, so a
question looks at no more of them than its answer needs: depth first, and always the first part of
a node that isn't known yet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

from tercet.errors import GrammarError
from tercet.grammar.nodes import Node

MOST_ASKED = 50_000  # references to rules that one question follows: some seconds

HasText = Callable[[Node, Callable[[str], bool]], bool]


class TextualRules:
    """The rules of a mapping that have a text.

    `has_text(node, is_textual)` says whether a node has one, and asks `is_textual` of the rules
    that this depends on, as few as it can.

    >>> from tercet.grammar.nodes import Rule, Sequence, lit, seq
    >>> def has_text(node, is_textual):
    ...     match node:
    ...         case Sequence(parts=parts):
    ...             return all(has_text(part, is_textual) for part in parts)
    ...         case Rule(name=name):
    ...             return is_textual(name)
    ...     return True
    >>> rules = {"a": seq(lit("x"), Rule("a")), "b": lit("y"), "c": seq(lit("z"), Rule("b"))}
    >>> [name for name in rules if TextualRules(rules, has_text)(name)]
    ['b', 'c']
    """

    def __init__(self, rules: Mapping[str, Node], has_text: HasText) -> None:
        self._rules, self._has_text = rules, has_text
        self._known: dict[str, bool] = {}

    def __call__(self, name: str) -> bool:
        """Whether a rule has a text.

        Raises:
            GrammarError: more than MOST_ASKED references would have to be followed to find out.
        """
        if name not in self._known:
            self._settle(name)
        return self._known[name]

    def _settle(self, asked: str) -> None:
        waiting: defaultdict[str, list[str]] = defaultdict(list)  # for a rule: those that asked
        looked_at: dict[str, None] = {}
        todo, followed = [asked], 0
        while todo:
            name = todo.pop()
            if name in looked_at or name in self._known:
                continue
            looked_at[name] = None
            followed += self._look(name, waiting, todo)
            if followed > MOST_ASKED:
                raise _undecided()
            if asked in self._known:
                return
        self._known |= {name: False for name in looked_at if name not in self._known}

    def _look(self, asked: str, waiting: defaultdict[str, list[str]], todo: list[str]) -> int:
        """Decide one rule, and again all that waited for it, or note what they wait for.

        Returns how many references that was.
        """
        again, count = [asked], 0
        while again:
            name = again.pop()
            wanted: list[str] = []

            def is_textual(other: str, wanted: list[str] = wanted) -> bool:
                if other not in self._known:
                    wanted.append(other)
                return self._known.get(other, False)

            if name in self._known:
                continue
            if self._has_text(self._rules[name], is_textual):
                self._known[name] = True
                again += waiting.pop(name, ())
            for other in wanted:
                waiting[other].append(name)
            todo += reversed(wanted)
            count += 1 + len(wanted)
        return count


def _undecided() -> GrammarError:
    return GrammarError(
        "cannot tell whether every text can be finished with this vocabulary",
        why=f"it has no single-byte token for some bytes, and more than {MOST_ASKED:,} "
        "references would have to be followed to find an ending without them",
        hint="use a tokenizer with byte fallback, or ask for fewer items or members",
    )
