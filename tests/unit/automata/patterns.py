"""Random patterns over few characters, so that their parts meet, and the texts to try them on."""

from __future__ import annotations

from itertools import product
from random import Random

ALPHABET = "ab\nA1é"
TEXTS = ["".join(chars) for length in range(4) for chars in product(ALPHABET, repeat=length)]
ANCHORS = ["^", "$", r"\A", r"\Z"]
ATOMS = [
    *("a", "b", ".", "[ab]", "[^a]", r"\n", r"\w", r"\d", r"\s", r"\W", "é"),
    *("(?i:a)", "[a-b]", "(?s:.)", r"[\d\n]"),
]
BOUNDARIES = [r"\b", r"\B", "(?m:^)", "(?m:$)"]
LOOKS = ["(?={})", "(?!{})", "(?<={})", "(?<!{})"]
REPEATS = ["*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "*?", "??", "{0}"]
SOUP = r"ab()|*+?{}[]^$.\,-1:2PiswdAZ#=!<>x "


def pattern(rng: Random, depth: int, atoms: list[str]) -> str:
    """A well-formed pattern."""
    kind = rng.random()
    if depth <= 0 or kind < 0.35:
        return rng.choice(atoms)
    if kind < 0.6:
        return pattern(rng, depth - 1, atoms) + pattern(rng, depth - 1, atoms)
    if kind < 0.8:
        options = [pattern(rng, depth - 1, atoms), rng.choice([pattern(rng, depth - 1, atoms), ""])]
        return f"({'|'.join(options)})"
    return f"({pattern(rng, depth - 1, atoms)}){rng.choice(REPEATS)}"


def looking(rng: Random, depth: int, atoms: list[str]) -> str:
    """A well-formed pattern with much lookaround in it."""
    kind = rng.random()
    if depth > 0 and kind < 0.3:
        return rng.choice(LOOKS).format(looking(rng, depth - 1, atoms))
    if depth <= 0 or kind < 0.4:
        return rng.choice(atoms)
    if kind < 0.7:
        return looking(rng, depth - 1, atoms) + looking(rng, depth - 1, atoms)
    if kind < 0.85:
        options = [looking(rng, depth - 1, atoms), rng.choice([looking(rng, depth - 1, atoms), ""])]
        return f"({'|'.join(options)})"
    times = rng.choice(["*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "{2,3}"])
    return f"({looking(rng, depth - 1, atoms)}){times}"


def soup(rng: Random) -> str:
    """A few characters that mean something in patterns; most of these don't parse."""
    return "".join(rng.choice(SOUP) for _ in range(rng.randint(1, 7)))


def some_texts(rng: Random) -> list[str]:
    """All short texts, and a few longer ones."""
    return TEXTS[:43] + rng.sample(TEXTS, 40)
