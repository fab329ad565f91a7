"""Each engine as a logits processor of `transformers.generate`, the way its own docs do it.

tercet and xgrammar ship one; for llguidance and outlines-core it is written here, on their public
functions.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from multiprocessing import get_context
from typing import Any

Processor = Callable[[Any, Any], Any]

_INDEX_SECONDS = 60


def tercet(rival: Any, schema: Any) -> Callable[[], Processor]:
    from tercet import Grammar, compile

    return lambda: compile(Grammar.json(schema), rival.vocabulary, cache=False).processor()


def xgrammar(rival: Any, schema: Any) -> Callable[[], Processor]:
    from xgrammar.contrib.hf import LogitsProcessor

    def make() -> Processor:
        compiled = rival.compiler.compile_json_schema(json.dumps(schema), **rival.options)
        return LogitsProcessor(compiled)

    return make


def llguidance(rival: Any, schema: Any) -> Callable[[], Processor]:
    from llguidance import LLMatcher
    from llguidance.numpy import allocate_token_bitmask, apply_token_bitmask_inplace
    from llguidance.numpy import fill_next_token_bitmask as fill

    def make() -> Processor:
        matcher = LLMatcher(
            rival.tokenizer, LLMatcher.grammar_from_json_schema(schema), log_level=0
        )
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        bits = allocate_token_bitmask(1, rival.tokenizer.vocab_size)
        started = False

        def process(input_ids: Any, scores: Any) -> Any:
            nonlocal started
            if started and not matcher.consume_token(int(input_ids[0, -1])):
                raise ValueError(matcher.get_error() or "a token of the mask was refused")
            started = True
            fill(matcher, bits, 0)
            apply_token_bitmask_inplace(scores.numpy(), bits)
            return scores

        return process

    return make


def outlines_core(rival: Any, schema: Any) -> Callable[[], Processor]:
    from outlines_core.kernels.numpy import apply_token_bitmask_inplace

    in_time = _ends_in_time(lambda: rival.compile(schema))

    def make() -> Processor:
        if not in_time:
            raise TimeoutError(f"no index within {_INDEX_SECONDS} s")
        session = rival.compile(schema)
        session.start()
        started = False

        def process(input_ids: Any, scores: Any) -> Any:
            nonlocal started
            if started and not session.advance(int(input_ids[0, -1])):
                raise ValueError("a token of the mask was refused")
            started = True
            session.mask()
            apply_token_bitmask_inplace(scores.numpy(), session.row)
            return scores

        return process

    return make


def _ends_in_time(work: Callable[[], Any]) -> bool:
    """Try it in a child process: an index that takes hours can't be interrupted from within."""

    def quietly() -> None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        work()

    child = get_context("fork").Process(target=quietly)
    child.start()
    child.join(_INDEX_SECONDS)
    if child.is_alive():
        child.kill()
        child.join()
    return child.exitcode in (0, 1)  # 1: an exception, which will come again


PROCESSORS: dict[str, Callable[[Any, Any], Callable[[], Processor]]] = {
    "tercet": tercet,
    "llguidance": llguidance,
    "xgrammar": xgrammar,
    "xgrammar-compliant": xgrammar,
    "outlines-core": outlines_core,
}
