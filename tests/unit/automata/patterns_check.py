"""Patterns against other engines, more than a test run has time for.

    python -m tests.unit.automata.patterns_check re 5000     random patterns, judged by `re`
    python -m tests.unit.automata.patterns_check corpus      MaskBench's patterns, judged by node

The first goes on from where the seeds of the tests end. The second takes every `pattern` and every
key of `patternProperties` in the corpus; texts are sampled from the automaton and mutated, and a
text counts if it matches anywhere, as JSON Schema has it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from benchmarks import corpus
from tercet.automata.chardfa import CharDFA, compile_regex
from tercet.automata.combination import accepts
from tercet.automata.parse import parse
from tercet.errors import GrammarError
from tests.unit.automata import patterns

FIRST_SEED = 1_000_000
SAMPLES, MUTATIONS, LONGEST = 6, 6, 40
JUDGE = """
const cases = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const judged = cases.map(([source, texts]) => {
  for (const flags of ['u', '']) {
    try {
      const expression = new RegExp(source, flags);
      return texts.map(text => expression.test(text));
    } catch (error) {}
  }
  return null;
});
console.log(JSON.stringify(judged));
"""


def against_re(count: int) -> None:
    """Random patterns on all short texts over a few characters."""
    made: Counter[str] = Counter()
    for number in range(count):
        rng = Random(FIRST_SEED + number)
        source = _random(rng, number)
        try:
            judge = re.compile(source)
        except (re.error, OverflowError):
            made["refused by re"] += 1
            continue
        try:
            ours = parse(source, "python")
        except GrammarError as error:
            made["refused by us alone"] += 1
            print("REFUSED", repr(source), "-", error.message, "-", error.why)
            continue
        for text in patterns.some_texts(rng):
            made["texts"] += 1
            if accepts(ours, text) != bool(judge.fullmatch(text)):
                print("DIFFERS", repr(source), repr(text))
                made["differences"] += 1
        made["patterns compared"] += 1
    print(dict(made))


def _random(rng: Random, number: int) -> str:
    if number % 5 == 4:
        return patterns.soup(rng)
    if number % 2:
        return patterns.looking(rng, 4, [*patterns.ATOMS, *patterns.BOUNDARIES, *patterns.ANCHORS])
    return patterns.pattern(rng, 4, patterns.ATOMS)


def against_node() -> None:
    """The corpus' patterns on samples of them and on mutations of these."""
    made: Counter[str] = Counter()
    cases = []
    for source in sorted(_sources()):
        try:
            dfa = compile_regex(parse(source, "ecma"))
        except GrammarError as error:
            made["refused"] += 1
            print("REFUSED", repr(source), "-", error.message, "-", error.why)
            continue
        made["compiled"] += 1
        if not dfa.is_empty:
            cases.append((source, dfa, _texts(dfa, Random(source))))
    asked = json.dumps([(source, texts) for source, _, texts in cases])
    command = ["node", "-e", JUDGE]
    told = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    for (source, dfa, texts), answers in zip(cases, json.loads(told.stdout), strict=True):
        if answers is None:
            made["refused by node"] += 1
            continue
        for text, answer in zip(texts, answers, strict=True):
            made["texts accepted" if answer else "texts rejected"] += 1
            if dfa.accepts(text) != answer:
                made["differences"] += 1
                print("DIFFERS", repr(source), repr(text), "node:", answer)
    print(dict(made))


def _sources() -> set[str]:
    found: set[str] = set()
    for entry in corpus.maskbench(None):
        found.update(_patterns(entry["schema"]))
    return found


def _patterns(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("pattern"), str):
            yield value["pattern"]
        if isinstance(value.get("patternProperties"), dict):
            yield from value["patternProperties"]
        for part in value.values():
            yield from _patterns(part)
    if isinstance(value, list):
        for part in value:
            yield from _patterns(part)


def _texts(dfa: CharDFA, rng: Random) -> list[str]:
    least, _ = dfa.lengths()
    texts = {dfa.sample(rng, least + LONGEST) for _ in range(SAMPLES)}
    letters = [*"aZ_0 -.\n", *{char for text in texts for char in text}]
    for text in [*sorted(texts)]:
        for _ in range(MUTATIONS):
            at = rng.randint(0, len(text))
            cut = at + rng.randint(0, 1)
            texts.add(text[:at] + rng.choice([rng.choice(letters), ""]) + text[cut:])
    return sorted(text for text in texts if text.isprintable() or text.isascii())


if __name__ == "__main__":
    against_re(int(sys.argv[2])) if sys.argv[1] == "re" else against_node()
