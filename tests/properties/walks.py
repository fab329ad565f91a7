"""Random walks: take the mask, take any token of it, go on. Every walk must end, and end valid.

    python -m tests.properties.walks [--walks 10000] [--schemas 200] [--seed 0] [--any]

walks over schemas of MaskBench with three vocabularies and prints a table. A walk that finds an
empty mask is a dead end; one whose text `jsonschema` refuses is invalid; both must not happen.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tercet import (
    Grammar,
    GrammarError,
    TercetError,
    TokenRejectedError,
    UnsatisfiableError,
    compile,
)
from tercet.samplers.waysout import WaysOut
from tercet.vocabulary.vocabulary import Vocabulary
from tests.differential.vocabularies import NAMES, vocabulary

FREE = 60  # tokens that are taken freely, at most
PATIENCE = 6000  # tokens until a walk counts as endless
DETOUR = 0.02  # where what looks like an ending leads nowhere, in texts that aren't JSON
ANY = {"whitespace": "any", "order": "any", "numbers": "any", "strings": "any"}
SEARCH = 20_000  # states that are looked at for a way out of a string
_STRUCTURE = frozenset(b'"{}[],:')
# What ends things soonest: inside a string its quote, outside of strings these, in this order.
_CLOSING = b'}],0n1tf2-3456789"[{:.eE+rusal \n'


class WalkError(Exception):
    """A walk that went wrong, with the text so far."""


class EndlessError(WalkError):
    """A walk that found no end, though there was always a way on: the walker's fault, not ours."""


