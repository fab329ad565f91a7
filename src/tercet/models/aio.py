"""The methods of a model as coroutines.

A model computes, it doesn't wait; so there is one thread, and what is asked at the same time is
answered in turn, streams step by step between the others. Cancelling a task stops the model after
the step at hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from typing_extensions import TypeForm

from tercet.constraint import Constraint
from tercet.models.completion import Completion, Snapshot
from tercet.spec import Grammar

if TYPE_CHECKING:
    from tercet.models.model import Model

T = TypeVar("T")
R = TypeVar("R")


class AsyncModel:
    """What `model.aio` is; the arguments are those of `Model`.

    >>> from tercet.testing import scripted
    >>> asyncio.run(scripted("42").aio("How many?", int))
    42
    """

    def __init__(self, model: Model, /) -> None:
        self._model = model
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tercet-aio")

    async def _run(self, function: Callable[[], R]) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function)

    async def _finished(self, work: Callable[[], R], cancel: Callable[[], None]) -> R:
        try:
            return await self._run(work)
        except asyncio.CancelledError:
            cancel()
            raise

    @overload
    async def __call__(
        self, prompt: Any, spec: Constraint[T] | Grammar[T], /, **options: Any
    ) -> T: ...
    @overload
    async def __call__(self, prompt: Any, spec: TypeForm[T], /, **options: Any) -> T: ...
    async def __call__(self, prompt: Any, spec: Any, /, **options: Any) -> Any:
        """Return the answer; see `Model`."""
        answer: Completion[Any] = await self.complete(prompt, spec, **options)
        return answer.value

    @overload
    async def complete(
        self, prompt: Any, spec: Constraint[T] | Grammar[T], /, **options: Any
    ) -> Completion[T]: ...
    @overload
    async def complete(
        self, prompt: Any, spec: TypeForm[T], /, **options: Any
    ) -> Completion[T]: ...
    async def complete(self, prompt: Any, spec: Any, /, **options: Any) -> Completion[Any]:
        """Return the answer with its figures; see `Model.complete`."""
        stream = await self._run(lambda: self._model.stream(prompt, spec, **options))
        return await self._finished(stream.complete, stream.cancel)

    @overload
    async def batch(
        self, prompts: Sequence[Any], spec: Constraint[T] | Grammar[T], /, **options: Any
    ) -> list[T]: ...
    @overload
    async def batch(
        self, prompts: Sequence[Any], spec: TypeForm[T], /, **options: Any
    ) -> list[T]: ...
    async def batch(
        self,
        prompts: Sequence[Any],
        spec: Any,
        /,
        *,
        progress: bool | None = None,
        batch_size: int = 8,
        **options: Any,
    ) -> list[Any]:
        """Return all answers; see `Model.batch`."""
        plan = self._model.plan
        run = await self._run(lambda: plan(prompts, spec, batch_size, cast("Any", options)))
        return await self._finished(lambda: run.values(progress), run.cancel)

    async def stream(self, prompt: Any, spec: Any, /, **options: Any) -> AsyncIterator[Snapshot]:
        """Yield snapshots of the answer; see `Model.stream`."""
        stream = await self._run(lambda: self._model.stream(prompt, spec, **options))
        snapshots = iter(stream)
        try:
            while (snapshot := await self._run(lambda: next(snapshots, None))) is not None:
                yield snapshot
        finally:
            stream.cancel()
