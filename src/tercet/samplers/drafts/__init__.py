"""Who can guess what comes next: sources of drafts, each in a file of its own.

A guess costs little and is always checked, by the grammar and by the model, so it needs no
justification but its success: how often each kind of guess came true decides how much is drafted.
"""

from __future__ import annotations

from tercet.samplers.drafts.choices import Choices
from tercet.samplers.drafts.draft_model import DraftModel
from tercet.samplers.drafts.forced import Forced
from tercet.samplers.drafts.habits import Habits
from tercet.samplers.drafts.past import Past
from tercet.samplers.drafts.protocol import Drafter, Guess, Guesser, Tip
from tercet.samplers.drafts.recycled import Recycled
from tercet.samplers.drafts.repeats import Repeats

__all__ = [
    "Choices",
    "DraftModel",
    "Drafter",
    "Forced",
    "Guess",
    "Guesser",
    "Habits",
    "Past",
    "Recycled",
    "Repeats",
    "Tip",
    "standard",
]


def standard() -> tuple[Drafter, ...]:
    """Return fresh drafters that need nothing but the prompt, the grammar and what they see."""
    return Forced(), Habits(), Repeats(), Choices(), Recycled()
