"""The byte-level alphabet of GPT-2: how byte-level BPE writes any byte as a printable character.

GPT-2, Llama 3, Qwen, GPT-4o, DeepSeek and SmolLM2 store their tokens in it. Nothing here knows
tokenizers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

_UNUSED = 0xFFFF


@cache
def alphabet() -> tuple[str, ...]:
    r"""The character that stands for each byte: itself where it is printable, else one from U+0100.

    >>> alphabet()[ord("A")], alphabet()[ord(" ")], alphabet()[ord("\n")]
    ('A', 'Ġ', 'Ċ')
    """
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return tuple(chr(byte if byte in printable else next(others)) for byte in range(256))


def piece_bytes(pieces: Iterable[str]) -> list[bytes]:
    r"""Return the bytes of byte-level pieces.

    A piece with a character outside the alphabet stands for its own UTF-8, as in the tokenizers'
    own decoder.

    >>> piece_bytes(["Ġthe", "Ã©", "a b"])
    [b' the', b'\xc3\xa9', b'a b']
    """
    written = list(pieces)
    codes = np.frombuffer("".join(written).encode("utf-32-le", "surrogatepass"), np.uint32)
    values = _byte_of_character()[np.minimum(codes, 0x200)]
    data = values.astype(np.uint8).tobytes()
    foreign = np.concatenate(([0], np.cumsum(values == _UNUSED)))
    found: list[bytes] = []
    end = 0
    for piece in written:
        start, end = end, end + len(piece)
        ours = foreign[start] == foreign[end]
        found.append(data[start:end] if ours else piece.encode("utf-8", "surrogatepass"))
    return found


@cache
def _byte_of_character() -> NDArray[np.uint16]:
    table = np.full(0x201, _UNUSED, np.uint16)
    for byte, character in enumerate(alphabet()):
        table[ord(character)] = byte
    return table
