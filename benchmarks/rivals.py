"""The engines that are compared, each behind its own public Python interface.

Each uses the quickest call that its documentation names, writes into a row of its own, and keeps
what it has learnt about a grammar from one instance to the next, as a server would.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np


class Session(Protocol):
    """One schema, compiled."""

    row: Any  # numpy int32

    def start(self) -> None: ...
    def mask(self) -> None: ...
    def advance(self, token: int) -> bool: ...
    def is_accepting(self) -> bool: ...


class Rival(Protocol):
    name: str

    def compile(self, schema: Any) -> Session: ...


class Tercet:
    name = "tercet"

    def __init__(self, tokenizer: Any, size: int) -> None:
        from tercet import Vocabulary, __version__

        self.version = __version__
        self.vocabulary = Vocabulary.from_transformers(tokenizer, size=size)

    def compile(self, schema: Any) -> Session:
        from tercet import Grammar, compile

        grammar = Grammar.json(schema)
        return _TercetSession(compile(grammar, self.vocabulary, cache=False), self.vocabulary.size)


class _TercetSession:
    def __init__(self, constraint: Any, size: int) -> None:
        from tercet import TokenRejectedError

        self._constraint, self._rejected = constraint, TokenRejectedError
        self.row = np.zeros((size + 31) // 32, np.int32)

    def start(self) -> None:
        self._matcher = self._constraint.matcher()

    def mask(self) -> None:
        self._matcher.fill_bitmask(self.row)

    def advance(self, token: int) -> bool:
        try:
            self._matcher.advance(token)
        except self._rejected:
            return False
        return True

    def is_accepting(self) -> bool:
        return bool(self._matcher.is_accepting)


class LLGuidance:
    name = "llguidance"

    def __init__(self, tokenizer: Any, size: int) -> None:
        import llguidance
        import llguidance.hf

        self.version = llguidance.__version__ if hasattr(llguidance, "__version__") else ""
        self.tokenizer = llguidance.hf.from_tokenizer(tokenizer, n_vocab=size)

    def compile(self, schema: Any) -> Session:
        from llguidance import LLMatcher

        grammar = LLMatcher.grammar_from_json_schema(schema)
        matcher = LLMatcher(self.tokenizer, grammar, log_level=0)
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return _LLGuidanceSession(matcher, self.tokenizer.vocab_size)


class _LLGuidanceSession:
    def __init__(self, matcher: Any, size: int) -> None:
        from llguidance.numpy import allocate_token_bitmask, fill_next_token_bitmask

        self._matcher, self._new = matcher, matcher.deep_copy()
        self._fill = fill_next_token_bitmask
        self._bitmask = allocate_token_bitmask(1, size)
        self.row = self._bitmask[0]

    def start(self) -> None:
        # reset keeps what the lexer has learnt; a matcher in an error state stays in it
        if self._matcher.is_error():
            self._matcher = self._new.deep_copy()
        self._matcher.reset()

    def mask(self) -> None:
        self._fill(self._matcher, self._bitmask, 0)

    def advance(self, token: int) -> bool:
        return bool(self._matcher.consume_token(token))

    def is_accepting(self) -> bool:
        return bool(self._matcher.is_accepting())


class XGrammar:
    name = "xgrammar"

    def __init__(self, tokenizer: Any, size: int) -> None:
        import xgrammar

        self.version = xgrammar.__version__
        info = xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=size)
        self.compiler = xgrammar.GrammarCompiler(info, cache_enabled=False, max_threads=1)
        self.size = size

    def compile(self, schema: Any) -> Session:
        import json

        compiled = self.compiler.compile_json_schema(json.dumps(schema), strict_mode=False)
        return _XGrammarSession(compiled, self.size)


class _XGrammarSession:
    def __init__(self, compiled: Any, size: int) -> None:
        import xgrammar

        self._matcher = xgrammar.GrammarMatcher(compiled)
        self._bitmask = xgrammar.allocate_token_bitmask(1, size)
        self.row = self._bitmask[0].numpy()

    def start(self) -> None:
        self._matcher.reset()

    def mask(self) -> None:
        if not self._matcher.fill_next_token_bitmask(self._bitmask):
            self.row[:] = -1  # it says so where every token is allowed

    def advance(self, token: int) -> bool:
        return bool(self._matcher.accept_token(token))

    def is_accepting(self) -> bool:
        return bool(self._matcher.is_completed())


RIVALS = {rival.name: rival for rival in (Tercet, LLGuidance, XGrammar)}


def load_tokenizer(path: Path) -> Any:
    """A transformers tokenizer from its folder or tokenizer.json."""
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    folder = path if path.is_dir() else path.parent
    if (folder / "tokenizer_config.json").is_file():
        return AutoTokenizer.from_pretrained(folder)
    return PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), eos_token=_EOS)


_EOS = "<|eot_id|>"
