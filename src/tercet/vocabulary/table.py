"""What a reader found out about a tokenizer, before it is checked.

The readers of this folder all end in a `TokenTable`, and `Vocabulary` is built from one, so that
neither has to know the other. The rules by which a token counts as text are here too, because all
readers share them. Nothing here opens files or knows a tokenizer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tercet.errors import TercetError

Encode = Callable[[str], list[int]]

WAY_OUT = "build the vocabulary from its bytes with Vocabulary.from_tokens(tokens, eos=...)"
LARGEST = 1 << 22  # ids; the largest vocabularies of today have a quarter of a million


@dataclass(frozen=True, eq=False)
class TokenTable:
    """The bytes of each token id, and which ids mean something else than text.

    `tokens` holds b"" for ids that are never text; `names` are what those are called. `encode` is
    the tokenizer's own split of a text, without special tokens around it; it may fail or give other
    bytes, the vocabulary checks that. `source` names the tokenizer in errors.
    """

    tokens: list[bytes]
    special: frozenset[int] = frozenset()
    eos: frozenset[int] = frozenset()
    encode: Encode | None = field(default=None, repr=False)
    source: str = ""
    names: Mapping[str, int] = field(default_factory=dict, repr=False)


def by_id(tokens: Mapping[str, int], source: str) -> list[str]:
    """Return the pieces of a tokenizer in the order of their ids, with "" for ids without one.

    Raises:
        TercetError: two pieces have the same id, or an id is out of all proportion.

    >>> by_id({"a": 0, "c": 2}, "")
    ['a', '', 'c']
    """
    size = max(tokens.values(), default=-1) + 1
    if size > LARGEST:
        raise TercetError(f"a token has the id {size - 1}, more than is supported", at=source)
    pieces = [""] * size
    for piece, token in tokens.items():
        if pieces[token]:
            raise TercetError(
                f"two tokens have the id {token}",
                at=source,
                excerpt=f"{pieces[token]!r} and {piece!r}",
                hint="check the file: every id must have one token",
            )
        pieces[token] = piece
    return pieces


def names_of(pieces: Sequence[str], ids: Iterable[int]) -> dict[str, int]:
    """The ids by what they are written as in the tokenizer.

    >>> names_of(["a", "<|end|>", ""], [1, 2])
    {'<|end|>': 1}
    """
    return {pieces[token]: token for token in sorted(ids) if pieces[token]}


def is_control(piece: str) -> bool:
    """Whether a piece is written like a control token, whatever its flags say.

    Only what no text contains counts: "<s>" and "[0]" are code in some vocabularies.

    >>> [is_control(piece) for piece in ("<|im_end|>", "<unused7>", "<s>", "[0]")]
    [True, True, False, False]
    """
    return piece.startswith("<") and any(
        piece.startswith(left) and piece.endswith(right) and len(piece) > len(left + right)
        for left, right in _CONTROL_BRACKETS
    )


def is_text(content: str, *, special: bool, ordinary: bool) -> bool:
    """Whether an added token may be part of a text.

    Special and added tokens are never text, with two exceptions, both for tokens that aren't
    flagged special: runs of whitespace, and `ordinary` ones, which are pieces of the trained
    vocabulary as well (Gemma's line breaks and HTML tags), unless they are written like control
    tokens.

    >>> is_text("<tool_call>", special=False, ordinary=False)
    False
    >>> is_text("  ", special=False, ordinary=False)
    True
    """
    if special or not content:
        return False
    if not content.strip(" \t\r\n▁"):
        return True
    control = is_control(content) or content in _CONTROL_WORDS or content.startswith("[")
    return ordinary and not control


_CONTROL_BRACKETS = (("<|", "|>"), ("<｜", "｜>"), ("<unused", ">"))
_CONTROL_WORDS = frozenset({"<pad>", "<mask>", "<unk>", "<bos>", "<eos>", "<2mass>"})
