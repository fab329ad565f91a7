"""Inside a decoding loop of your own: masks in, tokens out, any model."""

from __future__ import annotations

import random

import numpy as np

from tercet import Grammar, compile
from tercet.testing import byte_vocabulary

vocabulary = byte_vocabulary()  # Vocabulary.from_transformers(tokenizer) for a real one
constraint = compile(Grammar.json({"type": "array", "items": {"type": "boolean"}}), vocabulary)
matcher = constraint.matcher()
bits = np.zeros((1, (vocabulary.size + 31) // 32), np.int32)  # one row for each sequence
rng = random.Random(7)

while not matcher.is_finished:
    matcher.fill_bitmask(bits, row=0)
    allowed = np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little"))
    token = int(rng.choice(allowed.tolist()))  # here a model would choose
    matcher.advance(token)

print(matcher.text.decode())
assert matcher.text in constraint.grammar
