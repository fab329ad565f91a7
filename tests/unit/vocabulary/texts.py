"""Varied texts: many scripts, emoji whole and broken, control characters, runs of whitespace."""

from __future__ import annotations

import random
import unicodedata

_SCRIPTS = [
    (0x20, 0x7E), (0xA1, 0xFF), (0x100, 0x24F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF),
    (0x530, 0x58F), (0x590, 0x5FF), (0x600, 0x6FF), (0x900, 0x97F), (0xB80, 0xBFF), (0xE00, 0xE7F),
    (0x10A0, 0x10FF), (0x1200, 0x137F), (0x1780, 0x17FF), (0x1E00, 0x1EFF), (0x2000, 0x206F),
    (0x20A0, 0x20BF), (0x2190, 0x22FF), (0x2500, 0x2580), (0x2600, 0x27BF), (0x3040, 0x30FF),
    (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xE000, 0xE0FF), (0xFB00, 0xFB4F), (0xFE00, 0xFE0F),
    (0xFF00, 0xFFEF), (0x10300, 0x1034F), (0x12000, 0x1203F), (0x1D400, 0x1D4FF),
    (0x1F1E6, 0x1F1FF), (0x1F300, 0x1F6FF), (0x1F900, 0x1F9FF), (0x20000, 0x2003F),
    (0xE0020, 0xE007F), (0x10FF00, 0x10FFFF),
]  # fmt: skip
_PIECES = [
    "the quick brown fox", "don't WON'T I'll", "12345678901234567890", "3.14e-10", "\r\n", "\t\t",
    '{"a": [1, 2, {"b": null}]}', "<b>bold</b>", "<|not a token|>", "<0x0A>", "[INST]", "</s >",
    "👩‍👩‍👧‍👦", "👩🏽‍🚀", "🏽", "\u200d", "🇩🇪", "🇩", "❤️", "\ufe0f", "1\ufe0f\u20e3", "ﬁ ﬃ ™ ²",
    "\ufeff", "\x00", "\x7f", "\x1b[0m", "\u0085", "\u2028", "\u00a0", "\u3000", "\u200f", "\ufffd",
    "e\u0301\u0323", "\u1100\u1161\u11a8", "क्षि", "ก็", "שָׁלוֹם", "日本語テキスト", "한국어",
    "ß ẞ İ ı", "def f(x):\n    return x\n", "    " * 5, "\n" * 7, " \n \n", "a" * 40, "=" * 33,
    "--- ---", "\ud83d\ude00", "\ud83d", "\ude00x", "\ude00\ud83d",
]  # fmt: skip


def varied_texts(count: int, seed: int = 0) -> list[str]:
    """Return `count` texts that have a UTF-8 form: broken surrogate pairs become U+FFFD."""
    rng = random.Random(seed)
    return ["", " ", "  a", "a  ", *(_text(rng) for _ in range(count - 4))]


def _text(rng: random.Random) -> str:
    parts = [_part(rng) for _ in range(rng.randint(1, 8))]
    text = rng.choice(("", " ", "  ", "\n")).join(parts)
    form = rng.choice((None, None, "NFC", "NFD", "NFKC", "NFKD"))
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return unicodedata.normalize(form, text) if form else text


def _part(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.4:
        return rng.choice(_PIECES)
    if kind < 0.5:
        return "".join(chr(rng.randrange(0x20)) for _ in range(rng.randint(1, 3)))
    if kind < 0.6:
        return rng.choice((" ", "\n", "\t", "\u00a0")) * rng.randint(1, 40)
    first, last = rng.choice(_SCRIPTS)
    return "".join(chr(rng.randint(first, last)) for _ in range(rng.randint(1, 9)))
