"""Random walks through the bundled grammars with a real vocabulary, judged from outside.

    python -m tests.properties.grammar_walks [--walks 2000] [--tokenizer FILE] [NAME ...]

prints a line for each grammar; a dead end or a text that its judge refuses makes it fail.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import tercet
from tercet.frontends.bundled import names
from tests.properties.grammar_judges import judge_of
from tests.properties.walks import Outcome, Walker
from tests.tokenizers_for_tests import tokenizer_path


def walked(name: str, walker: Walker, walks: int, seed: int = 0) -> Outcome:
    """The outcome of walks through one grammar."""
    constraint = tercet.compile(tercet.Grammar.bundled(name), walker.words, cache=False)
    outcome, judge = Outcome(), judge_of(name)
    for number in range(walks):
        place = f"{name} {seed}-{number}"
        outcome.walk(walker, constraint, lambda text: judge(text.decode()), place)
    return outcome


def main() -> int:
    from transformers import PreTrainedTokenizerFast

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--walks", type=int, default=2000)
    parser.add_argument("--tokenizer", type=Path, default=tokenizer_path("llama3_1"))
    given = parser.parse_args()
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(given.tokenizer), eos_token="<|eot_id|>")
    walker = Walker(tercet.Vocabulary.from_transformers(tokenizer))
    failed = False
    for name in given.names or names():
        begun = time.process_time()
        outcome = walked(name, walker, given.walks)
        took = time.process_time() - begun
        print(f"{name}: {dict(outcome.counts)}, {took:.0f} s of CPU", flush=True)
        for failure in outcome.failures[:5]:
            print(f"  {failure}")
        failed |= bool(outcome.failures)
    return failed


if __name__ == "__main__":
    sys.exit(main())
