"""Files whose doctests can't be collected where an optional package isn't installed."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("triton") else ["src/tercet/kernels/apply_triton.py"]
