"""Ways to get an answer out of a model under a constraint: samplers to pass on, and searches."""

from __future__ import annotations

from tercet.samplers import drafts
from tercet.samplers.beam import beam
from tercet.samplers.masked import masked
from tercet.samplers.most_probable import argmax
from tercet.samplers.speculative import speculative
from tercet.samplers.weighing import choice_logprobs

__all__ = ["argmax", "beam", "choice_logprobs", "drafts", "masked", "speculative"]
