"""How the tokenizers in GGUF files split a text into tokens.

Byte-level ones are rebuilt with the tokenizers package, if it is installed; a file only names the
pattern that cuts a text into words first, and the patterns are here. For sentencepiece the file
has the score of each piece, and the algorithm is short enough to be written out.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tercet.vocabulary.huggingface import built
from tercet.vocabulary.sentencepiece import SPACE
from tercet.vocabulary.table import Encode

_CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_LLAMA3 = (
    _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_QWEN2 = _LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
_GPT4O = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    + _CONTRACTIONS
    + r"?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    + _CONTRACTIONS
    + r"?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_DEEPSEEK3 = (
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
    r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# Under the names of `tokenizer.ggml.pre`. A text is cut by each pattern in turn.
_PATTERNS: Mapping[str, tuple[str, ...]] = {
    "gpt-2": (_GPT2,),
    "smollm": (r"\p{N}", _GPT2),
    "starcoder": (r"\p{N}", _GPT2),
    "llama-bpe": (_LLAMA3,),
    "qwen2": (_QWEN2,),
    "gpt-4o": (_GPT4O,),
    "deepseek-v3": (r"\p{N}{1,3}", "[一-龥぀-ゟ゠-ヿ]+", _DEEPSEEK3),
}
_WHOLE_WORDS_FIRST = {"llama-bpe", "gpt-4o"}  # a word that is a token isn't merged piece by piece


def byte_level_encoder(
    pieces: Sequence[str], merges: Sequence[str], name: str, added: Mapping[str, int]
) -> Encode | None:
    """Return the split of a byte-level BPE, or None if the pattern's name isn't known."""
    if name not in _PATTERNS:
        return None
    tokenizer: Any = None

    def encode(text: str) -> list[int]:
        nonlocal tokenizer
        if tokenizer is None:
            tokenizer = built(_byte_level_settings(pieces, merges, name, added))
        ids: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    return encode


def _byte_level_settings(
    pieces: Sequence[str], merges: Sequence[str], name: str, added: Mapping[str, int]
) -> dict[str, Any]:
    """The tokenizer.json that such a file was made from, as far as splitting a text needs it."""
    cuts = [
        {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}
        for regex in _PATTERNS[name]
    ]
    last = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    cuts.append({**last, "use_regex": False})
    flags = ("special", "single_word", "lstrip", "rstrip", "normalized")
    off = dict.fromkeys(flags, False)
    return {
        "version": "1.0",
        "added_tokens": [{"id": added[piece], "content": piece, **off} for piece in added],
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": cuts},
        "model": {
            "type": "BPE",
            "vocab": _numbered(pieces),
            "merges": [merge.split(" ", 1) for merge in merges],
            "ignore_merges": name in _WHOLE_WORDS_FIRST,
        },
    }


def _numbered(pieces: Sequence[str]) -> dict[str, int]:
    """The id of each piece; the first one where padding repeats a piece."""
    return {pieces[token]: token for token in reversed(range(len(pieces)))}


def sentencepiece_encoder(
    pieces: Sequence[str], scores: Sequence[float], added: Mapping[str, int]
) -> Encode:
    """Return the split of a sentencepiece BPE.

    The neighbours whose union has the best score are joined, again and again; `added` pieces are
    taken out of the text first, and characters that aren't pieces are spelled by their bytes.
    """
    ids = _numbered(pieces)
    longest_first = sorted((piece for piece in added if piece), key=len, reverse=True)
    cut = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def encode(text: str) -> list[int]:
        found: list[int] = []
        end = 0
        for match in cut.finditer(text):
            found += _joined(text[end : match.start()], ids, scores)
            found.append(added[match[0]])
            end = match.end()
        return found + _joined(text[end:], ids, scores)

    return encode


def _joined(text: str, ids: Mapping[str, int], scores: Sequence[float]) -> list[int]:
    parts: list[str] = list(text.replace(" ", SPACE))
    after = list(range(1, len(parts) + 1))  # a part that was joined to the one before is ""
    before = list(range(-1, len(parts) - 1))
    heap: list[tuple[float, int, str]] = []

    def offer(left: int) -> None:
        right = after[left] if left >= 0 else len(parts)
        if right < len(parts):
            union = parts[left] + parts[right]
            if union in ids:
                heapq.heappush(heap, (-scores[ids[union]], left, union))

    for place in range(len(parts)):
        offer(place)
    while heap:
        _, left, union = heapq.heappop(heap)
        right = after[left]
        if not parts[left] or right >= len(parts) or parts[left] + parts[right] != union:
            continue  # one of the two has been joined to something else since
        parts[left], parts[right] = union, ""
        after[left] = after[right]
        if after[left] < len(parts):
            before[after[left]] = left
        offer(left)
        offer(before[left])
    return [token for part in parts if part for token in _spelled(part, ids)]


def _spelled(part: str, ids: Mapping[str, int]) -> list[int]:
    if part in ids:
        return [ids[part]]
    return [ids[f"<0x{byte:02X}>"] for byte in part.encode()]
