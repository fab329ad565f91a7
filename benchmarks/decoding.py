"""Decoding with a model of random weights, with and without a constraint: what a step takes.

The loop is that of a server: the tokens go to the host, the model is started on them, and while it
runs, matchers advance and rows are filled; then row numbers go to the device. A server would do
without the constraint what stands here without it: it also needs the tokens.
"""

from __future__ import annotations

from inspect import signature
from time import perf_counter
from typing import Any

import numpy as np

from tercet import Batch, Grammar, RowTable, Vocabulary, apply_bitmask, compile

_PROMPT = 32
_SCHEMAS = 64


def made_up_vocabulary(size: int) -> Vocabulary:
    """Words of random letters, with and without a space, numbers and bits of JSON: no tokenizer."""
    rng = np.random.default_rng(1)
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += [
        b'{"',
        b'": ',
        b'": "',
        b'", "',
        b'"}',
        b"}, {",
        b"], [",
        *(b"%d" % n for n in range(1000)),
    ]
    seen = set(tokens)
    while len(tokens) < size - 1:
        letters = rng.integers(97, 123, rng.integers(2, 9)).astype(np.uint8).tobytes()
        word = b" " * int(rng.integers(2)) + letters
        if word not in seen:
            seen.add(word)
            tokens.append(word)
    return Vocabulary.from_tokens([*tokens, b""], eos=len(tokens))


def schemas(count: int = _SCHEMAS) -> list[dict[str, Any]]:
    """Different objects, all of their members required."""
    kinds: list[dict[str, Any]] = [
        {"type": "string", "maxLength": 40},
        {"type": "integer", "minimum": 0},
        {"enum": ["red", "green", "blue"]},
        {"type": "array", "items": {"type": "number"}, "maxItems": 6},
        {"type": "string", "format": "date"},
    ]
    return [
        {
            "type": "object",
            "properties": {f"field {n} of {k}": kinds[(n + k) % len(kinds)] for k in range(5)},
            "required": [f"field {n} of {k}" for k in range(5)],
        }
        for n in range(count)
    ]


def random_model(vocabulary: Vocabulary, device: Any, *, layers: int, hidden: int) -> Any:
    """A Llama of this size, in bfloat16 on a device and float32 on the host."""
    import torch
    from transformers import AutoModelForCausalLM, LlamaConfig

    config = LlamaConfig(
        vocab_size=vocabulary.size,
        hidden_size=hidden,
        intermediate_size=3 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=hidden // 64,
        num_key_value_heads=max(1, hidden // 256),
        bos_token_id=0,
        eos_token_id=None,
    )
    kind = torch.float32 if device.type == "cpu" else torch.bfloat16
    torch.manual_seed(1)
    with torch.device(device):
        return AutoModelForCausalLM.from_config(config, dtype=kind).eval()


class Constrained:
    """A constraint for each row of a batch, of a few dozen schemas, begun anew when it ends."""

    def __init__(self, vocabulary: Vocabulary, count: int, device: Any) -> None:
        compiled = [compile(Grammar.json(schema), vocabulary) for schema in schemas()]
        self._eos = sorted(vocabulary.eos)
        self._makers = [compiled[row % len(compiled)].matcher for row in range(count)]
        self._bits = np.zeros((count, (vocabulary.size + 31) // 32), np.int32)
        self._table = RowTable(vocabulary.size, device=device, capacity=max(1024, 4 * count))
        self.begin()

    def begin(self) -> None:
        self._matchers = [make() for make in self._makers]
        self._batch = Batch(self._matchers)
        self._fill()

    def _fill(self) -> None:
        self._batch.fill_bitmask(self._bits)
        self._numbers = self._table.put(self._bits)

    def apply(self, logits: Any) -> None:
        apply_bitmask(logits, self._table.bits, self._numbers)

    def advance(self, tokens: Any) -> None:
        """Take the tokens that were drawn: every one of them was allowed."""
        refused = np.flatnonzero(~self._batch.advance(tokens))
        if len(refused):
            raise AssertionError(f"token {tokens[refused[0]]} was drawn and is refused")
        ended = np.flatnonzero(np.isin(tokens, self._eos)).tolist()
        if ended:
            for row in ended:
                self._matchers[row] = self._makers[row]()
            self._batch = Batch(self._matchers)
        self._fill()


def decode(
    model: Any, device: Any, count: int, steps: int, constrained: Constrained | None = None
) -> float:
    """Seconds per step, the prompt and the first step apart."""
    import torch

    ids = torch.randint(model.config.vocab_size, (count, _PROMPT), device=device)
    on_device = device.type == "cuda"
    host = torch.empty(count, dtype=torch.int64, pin_memory=on_device)
    start = 0.0
    with torch.inference_mode():
        out = model(input_ids=ids, use_cache=True, logits_to_keep=1)
        for step in range(steps + 1):
            if step == 1:
                _wait(device)
                start = perf_counter()
            logits = out.logits[:, -1]
            if constrained is not None:
                constrained.apply(logits)
            tokens = logits.argmax(-1)
            host.copy_(tokens, non_blocking=True)
            copied = torch.cuda.current_stream().record_event() if on_device else None
            out = model(input_ids=tokens[:, None], use_cache=True, **_kept(model, out))
            if copied is not None:
                copied.synchronize()  # only the tokens: the model runs on
            if constrained is not None:
                constrained.advance(host.numpy())
    _wait(device)
    return (perf_counter() - start) / steps


def _kept(model: Any, out: Any) -> dict[str, Any]:
    """What the model knows of the text so far, under the name that this transformers has for it."""
    name = "cache" if "cache" in signature(model.forward).parameters else "past_key_values"
    return {name: out.past_key_values}


def _wait(device: Any) -> None:
    import torch

    if device.type == "cuda":
        torch.cuda.synchronize()


def milliseconds(model: Any, vocabulary: Vocabulary, device: Any, count: int, steps: int) -> Any:
    """Of a step without and with the constraint: medians of three turns, after one to warm up."""
    constrained = Constrained(vocabulary, count, device)
    took: dict[str, list[float]] = {"without": [], "with": []}
    for turn in range(4):
        for name, times in took.items():
            constrained.begin()
            chosen = constrained if name == "with" else None
            seconds = decode(model, device, count, steps, chosen)
            if turn:
                times.append(1000 * seconds)
    return {name: round(float(np.median(times)), 3) for name, times in took.items()}
