"""What a reader found out about a tokenizer, before it is checked.

The readers of this folder all end in a `TokenTable`, and `Vocabulary` is built from one, so that
neither has to know the other. Nothing here opens files or knows a tokenizer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

Encode = Callable[[str], list[int]]


@dataclass(frozen=True, eq=False)
class TokenTable:
    """The bytes of each token id, and which ids mean something else than text.

    `tokens` holds b"" for ids that are never text. `encode` is the tokenizer's own split of a text,
    without special tokens around it; it may fail or give other bytes, the vocabulary checks that.
    `source` names the tokenizer in errors.
    """

    tokens: list[bytes]
    special: frozenset[int] = frozenset()
    eos: frozenset[int] = frozenset()
    encode: Encode | None = field(default=None, repr=False)
    source: str = ""


def is_control(text: str) -> bool:
    """Whether a token is written like a control token, whatever its flags say.

    >>> [is_control(t) for t in ("<|im_end|>", "<unused7>", "[INST]", "</b>", "  ")]
    [True, True, True, False, False]
    """
    if text in _CONTROL_WORDS or text.startswith("<unused"):
        return True
    brackets = (("<|", "|>"), ("<｜", "｜>"), ("[", "]"))
    return any(
        len(text) > 3 and text[:n] == a and text[-n:] == b for a, b in brackets for n in (len(a),)
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
    return not content.strip(" \t\r\n▁") or (ordinary and not is_control(content))


def eos_named(names: Iterable[str]) -> frozenset[str]:
    """The names among `names` that end a text or a turn in the known model families."""
    return frozenset(names) & _EOS_NAMES


_CONTROL_WORDS = frozenset({"<pad>", "<mask>", "<s>", "</s>", "<unk>", "<bos>", "<eos>", "<2mass>"})
_EOS_NAMES = frozenset(
    {
        "</s>",
        "<eos>",
        "<end_of_turn>",
        "<turn|>",
        "<|endoftext|>",
        "<|end_of_text|>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|im_end|>",
        "<|return|>",
        "<|end_of_turn|>",
        "<|END_OF_TURN_TOKEN|>",
        "<｜end▁of▁sentence｜>",
        "<｜end of sentence｜>",
    }
)
