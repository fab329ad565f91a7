"""How the parts of kernels are compiled: never to machine code of their own.

Numba would optimise each function that another calls, with all that it calls itself, make machine
code of it, and do the same again for its callers: the same code a dozen times over. A function
that Python never calls is only made ready for linking here, and optimised once, in the kernel
that it becomes a part of.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class _NoEnvironments:
    """Stands for the code generator where an environment would be noted with machine code."""

    @staticmethod
    def set_env(name: str, environment: Any) -> None:
        """Only code that can raise or that makes Python objects has use for it."""


class PartLibrary(JITCodeLibrary):  # type: ignore[misc, unused-ignore]
    """Code that waits to be linked."""

    @property
    def codegen(self) -> Any:
        """What Numba asks to note environments."""
        return _NoEnvironments

    def get_pointer_to_function(self, name: str) -> int:
        """None has an address."""
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        """Leave it to the kernel."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class PartCompiler(Compiler):  # type: ignore[misc, unused-ignore]
    """Compiles a function into such a library."""

    def __init__(self, typing_context: Any, target_context: Any, library: Any, *rest: Any) -> None:
        code = library or PartLibrary(target_context.codegen(), "part")
        super().__init__(typing_context, target_context, code, *rest)
