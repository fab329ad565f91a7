"""What the tests of the front ends ask of a language: is a text in it, and what texts are there."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

from tercet.engines.select import recognizer
from tercet.frontends.json_schema.compiler import lower
from tercet.frontends.json_schema.options import JsonOptions
from tercet.grammar.nodes import Choice, Language, Node, Repeat, Rule, Sequence
from tercet.vocabulary.vocabulary import Vocabulary


@lru_cache(1)
def byte_tokens() -> Vocabulary:
    return Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), b""], eos=256)


class Texts:
    """The texts of a language, byte by byte."""

    def __init__(self, language: Language, engine: str | None = None) -> None:
        self._automaton = recognizer(language, byte_tokens(), engine)

    def __contains__(self, text: str) -> bool:
        state = self._automaton.start()
        for byte in text.encode():
            state = self._automaton.step(state, byte)
            if state is None:
                return False
        return self._automaton.is_accepting(state)

    def lives(self, text: str) -> bool:
        """Whether a text can go on."""
        state = self._automaton.start()
        for byte in text.encode():
            state = self._automaton.step(state, byte)
            if state is None:
                return False
        return bool(self._automaton.live_bytes(state))

    def draw(self, rng: random.Random, length: int = 200) -> str:
        """A random text; after `length` bytes it heads for the end."""
        state, data = self._automaton.start(), bytearray()
        while not (self._automaton.is_accepting(state) and rng.random() < 0.3):
            live = self._automaton.live_bytes(state)
            if not live:
                break
            closing = [byte for byte in live if byte in b'"]}0']
            printable = [byte for byte in live if 0x20 <= byte < 0x7F]
            heads_home = len(data) > length and rng.random() < 0.7
            byte = rng.choice((heads_home and closing) or printable or live)
            state = self._automaton.step(state, byte)
            data.append(byte)
        assert self._automaton.is_accepting(state), bytes(data)
        return data.decode()


def texts(schema: Any, **options: Any) -> Texts:
    return Texts(lower(schema, JsonOptions(**options)).language)


def all_rules(language: Language) -> dict[str, Node]:
    """Every rule that the root reaches."""
    found: dict[str, Node] = {}
    todo = [language.root]
    while todo:
        node = todo.pop()
        if isinstance(node, Rule) and node.name not in found:
            found[node.name] = language.rules[node.name]
            todo.append(found[node.name])
        elif isinstance(node, Sequence):
            todo += node.parts
        elif isinstance(node, Choice):
            todo += node.options
        elif isinstance(node, Repeat):
            todo.append(node.body)
    return found
