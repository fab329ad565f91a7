"""Ways to write an answer with one transformers model: free, and under a schema by several engines.

Each gives back its tokens, and says when the first of them was there. Engines of others run as
logits processors of `generate`: their own where they have one, else a mask per step, as their
documentation shows.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import version
from time import process_time
from typing import Any, NamedTuple

from benchmarks.rivals import RIVALS


class Written(NamedTuple):
    """An answer; times are process CPU time."""

    tokens: list[int]
    forwards: int
    seconds: float
    first_seconds: float


class _Watch:
    """A streamer of `generate` that notes when tokens come; the first call is the prompt."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def put(self, value: Any) -> None:
        self.times.append(process_time())

    def end(self) -> None:
        pass


class Generate:
    """`model.generate`, greedily, with what `processors` makes for a schema."""

    def __init__(self, network: Any, processors: Callable[[], list[Any]]) -> None:
        self._network, self._processors = network, processors

    def write(self, prompt: str, limit: int) -> Written:
        import torch

        network, watch = self._network, _Watch()
        ids = torch.tensor([network.encode(prompt)])
        started = process_time()
        with torch.inference_mode():
            output = network.model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=limit,
                do_sample=False,
                logits_processor=self._processors(),
                streamer=watch,
                pad_token_id=min(network.vocabulary.eos),
            )
        seconds = process_time() - started
        tokens = output[0, ids.shape[1] :].tolist()
        return Written(tokens, len(tokens), seconds, watch.times[1] - started)


class _Masking:
    """A logits processor over an engine of `benchmarks.rivals`, for one row."""

    def __init__(self, session: Any, eos: frozenset[int]) -> None:
        self._session, self._eos, self._seen = session, eos, 0
        session.start()

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        import torch

        if self._seen and int(input_ids[0, -1]) not in self._eos:
            self._session.advance(int(input_ids[0, -1]))
        self._seen += 1
        self._session.mask()
        words = torch.from_numpy(self._session.row)
        bits = (words.unsqueeze(-1) >> torch.arange(32)) & 1
        allowed = bits.reshape(-1)[: scores.shape[1]].bool()
        return scores.masked_fill(~allowed, float("-inf"))


class Ours:
    """tercet with a sampler."""

    def __init__(self, model: Any, constraint: Any, sampler: Any) -> None:
        self._model, self._constraint, self._sampler = model, constraint, sampler

    def write(self, prompt: str, limit: int) -> Written:
        started = process_time()
        stream = self._model.stream(
            prompt, self._constraint, sampler=self._sampler, max_tokens=limit, close=False
        )
        next(iter(stream), None)
        first = process_time() - started
        answer = stream.complete()
        seconds = process_time() - started
        return Written(answer.tokens, answer.stats.forwards, seconds, first)


def versions() -> dict[str, str]:
    """The packages that take part."""
    names = ("transformers", "torch", "xgrammar", "llguidance", "outlines-core")
    return {name: version(name) for name in names}


def writers(model: Any, schema: Any, names: list[str]) -> dict[str, Any]:
    """Return the ways to write under a schema, compiled."""
    return {name: _MAKERS[name](model, schema) for name in names}


def _free(model: Any, _schema: Any) -> Generate:
    return Generate(model.network, list)


def _xgrammar(model: Any, schema: Any) -> Generate:
    import xgrammar
    from xgrammar.contrib.hf import LogitsProcessor

    info = xgrammar.TokenizerInfo.from_huggingface(
        model.network.tokenizer, vocab_size=model.vocabulary.size
    )
    compiled = xgrammar.GrammarCompiler(info).compile_json_schema(json.dumps(schema))
    return Generate(model.network, lambda: [LogitsProcessor(compiled)])


def _rival(name: str) -> Callable[[Any, Any], Generate]:
    def make(model: Any, schema: Any) -> Generate:
        engine = RIVALS[name](model.network.tokenizer, model.vocabulary.size)
        session = engine.compile(schema)
        return Generate(model.network, lambda: [_Masking(session, model.vocabulary.eos)])

    return make


def _processor(model: Any, schema: Any) -> Generate:
    constraint = _constraint(model, schema)
    return Generate(model.network, lambda: [constraint.processor()])


def _ours(name: str) -> Callable[[Any, Any], Ours]:
    def make(model: Any, schema: Any) -> Ours:
        from tercet import samplers

        return Ours(model, _constraint(model, schema), getattr(samplers, name)())

    return make


def _constraint(model: Any, schema: Any) -> Any:
    from tercet import Grammar, compile

    return compile(Grammar.json(schema), model.vocabulary)


_MAKERS: dict[str, Callable[[Any, Any], Any]] = {
    "free": _free,
    "xgrammar": _xgrammar,
    "llguidance": _rival("llguidance"),
    "outlines-core": _rival("outlines-core"),
    "tercet processor": _processor,
    "tercet masked": _ours("masked"),
    "tercet speculative": _ours("speculative"),
}
NAMES = list(_MAKERS)
