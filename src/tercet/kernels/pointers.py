"""Raw pointers for numba kernels: an integer address becomes something that can be indexed.

A numba call with 25 array arguments costs about 20 microseconds, with three integers 0.3. So the
engine keeps its arrays behind one context array of addresses, passes that array's address, and
rebuilds pointers inside. Under ``NUMBA_DISABLE_JIT=1`` the same names are ctypes casts, so that the
kernels can be debugged as plain Python.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import config, njit, types
from numba.extending import intrinsic

from tercet.kernels.caching import KernelCache
from tercet.kernels.compiling import PartCompiler

JIT_DISABLED: bool = bool(config.DISABLE_JIT)


def _compiled_cast(element: Any) -> Any:
    @intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def cast(typing_context: Any, address: Any) -> Any:
        signature = types.CPointer(element)(types.int64)

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return signature, codegen

    return cast


def _plain_cast(element: Any) -> Callable[[int], Any]:
    pointer = ctypes.POINTER(element)

    def cast(address: int) -> Any:
        return ctypes.cast(int(address), pointer)

    return cast


if JIT_DISABLED:
    i32 = _plain_cast(ctypes.c_int32)
    i64 = _plain_cast(ctypes.c_int64)
    u8 = _plain_cast(ctypes.c_uint8)
    u16 = _plain_cast(ctypes.c_uint16)
    u64 = _plain_cast(ctypes.c_uint64)
else:
    i32 = _compiled_cast(types.int32)
    i64 = _compiled_cast(types.int64)
    u8 = _compiled_cast(types.uint8)
    u16 = _compiled_cast(types.uint16)
    u64 = _compiled_cast(types.uint64)


def entry(signature: Any, *, nogil: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function that Python calls: typed ahead of use and kept on the disk."""

    def wrap(function: Callable[..., Any]) -> Any:
        if not JIT_DISABLED:
            compiled = njit(nogil=nogil)(function)
            compiled._cache = KernelCache(function)
            compiled.compile(signature)
            compiled.disable_compile()
            return compiled

        def plain(*arguments: Any) -> Any:
            with np.errstate(over="ignore"):
                return function(*arguments)

        return plain

    return wrap


def inner(function: Callable[..., Any]) -> Any:
    """Compile a function that only other kernels call: it becomes part of them."""
    return njit(pipeline_class=PartCompiler, no_cpython_wrapper=True, no_cfunc_wrapper=True)(
        function
    )


def address_of(array: np.ndarray[Any, Any]) -> int:
    """The address of an array's first element (three times faster than ``array.ctypes.data``)."""
    return int(array.__array_interface__["data"][0])
