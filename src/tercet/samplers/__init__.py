"""Ways to get an answer out of a model under a constraint: values to pass as `sampler=`."""

from __future__ import annotations

from tercet.samplers.masked import masked

__all__ = ["masked"]
