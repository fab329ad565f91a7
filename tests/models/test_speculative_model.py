"""SmolLM2 writes the same with and without drafts, but where two scores are within rounding."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from typing_extensions import TypedDict

import tercet
from tercet import samplers

pytestmark = pytest.mark.model


class City(TypedDict):
    """What the prompts ask for."""

    name: str
    country: str
    kind: Literal["capital", "port", "other"]
    is_large: bool


PLACES = ("Paris", "Hamburg", "Busan")
PROMPTS = [f"Describe the city {place} as JSON." for place in PLACES]
_ROUNDING = 1e-3  # of scores in float32, between a step of one token and one of several


@pytest.mark.parametrize("options", [{}, {"temperature": 0.7, "seed": 3}])
def test_drafted_is_undrafted(model: tercet.Model, options: dict[str, Any]) -> None:
    plain = samplers.masked(**options)
    quick = samplers.speculative(**options)
    forwards = steps = 0
    for prompt in PROMPTS:
        slow = model.complete(prompt, City, max_tokens=48, sampler=plain)
        fast = model.complete(prompt, City, max_tokens=48, sampler=quick)
        assert fast.tokens == slow.tokens or _is_a_tie(model, prompt, slow.tokens, fast.tokens)
        forwards += fast.stats.forwards
        steps += fast.stats.steps
    assert steps > 1.5 * forwards


def _is_a_tie(model: tercet.Model, prompt: str, ours: list[int], theirs: list[int]) -> bool:
    """Whether the texts part where greedy can't tell the two tokens from one another."""
    place = next(i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b)
    session = model.network.open([[*model.network.encode(prompt), *ours[:place]]])
    scores = session.scores()[0]
    return bool(np.abs(scores[ours[place]] - scores[theirs[place]]) < _ROUNDING)
