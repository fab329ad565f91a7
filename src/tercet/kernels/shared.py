"""Code that several kernels share: they call it by its address.

A function that is inlined is compiled again for each kernel that uses it. What is seldom reached,
once for each new state, and is large, has machine code of its own instead; its address stands in
the context that kernels are given, since a kernel from the disk can't know it. A call costs some
two nanoseconds more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.ccallback import CFunc
from numba.core.sigutils import normalize_signature
from numba.extending import intrinsic

from tercet.kernels.caching import KernelCache
from tercet.kernels.pointers import JIT_DISABLED

_PLAIN: list[Callable[..., int]] = []


class _Plain:
    """A function that isn't compiled; its address is its place in a list."""

    def __init__(self, function: Callable[..., int]) -> None:
        self.address = len(_PLAIN)
        _PLAIN.append(function)


def shared(signature: str) -> Callable[[Callable[..., int]], Any]:
    """Compile a function for calls by its `address`; all it takes and returns is int64."""

    def wrap(function: Callable[..., int]) -> Any:
        if JIT_DISABLED:
            return _Plain(function)
        compiled = CFunc(function, normalize_signature(signature), {}, {})
        compiled._cache = KernelCache(function)  # type: ignore[attr-defined, unused-ignore]
        compiled.compile()
        return compiled

    return wrap


def _plain_call(address: int, arguments: tuple[int, ...]) -> int:
    return _PLAIN[address](*arguments)


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _compiled_call(typing_context: Any, address: Any, arguments: Any) -> Any:
    count = len(arguments)
    signature = types.int64(types.int64, types.UniTuple(types.int64, count))

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        from llvmlite import ir

        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)] * count)
        function = builder.inttoptr(values[0], kind.as_pointer())
        return builder.call(function, cgutils.unpack_tuple(builder, values[1], count))

    return signature, codegen


call = _plain_call if JIT_DISABLED else _compiled_call