class Walker:
    """Walks at random through the texts of constraints over one vocabulary."""

    def __init__(self, words: Vocabulary) -> None:
        self.words = words
        self.row = np.zeros((words.size + 31) // 32, np.int32)
        self.first = np.array([data[0] if data else 256 for data in words.tokens])
        self.structural = np.array([not _STRUCTURE.isdisjoint(data) for data in words.tokens])
        self.single = {data[0]: token for token, data in enumerate(words.tokens) if len(data) == 1}

    def walk(self, constraint: Any, rng: random.Random, names: Sequence[bytes] = ()) -> bytes:
        """The text of one walk, which ended with an EOS token.

        Strings that may be one of `names` are, once the walk looks for its end.

        Raises:
            WalkError: the mask was empty, or a token of the mask was refused.
            EndlessError: it didn't end.
        """
        matcher = constraint.matcher()
        free = rng.randrange(FREE)
        text = b""
        self.way, self.names = b"", names
        ending: list[int] = []
        for count in range(PATIENCE):
            matcher.fill_bitmask(self.row)
            if count == free:
                ending = self.ending(matcher)
            if ending:
                token = ending.pop()
            else:
                token = self.any_token(rng) if count < free else self.closing(matcher, text, rng)
            if token < 0:
                raise WalkError(f"dead end after {text!r}")
            try:
                matcher.advance(token)
            except TokenRejectedError as error:
                raise WalkError(f"a token of the mask was refused: {error}") from error
            if token in self.words.eos:
                assert matcher.text == text
                return text
            text += self.words.tokens[token]
        raise EndlessError(f"did not end: {text[:200]!r}...")

    def is_allowed(self, token: int) -> bool:
        return bool(self.row[token >> 5] >> (token & 31) & 1)

    def any_token(self, rng: random.Random) -> int:
        """Any allowed token, but not too often one from the inside of a string; -1 for none."""
        allowed = np.flatnonzero(np.unpackbits(self.row.view(np.uint8), bitorder="little"))
        if not len(allowed):
            return -1
        draw = rng.random()
        if draw < 0.3:
            structural = allowed[self.structural[allowed]]
            allowed = structural if len(structural) else allowed
        elif draw < 0.6:
            firsts = self.first[allowed]
            allowed = allowed[firsts == rng.choice(np.unique(firsts))]
        return int(allowed[rng.randrange(len(allowed))])

    def ending(self, matcher: Any) -> list[int]:
        """The tokens of a short way to the end, the last one first; none if none is found."""
        recognizer, state = matcher.place()
        return list(reversed(WaysOut(recognizer, self.words).tokens(state) or []))

    def closing(self, matcher: Any, text: bytes, rng: random.Random) -> int:
        """A token that brings the end nearer, as far as JSON's syntax can tell."""
        for token in self.words.eos:
            if self.is_allowed(token):
                return token
        inside = _is_inside_string(text)
        if not inside and rng.random() < DETOUR:
            return self.any_token(rng)
        if self.way:
            return self.next_of_way()
        if inside and text.endswith(b'"') and self.names:
            self.way = way_to_name(matcher, rng.sample(self.names, len(self.names)))
            if self.way:
                return self.next_of_way()
        for byte in b'"' if inside else _CLOSING:
            token = self.single.get(byte, -1)
            if token >= 0 and self.is_allowed(token):
                return token
        if inside:
            self.way = way_to_quote(matcher)
            return self.next_of_way()
        return self.any_token(rng)

    def next_of_way(self) -> int:
        first, self.way = self.way[0], self.way[1:]
        return self.single[first]


def way_to_name(matcher: Any, names: Sequence[bytes]) -> bytes:
    """The first of the names that the string may be which was just begun, and its quote; or b""."""
    engine, start = matcher._cursor.place()
    for name in names:
        state = start
        for byte in name:
            if byte not in engine.live_bytes(state):
                break
            state = engine.step(state, byte)
        else:
            return name
    return b""


def required_names(schema: Any) -> list[bytes]:
    """What is in a list under `required` or the like anywhere, as JSON without its first quote."""
    found: dict[bytes, None] = {}
    todo = [schema]
    while todo:
        part = todo.pop()
        if isinstance(part, dict):
            lists = [part.get("required"), *_values(part, "dependentRequired", "dependencies")]
            names = [n for some in lists if isinstance(some, list) for n in some]
            found |= {json.dumps(n, ensure_ascii=False).encode()[1:]: None for n in names}
            todo += part.values()
        elif isinstance(part, list):
            todo += part
    return list(found)


def _values(part: dict[str, Any], *keywords: str) -> list[Any]:
    inside = [part.get(keyword) for keyword in keywords]
    return [value for some in inside if isinstance(some, dict) for value in some.values()]


def way_to_quote(matcher: Any) -> bytes:
    """The fewest bytes after which a string may end, going through the engine's states."""
    engine, start = matcher._cursor.place()
    ways: dict[Any, bytes] = {start: b""}
    queue = [start]
    for state in queue:
        for byte in engine.live_bytes(state):
            after = engine.step(state, byte)
            if byte == 0x22 and not ways[state].endswith(b"\\"):
                return ways[state] + b'"'
            if after not in ways:
                ways[after] = ways[state] + bytes([byte])
                queue.append(after)
        if len(queue) > SEARCH:
            break
    raise WalkError(f"no way out of a string within {len(queue)} states: {matcher.text[-200:]!r}")


def _is_inside_string(text: bytes) -> bool:
    bare = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    return bare.count(b'"') % 2 == 1


@dataclass
class Outcome:
    """What came of many walks."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def walk(
        self, walker: Walker, constraint: Any, judge: Judge, seed: str, names: Sequence[bytes] = ()
    ) -> None:
        self.counts["walks"] += 1
        try:
            text = walker.walk(constraint, random.Random(seed), names)
        except EndlessError:
            self.counts["endless"] += 1
            return
        except WalkError as error:
            self.counts["dead ends"] += 1
            self.failures.append(f"{seed}: {error}")
            return
        self.counts["bytes"] += len(text)
        complaint = judge(text)
        self.counts["invalid" if complaint else "valid"] += 1
        if complaint:
            self.failures.append(f"{seed}: {complaint}: {text.decode(errors='replace')[:300]}")


Judge = Callable[[bytes], str]


def compiled_schemas(
    wanted: int, options: dict[str, str]
) -> Iterator[tuple[str, Any, Grammar[Any]]]:
    """Schemas of the corpus that tercet enforces, its fixed part first: name, schema, grammar."""
    from benchmarks import corpus

    entries = sorted(
        corpus.maskbench(None), key=lambda entry: (corpus.part_of(entry["name"]) - 1) % 20
    )
    found = 0
    for entry in entries:
        try:
            grammar = Grammar.json(entry["schema"], **options)
        except TercetError:
            continue
        yield entry["name"], entry["schema"], grammar
        found += 1
        if found == wanted:
            break


def run(
    walks: int, schemas: int, seed: int, options: dict[str, str] | None = None
) -> dict[str, Outcome]:
    """Walk, with a progress bar; one outcome for each vocabulary."""
    from rich.progress import track

    from tests.properties.judging import complaint_of

    outcomes = {name: Outcome() for name in NAMES}
    walkers = {name: Walker(vocabulary(name)) for name in NAMES}
    share = -(-walks // (schemas * len(NAMES)))  # each, rounded up
    grammars = compiled_schemas(schemas, options or {})
    for title, schema, grammar in track(grammars, "walking", total=schemas, transient=True):
        judge, names = complaint_of(schema), required_names(schema)
        for name in NAMES:
            try:
                constraint = compile(grammar, vocabulary(name), cache=False)
            except (GrammarError, UnsatisfiableError):
                outcomes[name].counts["can't be spelled"] += 1
                continue
            for number in range(share):
                place = f"{title} {name} {seed}-{number}"
                outcomes[name].walk(walkers[name], constraint, judge, place, names)
    return outcomes


def main() -> int:
    from rich.console import Console
    from rich.table import Table

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--walks", type=int, default=10_000)
    parser.add_argument("--schemas", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--any", action="store_true", help="every order and spelling")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    chosen = ANY if options.any else {}
    outcomes = run(options.walks, options.schemas, options.seed, chosen)
    keys = ("walks", "valid", "invalid", "dead ends", "endless", "can't be spelled", "bytes")
    table = Table("vocabulary", *keys, title=f"random walks on {options.schemas} schemas")
    for name, outcome in outcomes.items():
        table.add_row(name, *(f"{outcome.counts[key]:,}" for key in keys))
    console = Console()
    console.print(table)
    failures = [line for outcome in outcomes.values() for line in outcome.failures]
    for line in failures[:20]:
        console.print(line, markup=False, highlight=False)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
