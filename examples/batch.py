"""Many prompts at once: one forward of the model serves a step of all of them."""

from __future__ import annotations

from typing import Literal

from tercet.testing import scripted

REVIEWS = ["I loved it.", "Never again.", "It was fine."]

model = scripted("good", "bad", "good")
moods = model.batch(REVIEWS, Literal["good", "bad"], progress=True)
for review, mood in zip(REVIEWS, moods, strict=True):
    print(f"{mood}: {review}")
