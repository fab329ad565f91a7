"""A language model that answers in the form that is asked for.

`Model` is the facade over any `Network`: the public methods, their options and their types. What
it delegates: compiling (`constraint`), choosing tokens (`samplers`), the call itself (`run`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, overload

from typing_extensions import TypeForm, Unpack

from tercet import samplers
from tercet.constraint import Constraint, compile
from tercet.errors import TercetError
from tercet.models.completion import Completion
from tercet.models.run import Run
from tercet.models.stream import Stream
from tercet.samplers.network import Network
from tercet.samplers.sampler import Sampler
from tercet.samplers.speculative import Speculative
from tercet.spec import Grammar
from tercet.vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    from tercet.models.aio import AsyncModel

T = TypeVar("T")


class Options(TypedDict, total=False):
    """What every call takes by name.

    `max_tokens` bounds the tokens of the answer (512). Near it only tokens may come that leave room
    to finish, and then `finish` is "closed"; with `close=False` the answer is cut off instead.
    `temperature` is 0 (greedy) unless given;
    `top_p` and `seed` are for temperatures above 0. A `sampler` brings all three with it. Without
    one, what comes next is guessed ahead and checked, where the model can do that
    (`samplers.speculative`): the text is the same as without.
    """

    max_tokens: int
    close: bool
    temperature: float
    top_p: float
    seed: int | None
    sampler: Sampler


class Model:
    """Ask for a type, a grammar or a compiled constraint; get a value of that type.

    A prompt is a text or a list of messages (`{"role": ..., "content": ...}`). Where the model
    has a chat template, a text is put into it as the user's message.

    >>> from tercet.testing import scripted
    >>> model = scripted("I would say 42")
    >>> model("How many?", int)
    42
    """

    def __init__(self, network: Network, /) -> None:
        self._network = network
        self._default = samplers.speculative()

    @property
    def network(self) -> Network:
        """What computes scores: the model without constraints."""
        return self._network

    @property
    def vocabulary(self) -> Vocabulary:
        """The tokens of this model, for compiling constraints ahead of time."""
        return self._network.vocabulary

    @cached_property
    def aio(self) -> AsyncModel:
        """The same methods as coroutines, run one after another in one thread of their own."""
        from tercet.models.aio import AsyncModel

        return AsyncModel(self)

    @overload
    def __call__(
        self, prompt: Any, spec: Constraint[T] | Grammar[T], /, **options: Unpack[Options]
    ) -> T: ...
    @overload
    def __call__(self, prompt: Any, spec: TypeForm[T], /, **options: Unpack[Options]) -> T: ...
    def __call__(self, prompt: Any, spec: Any, /, **options: Unpack[Options]) -> Any:
        """Return the answer to `prompt` as what `spec` says.

        Raises:
            OutputTruncatedError: `max_tokens` ran out first; `partial` has the text so far.
            TercetError: the spec can't be compiled, or the prompt is longer than the context.
        """
        return self.complete(prompt, spec, **options).value

    @overload
    def complete(
        self, prompt: Any, spec: Constraint[T] | Grammar[T], /, **options: Unpack[Options]
    ) -> Completion[T]: ...
    @overload
    def complete(
        self, prompt: Any, spec: TypeForm[T], /, **options: Unpack[Options]
    ) -> Completion[T]: ...
    def complete(self, prompt: Any, spec: Any, /, **options: Unpack[Options]) -> Completion[Any]:
        """Return the answer with its text, tokens, log-probability and figures.

        An answer cut off by `max_tokens` is returned too; only taking its `value` raises.

        >>> from tercet.testing import scripted
        >>> scripted("blue").complete("Sky?", bool | None).text in ("true", "false", "null")
        True
        """
        return self.stream(prompt, spec, **options).complete()

    @overload
    def stream(
        self, prompt: Any, spec: Constraint[T] | Grammar[T], /, **options: Unpack[Options]
    ) -> Stream[T]: ...
    @overload
    def stream(
        self, prompt: Any, spec: TypeForm[T], /, **options: Unpack[Options]
    ) -> Stream[T]: ...
    def stream(self, prompt: Any, spec: Any, /, **options: Unpack[Options]) -> Stream[Any]:
        r"""Return the answer as a stream of snapshots of its text.

        >>> from tercet import Grammar
        >>> from tercet.testing import scripted
        >>> stream = scripted("2026-11-30").stream("When?", Grammar.regex(r"\d{4}-\d\d-\d\d"))
        >>> "|".join(snapshot.piece for snapshot in stream)
        '2|0|2|6|-|1|1|-|3|0'
        >>> stream.result()
        '2026-11-30'
        """
        return Stream(self.plan([prompt], spec, 1, options))

    @overload
    def batch(
        self,
        prompts: Sequence[Any],
        spec: Constraint[T] | Grammar[T],
        /,
        *,
        progress: bool | None = None,
        batch_size: int = 8,
        **options: Unpack[Options],
    ) -> list[T]: ...
    @overload
    def batch(
        self,
        prompts: Sequence[Any],
        spec: TypeForm[T],
        /,
        *,
        progress: bool | None = None,
        batch_size: int = 8,
        **options: Unpack[Options],
    ) -> list[T]: ...
    def batch(
        self,
        prompts: Sequence[Any],
        spec: Any,
        /,
        *,
        progress: bool | None = None,
        batch_size: int = 8,
        **options: Unpack[Options],
    ) -> list[Any]:
        """Return the answers to all prompts, in order; `batch_size` of them share each step.

        Where one ends, the next prompt takes its place. Without `progress`, a bar is shown when
        stderr is a terminal.

        Raises:
            OutputTruncatedError: `max_tokens` ran out for one of them; raised after the last.

        >>> from tercet.testing import scripted
        >>> scripted("1", "2", "3").batch(["one", "two", "three"], int)
        [1, 2, 3]
        """
        return self.plan(prompts, spec, batch_size, options).values(progress)

    @overload
    def samples(
        self,
        prompt: Any,
        spec: Constraint[T] | Grammar[T],
        count: int,
        /,
        **options: Unpack[Options],
    ) -> list[T]: ...
    @overload
    def samples(
        self, prompt: Any, spec: TypeForm[T], count: int, /, **options: Unpack[Options]
    ) -> list[T]: ...
    def samples(
        self, prompt: Any, spec: Any, count: int, /, **options: Unpack[Options]
    ) -> list[Any]:
        """Return several answers to one prompt, each drawn by its own chance.

        Raises:
            TercetError: at temperature 0 they would all be the same.

        >>> from tercet.testing import scripted
        >>> scripted("yes", "no").samples("Well?", bool | None, 2, temperature=1.0, seed=1)
        [True, None]
        """
        sampler, _ = _settled(options, self._default)
        if count > 1 and not sampler.rule.temperature:
            raise TercetError(
                f"{count} samples at temperature 0 are all the same", hint="set temperature=1.0"
            )
        return self.plan([prompt] * count, spec, count, options).values(progress=False)

    def plan(self, prompts: Sequence[Any], spec: Any, together: int, options: Options) -> Run[Any]:
        """Prepare to answer; all prompts are read before any is answered, so that none fails late.

        What the other methods and `aio` go through; it takes no steps.
        """
        if isinstance(prompts, str) or together < 1:
            raise TercetError(
                "batch takes a list of prompts and a batch_size of at least 1",
                hint="call the model itself with a single prompt",
            )
        sampler, max_tokens = _settled(options, self._default)
        close = options.get("close", True)
        constraint = self._constraint(spec)
        return Run(
            self._network,
            constraint,
            sampler,
            prompts=prompts,
            max_tokens=max_tokens,
            close=close,
            together=together,
        )

    def _constraint(self, spec: Any) -> Constraint[Any]:
        if not isinstance(spec, Constraint):
            return compile(spec, self.vocabulary)
        if spec.vocabulary.fingerprint != self.vocabulary.fingerprint:
            raise TercetError(
                "the constraint was compiled for another vocabulary",
                why="its masks name other tokens than this model's",
                hint="compile it with model.vocabulary",
            )
        return spec


def _settled(options: Options, default: Speculative) -> tuple[Sampler, int]:
    """Return the sampler and the budget that the options of a call describe."""
    unknown = options.keys() - Options.__annotations__.keys()
    if unknown:
        raise TypeError(
            f"unknown option {min(unknown)!r}; there are {sorted(Options.__annotations__)}"
        )
    choice: dict[str, Any] = {
        k: v for k, v in options.items() if k not in ("max_tokens", "close", "sampler")
    }
    sampler = options.get("sampler")
    if sampler is not None and choice:
        raise TercetError(
            f"both a sampler and {min(choice)} were given",
            hint=f"give it to the sampler: samplers.speculative({min(choice)}=...)",
        )
    max_tokens = options.get("max_tokens", 512)
    if max_tokens < 1:
        raise TercetError(f"max_tokens can't be {max_tokens}", hint="it is at least 1")
    return sampler or default.with_options(**choice), max_tokens
