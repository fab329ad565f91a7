"""Tokens as bytes: the one thing that a grammar needs to know about a model.

A `Vocabulary` says which bytes each token id adds to a text, which ids end it, and which ids are
never text. The readers beside this file find that out for each tokenizer family; here it is
checked and laid out for the kernels. Nothing here knows a grammar.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from tercet.errors import TercetError
from tercet.vocabulary import gguf, huggingface, keeping, sentencepiece, tiktoken
from tercet.vocabulary.checks import checked_ids, checked_tokens, resized
from tercet.vocabulary.ending import ids_of, in_config
from tercet.vocabulary.keeping import Kept
from tercet.vocabulary.table import TokenTable
from tercet.vocabulary.trie import TokenTrie, concatenated

Ids = int | Iterable[int]


class Vocabulary:
    """The tokens of a model as bytes. Immutable; build one with a `from_...` function.

    Special, added, unused and padded ids have no bytes and are never part of a text. The ids in
    `eos` end it. The arrays must not be written to.

    >>> toy = Vocabulary.from_tokens([b"a", b"ab", b"</s>"], eos=2)
    >>> toy.tokens, sorted(toy.eos), toy.decode([1, 0])
    ([b'a', b'ab', b''], [2], b'aba')
    """

    def __init__(self, table: TokenTable, *, size: int | None = None) -> None:
        tokens = checked_tokens(table)
        self.eos = checked_ids(table.eos, len(tokens), "end-of-sequence", table.source)
        self.special = checked_ids(table.special, len(tokens), "special", table.source) | self.eos
        for token in self.special:
            tokens[token] = b""
        self.tokens = resized(tokens, size, self.eos, table.source)
        self.special = frozenset(token for token in self.special if token < len(self.tokens))
        self.size = len(self.tokens)
        self.data, self.offsets = concatenated(self.tokens)
        self.max_token_bytes = int(np.diff(self.offsets).max())
        self._encode = table.encode
        self._source = table.source
        if not self.eos:
            raise TercetError(
                "the tokenizer has no end-of-sequence token",
                at=table.source,
                why="without one no answer could ever end",
                hint="pass the ids that end an answer, such as eos=[2]",
            )
        if not self.max_token_bytes:
            raise TercetError("the vocabulary has no token that is text", at=table.source)

    @staticmethod
    def from_tokens(
        tokens: Sequence[bytes], /, *, eos: int | Sequence[int], special: Iterable[int] = ()
    ) -> Vocabulary:
        """Make a vocabulary of byte strings; the index is the token id.

        The bytes of special and EOS ids don't matter. Any other empty token is an unused id, and
        tokens with equal bytes are all allowed wherever one of them is.

        Raises:
            TercetError: a token isn't bytes, or an id is out of range.

        >>> Vocabulary.from_tokens([b"a", b"b", b""], eos=2).unspellable >= {0, 255}
        True
        """
        if not isinstance(tokens, Iterable):
            raise TercetError(f"tokens must be a list of bytes, not {type(tokens).__name__}")
        return Vocabulary(TokenTable(list(tokens), ids_of(special), ids_of(eos), source="tokens"))

    @staticmethod
    def from_transformers(
        tokenizer: Any,
        /,
        *,
        size: int | None = None,
        eos: Ids | None = None,
        generation_config: object = None,
    ) -> Vocabulary:
        """Read a tokenizer of transformers, or of the tokenizers package.

        `size` is the width of the model's logits where that is more than the tokenizer has. The
        ids that end an answer are the tokenizer's own, those of the end-of-turn tokens in its chat
        template, those in the files of its folder if it was loaded from one, and those of
        `generation_config` if the model's is passed; `eos` replaces them all.

        Raises:
            TercetError: the tokenizer isn't of a known kind, has no EOS, or has tokens of text
                beyond `size`.
        """
        chosen = None if eos is None else ids_of(eos)
        table = huggingface.read(tokenizer, eos=chosen)
        further = frozenset() if chosen is not None else in_config(generation_config).ids
        return Vocabulary(replace(table, eos=table.eos | further), size=size)

    @staticmethod
    def from_tokenizer_json(
        path: str | PathLike[str], /, *, size: int | None = None, eos: Ids | None = None
    ) -> Vocabulary:
        """Read a `tokenizer.json`, or the folder it is in, without transformers.

        The ids that end an answer are looked up in the files beside it, such as
        `generation_config.json`; `eos` replaces them.

        Raises:
            TercetError: the file can't be read, or isn't of a known kind, or has no EOS.
        """
        chosen = None if eos is None else ids_of(eos)
        ids = None if chosen is None else sorted(chosen)
        key = keeping.key_of(Path(path), size=size, eos=ids)
        if key is not None and (kept := keeping.load(key)) is not None:
            return Vocabulary._restored(kept, Path(path), chosen)
        made = Vocabulary(huggingface.read_file(Path(path), eos=chosen), size=size)
        if key is not None and made.size >= keeping.WORTHWHILE:
            keeping.save(key, Kept(made.data, made.offsets, made.trie, made.eos, made.special))
        return made

    @staticmethod
    def _restored(kept: Kept, path: Path, eos: frozenset[int] | None) -> Vocabulary:
        made = Vocabulary.__new__(Vocabulary)
        made.data, made.offsets, made.trie = kept.data, kept.offsets, kept.trie
        made.eos, made.special = kept.eos, kept.special
        made.size = len(kept.offsets) - 1
        made.max_token_bytes = int(np.diff(kept.offsets).max())
        made._encode = huggingface.later_encoder(path, eos)
        made._source = str(path / "tokenizer.json" if path.is_dir() else path)
        return made

    @staticmethod
    def from_gguf(
        path: str | PathLike[str], /, *, size: int | None = None, eos: Ids | None = None
    ) -> Vocabulary:
        """Read the vocabulary in a GGUF file.

        The ids that end an answer are the EOS, end-of-turn and end-of-message ids that the file
        names, and the end-of-turn tokens in its chat template; `eos` replaces them.

        Raises:
            TercetError: the file can't be read, has a tokenizer of an unknown kind, or no EOS.
        """
        chosen = None if eos is None else ids_of(eos)
        return Vocabulary(gguf.read(Path(path), eos=chosen), size=size)

    @staticmethod
    def from_sentencepiece(
        model: Any, /, *, size: int | None = None, eos: Ids | None = None
    ) -> Vocabulary:
        """Read a `sentencepiece.SentencePieceProcessor`, or the path of a `tokenizer.model`.

        Raises:
            TercetError: the file can't be read, or has no EOS.
        """
        chosen = None if eos is None else ids_of(eos)
        return Vocabulary(sentencepiece.read(model, eos=chosen), size=size)

    @staticmethod
    def from_tiktoken(
        encoding: Any, /, *, size: int | None = None, eos: Ids | None = None
    ) -> Vocabulary:
        """Read a `tiktoken.Encoding`.

        Raises:
            TercetError: it isn't an encoding, or has no EOS.
        """
        chosen = None if eos is None else ids_of(eos)
        return Vocabulary(tiktoken.read(encoding, eos=chosen), size=size)

    @cached_property
    def tokens(self) -> list[bytes]:
        """The bytes of each id, b"" for those that are never text."""
        data, ends = self.data.tobytes(), self.offsets.tolist()
        return [data[start:end] for start, end in pairwise(ends)]

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all bytes and flags: equal for equal vocabularies, on every machine."""
        flags = np.zeros(self.size, np.uint8)
        flags[list(self.special)] |= 1
        flags[list(self.eos)] |= 2
        digest = hashlib.sha256(b"tercet vocabulary 1\0")
        for array in (self.offsets.astype("<i4"), self.data, flags):
            digest.update(array.tobytes())
        return digest.hexdigest()

    @cached_property
    def trie(self) -> TokenTrie:
        """The tokens as a flat trie; built when first asked for."""
        return TokenTrie.of_slices(self.data, self.offsets)

    @cached_property
    def unspellable(self) -> frozenset[int]:
        """The bytes that no token spells alone.

        A text that needs one of them can only be written where a longer token happens to fit.
        Thirteen of them (C0, C1, F5 to FF) are no loss: they never occur in UTF-8.
        """
        alone = self.offsets[:-1][np.diff(self.offsets) == 1]
        return frozenset(range(256)) - frozenset(self.data[alone].tolist())

    def encode(self, text: str) -> list[int] | None:
        """Return the tokenizer's own split of `text`, or None where it can't be had.

        The bytes of the ids are exactly the UTF-8 of `text`: nothing is put before it, nothing is
        normalised, and what looks like a special token is spelled out. None means that there is no
        tokenizer, or that it can't write this text (lone surrogates, for one).

        >>> Vocabulary.from_tokens([b"a", b""], eos=1).encode("a") is None
        True
        """
        if self._encode is None:
            return None
        try:
            data = text.encode()
            ids = self._encode(text)
        except Exception:  # noqa: BLE001 - a foreign tokenizer: whatever it raises, no answer
            return None
        spelled = all(0 <= token < self.size and self.tokens[token] for token in ids)
        return ids if spelled and self.decode(ids) == data else None

    def bytes_of(self, token: int) -> bytes:
        """Return what `token` adds to a text: b"" for ids that are never text.

        Raises:
            TercetError: there is no such id.
        """
        if not 0 <= token < self.size:
            raise TercetError(
                f"there is no token {token}",
                why=f"the vocabulary has the ids 0 to {self.size - 1}",
                hint="check that the tokenizer belongs to the model",
            )
        return self.tokens[token]

    def decode(self, tokens: Iterable[int]) -> bytes:
        """Return the bytes of `tokens`, one after another."""
        return b"".join(map(self.bytes_of, tokens))

    def __repr__(self) -> str:
        source = f" from {self._source}" if self._source else ""
        return f"<Vocabulary of {self.size} tokens{source}, eos {sorted(self.eos)}>"
