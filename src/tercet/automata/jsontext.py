r"""How text is spelled inside a JSON string.

The usual policy is that of ``json.dumps(ensure_ascii=False)``: the short escapes where JSON has
them, ``\u00xx`` in lower case for the other controls, the rest as itself. `bytetrie` spells
automata by the table and the frontends write literals with it, so it stands alone.
"""

from __future__ import annotations

from typing import Literal

from tercet.errors import GrammarError

Encoding = Literal["utf8", "json", "json-any"]
"""UTF-8, or the inside of a JSON string: as `json_escape` writes it, or in every way."""

_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}

ESCAPES: dict[str, str] = {
    **{chr(code): f"\\u{code:04x}" for code in range(0x20)},
    **_SHORT,
}
"""The characters that are not written as themselves, and how they are written."""

SHORT_ESCAPES: dict[str, str] = {short[1]: char for char, short in _SHORT.items()} | {"/": "/"}
"""What may stand behind a backslash by itself, and the character that is meant."""

_TABLE = str.maketrans(ESCAPES)


def json_escape(text: str) -> bytes:
    r"""The bytes of `text` inside a JSON string, without the quotes.

    >>> json_escape('é"\n\x00')
    b'\xc3\xa9\\"\\n\\u0000'

    Raises:
        GrammarError: `text` holds half of a surrogate pair, which UTF-8 cannot spell.
    """
    try:
        return text.translate(_TABLE).encode()
    except UnicodeEncodeError as error:
        raise GrammarError(
            f"{text!r} cannot be written as UTF-8",
            why=f"character {error.start} is half of a surrogate pair",
            hint="write the whole character, or take the half out",
        ) from None
