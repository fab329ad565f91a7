"""The short texts of a language, straight from the definition of each node.

This judges the reference engine, which in turn judges the others. It builds sets of strings and
knows nothing of states, derivatives or bytes in the middle of a character.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from tercet.automata import regex as rx
from tercet.automata.jsontext import json_escape
from tercet.grammar import nodes as g


def short_texts(language: g.Language, most: int, letters: str) -> frozenset[bytes]:
    """The texts of at most `most` bytes; terminals are taken over `letters` only."""
    return _Denotation(language.rules, most, letters).language(language.root)


class _Denotation:
    def __init__(self, rules: Mapping[str, g.Node], most: int, letters: str) -> None:
        self.rules, self.most, self.letters = rules, most, letters
        self.known: dict[str, frozenset[bytes]] = {}
        self.every = [
            "".join(chars) for n in range(most + 1) for chars in product(letters, repeat=n)
        ]

    def language(self, root: g.Node) -> frozenset[bytes]:
        self.known = dict.fromkeys(self.rules, frozenset())
        while True:  # the least fixed point of the rules
            known = {name: self.node(node) for name, node in self.rules.items()}
            if known == self.known:
                return self.node(root)
            self.known = known

    def node(self, node: g.Node) -> frozenset[bytes]:
        match node:
            case g.Literal():
                return self.short({node.data})
            case g.Words():
                return self.short(set(node.options))
            case g.Terminal():
                return self.terminal(node)
            case g.Sequence():
                found = frozenset({b""})
                for part in node.parts:
                    found = self.joined(found, self.node(part))
                return found
            case g.Choice():
                return frozenset().union(*map(self.node, node.options))
            case g.Repeat():
                return self.repeated(self.node(node.body), node.min, node.max)
            case g.Rule():
                return self.known[node.name]
        raise TypeError(node)

    def terminal(self, node: g.Terminal) -> frozenset[bytes]:
        spell = json_escape if node.encoding == "json" else str.encode
        most = self.most if node.max_chars is None else node.max_chars
        fit = (text for text in self.every if node.min_chars <= len(text) <= most)
        texts = {text for text in fit if text not in node.exclude and _matches(node.regex, text)}
        return self.short({spell(text) for text in texts})

    def repeated(self, body: frozenset[bytes], least: int, most: int | None) -> frozenset[bytes]:
        last = most if most is not None else least + self.most + 1
        rounds, found = frozenset({b""}), frozenset()
        for count in range(last + 1):
            if count >= least:
                found |= rounds
            rounds = self.joined(rounds, body)
        return found

    def joined(self, left: frozenset[bytes], right: frozenset[bytes]) -> frozenset[bytes]:
        return self.short({a + b for a in left for b in right if len(a) + len(b) <= self.most})

    def short(self, texts: set[bytes]) -> frozenset[bytes]:
        return frozenset(text for text in texts if len(text) <= self.most)


def _matches(regex: rx.Regex, text: str) -> bool:
    match regex:
        case rx.Chars():
            return len(text) == 1 and ord(text) in regex.charset
        case rx.Concat():
            return _concat(regex.parts, text)
        case rx.Union():
            return any(_matches(option, text) for option in regex.options)
        case rx.And():
            return all(_matches(part, text) for part in regex.parts)
        case rx.Not():
            return not _matches(regex.body, text)
        case rx.Repeat():
            return _repeat(regex.body, regex.min, regex.max, text)
    raise TypeError(regex)


def _concat(parts: tuple[rx.Regex, ...], text: str) -> bool:
    if not parts:
        return not text
    cuts = range(len(text) + 1)
    return any(_matches(parts[0], text[:i]) and _concat(parts[1:], text[i:]) for i in cuts)


def _repeat(body: rx.Regex, least: int, most: int | None, text: str) -> bool:
    if not text:
        return least == 0 or _matches(body, "")
    if most == 0:
        return False
    fewer = None if most is None else most - 1
    cuts = range(1, len(text) + 1)  # empty rounds can be left out, but for the least number
    if _matches(body, ""):
        least = 0
    return any(
        _matches(body, text[:i]) and _repeat(body, max(least - 1, 0), fewer, text[i:]) for i in cuts
    )
