"""`argmax`: the most probable answers, with a proof or with what is missing to one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

from typing_extensions import TypeForm

from tercet.constraint import Constraint, compile
from tercet.errors import TercetError
from tercet.samplers.bestfirst import BestFirst, Whole, row_for
from tercet.samplers.paths import network_of
from tercet.spec import Grammar

T = TypeVar("T")


@dataclass(frozen=True)
class Ranked(Generic[T]):
    """One answer: `logprob` is that of its tokens and an end, in the model's own distribution."""

    value: T
    text: str
    tokens: list[int]
    logprob: float


@dataclass(frozen=True)
class Argmax(Generic[T]):
    """The answers that `argmax` found, the most probable first.

    With `exact` they are proved to be the most probable ones. Else `gap` says by how much at most
    the log-probability of the best answer could be surpassed; it is infinite where none was found.
    `calls` counts the runs of the model.
    """

    answers: list[Ranked[T]]
    exact: bool
    gap: float
    calls: int

    @property
    def best(self) -> Ranked[T]:
        """The first answer.

        Raises:
            TercetError: the search was given up before any text was whole.
        """
        if not self.answers:
            raise TercetError(
                f"no text was whole after {self.calls} runs of the model",
                hint="raise max_calls, or take samplers.beam, which always ends",
            )
        return self.answers[0]


@overload
def argmax(
    model: object,
    prompt: Any,
    spec: Constraint[T] | Grammar[T],
    k: int = ...,
    *,
    max_tokens: int = ...,
    max_calls: int = ...,
) -> Argmax[T]: ...
@overload
def argmax(
    model: object,
    prompt: Any,
    spec: TypeForm[T],
    k: int = ...,
    *,
    max_tokens: int = ...,
    max_calls: int = ...,
) -> Argmax[T]: ...
def argmax(
    model: object,
    prompt: Any,
    spec: Any,
    k: int = 1,
    *,
    max_tokens: int = 512,
    max_calls: int = 1000,
) -> Argmax[Any]:
    """Return the `k` most probable answers within `max_tokens` tokens, and whether that's proved.

    With `Grammar.substring(passage)` it finds the most probable span of a passage. A text is as
    probable as its likeliest split into tokens; texts differ from one another. Costs nothing
    where the model is sure; where thousands of beginnings are about as likely, `max_calls` ends
    the search, and the best of what is known is returned with its `gap`.

    Raises:
        TercetError: the model can't be asked about earlier texts again, or the prompt is too long.
    """
    if min(k, max_tokens, max_calls) < 1:
        raise TercetError("k, max_tokens and max_calls are at least 1")
    network = network_of(model)
    constraint: Constraint[Any] = compile(spec, network.vocabulary)
    search = BestFirst(network, row_for(network, constraint.matcher(), prompt, max_tokens))
    found: dict[bytes, Whole] = {}
    for text in search.texts(max_calls):
        found.setdefault(network.vocabulary.decode(text.tokens), text)
        if len(found) == k:
            break
    proved = len(found) == k or search.frontier == float("-inf")
    if not proved:
        for text in sorted(search.ends, key=lambda one: -one.logprob):
            found.setdefault(network.vocabulary.decode(text.tokens), text)
    chosen = sorted(found.items(), key=lambda entry: -entry[1].logprob)[:k]
    best = chosen[0][1].logprob if chosen else float("-inf")
    gap = 0.0 if proved else max(search.frontier - best, 0.0)
    return Argmax([_ranked(constraint, *one) for one in chosen], proved, gap, search.calls)


def _ranked(constraint: Constraint[Any], data: bytes, text: Whole) -> Ranked[Any]:
    written = data.decode()
    return Ranked(constraint.grammar.read(written), written, list(text.tokens), text.logprob)
