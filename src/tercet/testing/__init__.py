"""A model without weights and toy vocabularies, for tests and examples of what uses tercet.

>>> from tercet.testing import scripted
>>> scripted("I would say 42")("How many?", int)
42
"""

from __future__ import annotations

from tercet.testing.scripted import scripted
from tercet.testing.vocabularies import byte_vocabulary, hostile_vocabulary

__all__ = ["byte_vocabulary", "hostile_vocabulary", "scripted"]
