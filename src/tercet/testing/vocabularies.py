"""Small vocabularies: one where a token is a byte, and one where everything goes wrong."""

from __future__ import annotations

from functools import cache

from tercet.vocabulary.vocabulary import Vocabulary


@cache
def byte_vocabulary() -> Vocabulary:
    """One token for each byte, whose id is the byte, and the end of the text, 256.

    >>> byte_vocabulary()
    <Vocabulary of 257 tokens from tokens, eos [256]>
    """
    return Vocabulary.from_tokens([bytes([byte]) for byte in range(256)] + [b""], eos=256)


@cache
def hostile_vocabulary() -> Vocabulary:
    r"""About 130 tokens with what real vocabularies do to the unprepared.

    Characters cut in the middle, tokens that overlap or that have the same bytes, tokens over
    several pieces of JSON, special and unused ids, two ends, and no newline: not every text can be
    written.

    >>> ord("\n") in hostile_vocabulary().unspellable
    True
    """
    singles = [bytes([byte]) for byte in range(0x20, 0x7F)]
    cut = [
        b"\xc3",
        b"\xa9",
        b"\xe2\x82",
        b"\xe2",
        b"\x82",
        b"\xac",
        b"\xf0\x9f",
        b"\x98\x80",
        b'\xa9"',
    ]
    overlapping = [b"a", b"aa", b"aaa", b"ab", b"bab", b"true", b"tru", b"ue}", b"nul", b"  "]
    spanning = [
        b'{"',
        b'": "',
        b'", "',
        b'": ',
        b'"}',
        b'"]}',
        b"}, {",
        b"], [",
        b"1, ",
        b"0.",
        b"\\u00",
    ]
    tokens = [b"<s>", b"", *singles, *cut, *overlapping, *spanning, b"</s>", b"", b"<|end|>"]
    last = len(tokens) - 1
    return Vocabulary.from_tokens(tokens, eos=[last - 2, last], special=[0])
