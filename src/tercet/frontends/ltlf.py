"""Plans: sequences of actions that satisfy a formula of linear temporal logic over finite traces.

De Giacomo and Vardi, "Linear Temporal Logic and Linear Dynamic Logic on Finite Traces" (2013). At
each step exactly one action happens, and a plan has at least one. What must hold of the rest of a
plan is a Boolean formula over the parts of the formula; these are the states of an automaton over
actions, and with the texts of the actions that becomes one over characters.
"""

from __future__ import annotations

from collections.abc import Mapping

from tercet.automata.automaton import explore
from tercet.automata.charset import CharSet
from tercet.automata.formulas import FALSE, TRUE, Formulas, TooManyFormulasError
from tercet.automata.jsontext import json_escape
from tercet.automata.regex import NEVER
from tercet.errors import GrammarError, UnsatisfiableError
from tercet.frontends.ltlf_syntax import Formula, read
from tercet.grammar.nodes import Language, term

_WORK = 500_000  # steps of Boolean algebra; two seconds
_MOST_PARTS = 200  # temporal parts: `Formulas` recurses over them
_SOMETHING = Formula("F", (Formula("true"),))  # the rest of the plan is not empty
_HOLDS_OF_NOTHING = frozenset({"true", "WX", "G", "R", "W"})


def lower(formula: str, actions: Mapping[str, str], separator: str) -> tuple[Language, Plans]:
    """The plans of a formula, with a separator between the texts of the actions.

    >>> language, plans = lower("F b & G(a -> X b)", {"a": "a", "b": "b"}, ",")
    >>> plans.read("a,b")
    ['a', 'b']

    Raises:
        GrammarError: the formula or an action isn't one, or it is too much work.
        UnsatisfiableError: there is no plan.
    """
    _check(actions)
    json_escape(separator)
    plans = Plans(read(formula, actions), actions, separator)
    try:
        language = plans.language()
    except TooManyFormulasError:
        raise GrammarError(
            "the formula needs too much work",
            excerpt=formula,
            why="its automaton is too large",
            hint="split it, and combine the grammars with &",
        ) from None
    if language is None:
        raise UnsatisfiableError("there is no plan", excerpt=formula, why="it can't be satisfied")
    return language, plans


def _check(actions: Mapping[str, str]) -> None:
    if not actions:
        raise GrammarError("a plan needs at least one action")
    for name, text in actions.items():
        json_escape(text)  # refuses what UTF-8 can't spell
        if not text:
            raise GrammarError(f"the action {name!r} has an empty text")
    if len(set(actions.values())) < len(actions):
        raise GrammarError("two actions are written alike", hint="give them different texts")


