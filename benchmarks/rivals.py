"""The engines that are compared, each behind its own public Python interface.

Each uses the quickest call that its documentation names, writes into a row of its own, and keeps
what it has learnt about a grammar from one instance to the next, as a server would. Making one
prepares the vocabulary and records how long that took, imports aside.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np

from benchmarks.timing import timed

_EOS = "<|eot_id|>"


class Session(Protocol):
    """One schema, compiled."""

    row: Any  # numpy int32

    def start(self) -> None: ...
    def mask(self) -> None: ...
    def advance(self, token: int) -> bool: ...
    def is_accepting(self) -> bool: ...


class Rival(Protocol):
    name: str
    version: str
    vocabulary_seconds: float

    def compile(self, schema: Any) -> Session: ...


class Tercet:
    name = "tercet"

    def __init__(self, tokenizer: Any, size: int) -> None:
        from tercet import Grammar, TokenRejectedError, Vocabulary, __version__, compile

        self.version = __version__
        self._grammar, self._compile, self._rejected = Grammar.json, compile, TokenRejectedError

        def prepare() -> Any:
            vocabulary = Vocabulary.from_transformers(tokenizer, size=size)
            compile(Grammar.json({"type": "integer"}), vocabulary).matcher().mask()
            return vocabulary

        self.vocabulary, took, _ = timed(prepare)
        self.vocabulary_seconds = took / 1e9

    def compile(self, schema: Any) -> Session:
        constraint = self._compile(self._grammar(schema), self.vocabulary, cache=False)
        return _TercetSession(constraint, self.vocabulary.size, self._rejected)


class _TercetSession:
    def __init__(self, constraint: Any, size: int, rejected: type[Exception]) -> None:
        self._constraint, self._rejected = constraint, rejected
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
        import llguidance.hf

        self.version = version("llguidance")
        self.tokenizer, took, _ = timed(
            lambda: llguidance.hf.from_tokenizer(tokenizer, n_vocab=size)
        )
        self.vocabulary_seconds = took / 1e9

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
    """As MaskBench runs it by default: no further properties, and JSON on one line."""

    name = "xgrammar"
    options: ClassVar = {"strict_mode": True, "any_whitespace": False}

    def __init__(self, tokenizer: Any, size: int) -> None:
        import xgrammar

        def prepare() -> Any:
            info = xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=size)
            return xgrammar.GrammarCompiler(info, max_threads=1)

        self.version = version("xgrammar")
        self.compiler, took, _ = timed(prepare)
        self.vocabulary_seconds = took / 1e9
        self._size = size

    def compile(self, schema: Any) -> Session:
        compiled = self.compiler.compile_json_schema(json.dumps(schema), **self.options)
        return _XGrammarSession(compiled, self._size)


class XGrammarCompliant(XGrammar):
    """As MaskBench's "compliant": the schema as the standard reads it, with any whitespace."""

    name = "xgrammar-compliant"
    options: ClassVar = {"strict_mode": False, "any_whitespace": True}


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


class OutlinesCore:
    name = "outlines-core"

    def __init__(self, tokenizer: Any, size: int) -> None:
        from outlines_core import Vocabulary

        from tercet import Vocabulary as Reader

        read = Reader.from_transformers(tokenizer, size=size)  # Vocabulary.from_pretrained asks
        ids: dict[bytes, list[int]] = {}  # the hub; the bytes of the tokens are the same
        for token, spelt in enumerate(read.tokens):
            if spelt:
                ids.setdefault(spelt, []).append(token)
        self.version = version("outlines-core")
        self._vocabulary, took, _ = timed(lambda: Vocabulary(min(read.eos), ids))
        self.vocabulary_seconds = took / 1e9
        self._size = size

    def compile(self, schema: Any) -> Session:
        from outlines_core import Index
        from outlines_core.json_schema import build_regex_from_schema

        index = Index(build_regex_from_schema(json.dumps(schema)), self._vocabulary)
        return _OutlinesCoreSession(index, self._size)


class _OutlinesCoreSession:
    def __init__(self, index: Any, size: int) -> None:
        from outlines_core import Guide
        from outlines_core.kernels.numpy import allocate_token_bitmask, fill_next_token_bitmask

        self._index, self._guide_of, self._fill = index, Guide, fill_next_token_bitmask
        self._bitmask = allocate_token_bitmask(size)
        self.row = self._bitmask[0]

    def start(self) -> None:
        self._guide = self._guide_of(self._index)

    def mask(self) -> None:
        self._fill(self._guide, self._bitmask)

    def advance(self, token: int) -> bool:
        try:
            self._guide.advance(token, return_tokens=False)
        except ValueError:
            return False
        return True

    def is_accepting(self) -> bool:
        return self._index.is_final_state(self._guide.get_state())


RIVALS: dict[str, Callable[[Any, int], Rival]] = {
    rival.name: rival for rival in (Tercet, LLGuidance, XGrammar, XGrammarCompliant, OutlinesCore)
}


def load_tokenizer(path: Path) -> Any:
    """A transformers tokenizer from its folder or tokenizer.json."""
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    folder = path if path.is_dir() else path.parent
    if (folder / "tokenizer_config.json").is_file():
        return AutoTokenizer.from_pretrained(folder)
    return PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), eos_token=_EOS)
