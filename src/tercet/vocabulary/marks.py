"""Special tokens as bytes: a grammar may ask for one by its name, and nothing else spells it.

Engines know bytes only. The byte FF never occurs in UTF-8, so a special token is spelled as its
name between two of them. Tokens of text that hold that byte are taken out of the engines' sight:
no text could use them anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MARK = 0xFF
_MARK = bytes([MARK])


def marked(name: str) -> bytes:
    """The bytes that stand for a special token."""
    return _MARK + name.encode() + _MARK


def spelled(tokens: Sequence[bytes], names: Mapping[str, int]) -> list[bytes]:
    r"""The bytes by which engines know each token.

    >>> spelled([b"a", b"", b"\xff"], {"<x>": 1})
    [b'a', b'\xff<x>\xff', b'']
    """
    found = [b"" if _MARK in token else token for token in tokens]
    for name, token in names.items():
        found[token] = marked(name)
    return found
