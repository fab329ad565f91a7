"""Random languages over few characters, so that everything collides with everything.

They are the frontends' kind of language: no left recursion, every rule has a text, terminals with
exclusions can go on for ever. A seed gives the same language on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from tercet.automata import regex as rx
from tercet.automata.charset import CharSet
from tercet.grammar import nodes as g

LETTERS = 'ab"\\é€'  # one, two and three bytes; two that JSON escapes
ALPHABET = bytes(sorted({*LETTERS.encode(), *b"nu0126e-"}))


@dataclass
class Writer:
    """Draws regular expressions and nodes from one random generator."""

    rng: random.Random
    names: tuple[str, ...] = ()
    most: int = 3  # the scale of counts
    plain: bool = False  # only what `denotation` knows

    def word(self, least: int = 1, most: int = 3) -> str:
        return "".join(self.rng.choices(LETTERS, k=self.rng.randint(least, most)))

    def regex(self, depth: int = 2) -> rx.Regex:
        """Any expression, also an empty one: `terminal` looks after that."""
        kinds = ["chars", "text"] + ["concat", "union", "repeat", "and", "not"] * (depth > 0)
        match self.rng.choice(kinds):
            case "chars":
                return rx.Chars(CharSet.of(self.word()))
            case "text":
                return rx.text(self.word(0, 2))
            case "concat":
                return rx.concat(self.regex(depth - 1), self.regex(depth - 1))
            case "union":
                return rx.union(self.regex(depth - 1), self.regex(depth - 1))
            case "repeat":
                return rx.repeat(self.regex(depth - 1), *self.bounds(3))
            case "and":
                return rx.both(self.regex(depth - 1), self.regex(depth - 1))
            case _:
                every = rx.repeat(rx.Chars(CharSet.of(LETTERS)), 0, None)
                return rx.both(rx.negate(self.regex(depth - 1)), every)

    def bounds(self, most: int) -> tuple[int, int | None]:
        least = self.rng.randint(0, most)
        return least, self.rng.choice([None, *range(max(least, 1), most + 2)])

    def terminal(self) -> g.Node:
        encoding: g.Encoding = self.rng.choice(["utf8", "json", *["json-any"] * (not self.plain)])
        if self.rng.random() < 0.3:  # the keys of an object that aren't declared
            words = [self.word(0, 3) for _ in range(self.rng.randint(1, 5))]
            return g.term(self.run(), encoding, exclude=words)
        low, high = self.bounds(self.most) if self.rng.random() < 0.5 else (0, None)
        body = self.regex() if self.rng.random() < 0.7 else self.run()
        return g.term(body, encoding, low, high)

    def run(self) -> rx.Regex:
        """Characters without end, the usual body of a counted terminal."""
        charset = CharSet.of(self.word(2, 4))
        others = ~(charset | CharSet.of("\b"))  # JSON spells that one with the letter b
        return rx.repeat(rx.Chars(charset if self.rng.random() < 0.7 else others), 0, None)

    def scope(self) -> g.Node:
        """A list of texts that differ; each can always become another one, so nothing is dead."""
        digits = rx.concat(rx.chars("12"), rx.repeat(rx.chars("01")))
        number = rx.union(rx.text("0"), digits, rx.concat(digits, rx.text("e1")))
        number = g.term(rx.union(number, rx.concat(rx.text("-"), number)))
        text = g.term(self.run(), self.rng.choice(["utf8", "json"]))  # compared as written
        items = [g.Unseen(text, "string"), g.Unseen(number, "number")]
        item = self.rng.choice([*items, g.alt(*items)])
        separated = g.seq(item, g.lit(self.rng.choice(["1", '"', "a"])))
        scope = g.Scope(g.rep(separated, *self.bounds(3)))
        if self.rng.random() < 0.3:
            inner = g.alt(separated, g.seq(g.lit("n"), scope, g.lit("n")))
            scope = g.Scope(g.seq(g.rep(inner, 0, 4), separated))
        return scope

    def composites(self) -> g.Node:
        """A list of small arrays, objects and texts that differ; each can always go on."""
        text = g.term(self.run(), self.rng.choice(["utf8", "json"]))
        number = g.term(rx.union(rx.text("0"), rx.concat(rx.chars("12"), rx.repeat(rx.chars("0")))))
        part = g.alt(
            g.seq(g.lit('"'), g.Noted(text, "string"), g.lit('"')),
            g.Noted(number, "number"),
            g.Noted(g.term(rx.union(rx.text("nu"), rx.text("n6"))), "word"),
        )
        if self.rng.random() < 0.5:
            part = g.alt(part, self.composite(part, is_new=False))
        items = [self.composite(part, is_new=True) for _ in range(self.rng.randint(1, 2))]
        if self.rng.random() < 0.3:
            items.append(g.seq(g.lit("1"), g.Unseen(text, "string"), g.lit('"')))
        return g.Scope(g.rep(g.seq(g.alt(*items), self.rng.choice([g.EMPTY, g.lit("b")])), 0, 4))

    def composite(self, part: g.Node, *, is_new: bool) -> g.Node:
        """An array of the parts, or an object of them with keys."""
        if self.rng.random() < 0.5:
            body = g.seq(g.lit("e"), g.rep(g.seq(part, g.lit("-"))), g.lit("u"))
            return g.Composite(body, "array", is_new)
        keys = g.term(self.run(), "json", exclude=[self.word()] * (self.rng.random() < 0.5))
        key = g.seq(g.lit('"'), g.Noted(keys, "key"), g.lit('"'))
        body = g.seq(g.lit("2"), g.rep(g.seq(key, part, g.lit("-"))), g.lit("u"))
        return g.Composite(body, "object", is_new)

    def node(self, depth: int, guarded: bool = False) -> g.Node:
        """Any node; rules only behind a letter, so that none is left-recursive."""
        leaves: list[Callable[[], g.Node]] = [
            lambda: g.lit(self.word()),
            lambda: g.words(self.word(0, 3).encode() for _ in range(self.rng.randint(2, 5))),
            self.terminal,
        ]
        if guarded and self.names:
            leaves.append(lambda: g.Rule(self.rng.choice(self.names)))
        if depth <= 0:
            return self.rng.choice(leaves)()
        inner: list[Callable[[], g.Node]] = [
            lambda: self.sequence(depth, guarded),
            lambda: g.alt(*(self.node(depth - 1, guarded) for _ in range(2))),
            lambda: g.rep(self.node(depth - 1, guarded), *self.bounds(self.most)),
            lambda: g.opt(self.node(depth - 1, guarded)),
        ]
        if not self.plain and self.rng.random() < 0.5:
            leaves.append(self.scope if self.rng.random() < 0.6 else self.composites)
        return self.rng.choice(leaves + 2 * inner)()

    def sequence(self, depth: int, guarded: bool) -> g.Node:
        if self.rng.random() < 0.5:
            return g.seq(g.lit(self.word()), self.node(depth - 1, True), self.node(depth - 1, True))
        return g.seq(self.node(depth - 1, guarded), self.node(depth - 1, guarded))


def random_language(seed: int, *, plain: bool = False) -> g.Language:
    """A language with up to three rules. It may be empty, and parts of it may be."""
    depth = 3
    rng = random.Random(seed)
    names = tuple(f"r{i}" for i in range(rng.randint(0, 3)))
    writer = Writer(rng, names, rng.choice([3, 3, 4, 12]), plain)
    rules = {name: g.alt(writer.node(depth - 1), g.lit(writer.word())) for name in names}
    return g.Language(writer.node(depth), rules)
