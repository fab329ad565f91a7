"""Ways to get an answer out of a model under a constraint: values to pass as `sampler=`."""

from __future__ import annotations

from tercet.samplers import drafts
from tercet.samplers.masked import masked
from tercet.samplers.speculative import speculative

__all__ = ["drafts", "masked", "speculative"]
