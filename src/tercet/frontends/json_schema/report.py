"""What became of a schema: exact or relaxed, and what deserves a second look.

Apart from the compiler because people hold it: `tercet.check` returns it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Report:
    """How faithfully a spec was compiled.

    `relaxed` names the keywords that were left out because the caller said so; `warnings` are the
    texts of the warnings that were given.

    >>> Report().exact
    True
    """

    relaxed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the constraint accepts exactly what the spec does."""
        return not self.relaxed