class Plans:
    """The automaton over actions, made while it is walked."""

    def __init__(self, formula: Formula, actions: Mapping[str, str], separator: str) -> None:
        self._actions = dict(actions)
        self._separator = separator
        self._formulas = Formulas(_WORK)
        self._numbers: dict[Formula, int] = {}
        self._parts: list[Formula] = []
        self._after: dict[tuple[int, str], int] = {}
        rest = self._of_rest(formula), self._of_rest(_SOMETHING)
        self.start = self._formulas.conjunction(*rest)

    def _of_rest(self, part: Formula) -> int:
        """The variable that says: this part holds of the rest of the plan."""
        number = self._numbers.setdefault(part, len(self._numbers))
        if number >= _MOST_PARTS:
            raise TooManyFormulasError
        if number == len(self._parts):
            self._parts.append(part)
        return self._formulas.variable(number)

    def after(self, state: int, action: str) -> int:
        """The state after an action."""
        key = state, action
        if key not in self._after:
            self._after[key] = self._formulas.substitute(
                state, lambda variable: self._now(self._parts[variable], action)
            )
        return self._after[key]

    def _now(self, part: Formula, action: str) -> int:
        """What must hold of the rest if a part holds and this action is next."""
        make = self._formulas
        if part.kind == "action":
            return TRUE if part.name == action else FALSE
        if part.kind in {"true", "false"}:
            return TRUE if part.kind == "true" else FALSE
        if part.kind == "last":
            return make.negation(self._of_rest(_SOMETHING))
        if part.kind == "X":
            return make.conjunction(self._of_rest(part.parts[0]), self._of_rest(_SOMETHING))
        if part.kind == "WX":
            nothing = make.negation(self._of_rest(_SOMETHING))
            return make.disjunction(self._of_rest(part.parts[0]), nothing)
        now = [self._now(inside, action) for inside in part.parts]
        return self._combined(part, now)

    def _combined(self, part: Formula, now: list[int]) -> int:
        make = self._formulas
        match part.kind:
            case "!":
                return make.negation(now[0])
            case "&":
                return make.conjunction(*now)
            case "|":
                return make.disjunction(*now)
            case "->":
                return make.disjunction(make.negation(now[0]), now[1])
            case "<->":
                return make.choice(now[0], now[1], make.negation(now[1]))
            case "F":
                return make.disjunction(now[0], self._of_rest(part))
            case "G":
                return make.conjunction(now[0], self._of_rest(part))
            case "R":
                return make.conjunction(now[1], make.disjunction(now[0], self._of_rest(part)))
        return make.disjunction(now[1], make.conjunction(now[0], self._of_rest(part)))

    def accepts(self, state: int) -> bool:
        """Whether a plan may end here."""
        return self._formulas.evaluate(state, lambda v: self._holds_of_nothing(self._parts[v]))

    def _holds_of_nothing(self, part: Formula) -> bool:
        inside = [self._holds_of_nothing(p) for p in part.parts]
        match part.kind:
            case "!":
                return not inside[0]
            case "&":
                return all(inside)
            case "|":
                return any(inside)
            case "->":
                return not inside[0] or inside[1]
            case "<->":
                return inside[0] == inside[1]
        return part.kind in _HOLDS_OF_NOTHING

    def language(self) -> Language | None:
        """The texts of all plans, or None if there is no plan."""
        spelled = _Spelled(self._actions, self._separator)
        letters = "".join(sorted(spelled.letters))

        def step(items: frozenset[_Item], char: str) -> frozenset[_Item] | None:
            found: set[_Item] = set()
            for state, node in items:
                child = spelled.children[node].get(char)
                if child is None:
                    continue
                found.add((state, child))
                arrived = self.after(state, spelled.ends[child]) if child in spelled.ends else FALSE
                if arrived != FALSE:
                    found.add((arrived, 0))
            return frozenset(found) or None

        def accepts(items: frozenset[_Item]) -> bool:
            return any(node == 0 and self.accepts(state) for state, node in items)

        start = frozenset({(self.start, spelled.first)})
        regex = explore(start, step, accepts, letters, tuple(map(CharSet.of, letters)))
        return None if regex is NEVER else Language(term(regex), {})

    def read(self, text: str) -> list[str]:
        """The actions of a plan; where it could be cut in several ways, the longest text first."""
        longest = sorted(self._actions, key=lambda name: -len(self._actions[name]))
        path: list[str] = []
        tries = [(self.start, 0, iter(longest))]
        seen = set[tuple[int, int]]()
        while tries:
            state, place, names = tries[-1]
            name = next(names, None)
            if name is None:
                tries.pop()
                path = path[:-1]
                continue
            begin = place + (len(self._separator) if place or path else 0)
            end = begin + len(self._actions[name])
            if not text.startswith(self._actions[name], begin):
                continue
            after = self.after(state, name)
            if end == len(text) and self.accepts(after):
                return [*path, name]
            if text.startswith(self._separator, end) and (after, end) not in seen:
                seen.add((after, end))
                path.append(name)
                tries.append((after, end, iter(longest)))
        raise AssertionError("the text is a plan")


_Item = tuple[int, int]  # a state of the plan, and how far the next separator and action are read


class _Spelled:
    """A trie of the separator followed by each action; `first` is where the separator ends."""

    def __init__(self, actions: Mapping[str, str], separator: str) -> None:
        self.children: list[dict[str, int]] = [{}]
        self.ends: dict[int, str] = {}
        self.first = self._add(separator)
        for name, text in actions.items():
            self.ends[self._add(separator + text)] = name
        self.letters = frozenset(char for node in self.children for char in node)

    def _add(self, text: str) -> int:
        node = 0
        for char in text:
            if char not in self.children[node]:
                self.children[node][char] = len(self.children)
                self.children.append({})
            node = self.children[node][char]
        return node
