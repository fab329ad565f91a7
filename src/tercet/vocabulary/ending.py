"""Which tokens end an answer: from a tokenizer's settings, the files beside it, or their names.

A model may end its answer with several tokens: the end of a text, and the end of a turn in a
chat. Tokenizers name only one of them; the others are in `generation_config.json` or in the chat
template. Nothing here knows how tokens become bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import Any

from tercet.errors import TercetError

# End of a text or of a turn, in the model families we know. "<|end|>" is missing because in
# GPT-OSS it ends a message within the answer.
END_NAMES = frozenset(
    {
        "</s>",
        "<eos>",
        "<end_of_turn>",
        "<turn|>",
        "<|endoftext|>",
        "<|end_of_text|>",
        "<|end_of_turn|>",
        "<|END_OF_TURN_TOKEN|>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|im_end|>",
        "<|return|>",
        "<｜end▁of▁sentence｜>",
    }
)


@dataclass(frozen=True)
class Endings:
    """What is known about the end of an answer, as ids and as names of tokens."""

    ids: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()

    def __or__(self, other: Endings) -> Endings:
        return Endings(self.ids | other.ids, self.names | other.names)

    def __bool__(self) -> bool:
        return bool(self.ids or self.names)

    def ids_among(self, names: Mapping[str, int]) -> frozenset[int]:
        """Return the ids, with those of the names that this vocabulary has."""
        return self.ids | {names[name] for name in self.names if name in names}


def ids_of(value: int | Iterable[int] | None) -> frozenset[int]:
    """Return one id, several or none as a set; numpy's integers become Python's.

    >>> sorted(ids_of([3, 1])), sorted(ids_of(7)), sorted(ids_of(None))
    ([1, 3], [7], [])

    Raises:
        TercetError: it is something else.
    """
    if value is None:
        return frozenset()
    try:
        return frozenset(map(index, value if isinstance(value, Iterable) else (value,)))
    except TypeError:
        raise TercetError(
            f"token ids are whole numbers, not {value!r}",
            hint="look up the id of a token with the tokenizer",
        ) from None


def in_template(template: object) -> Endings:
    """The names of end tokens that a chat template uses; it may be a dict of templates."""
    texts = template.values() if isinstance(template, Mapping) else [template]
    written = "\n".join(text for text in texts if isinstance(text, str))
    return Endings(names=frozenset(name for name in END_NAMES if name in written))


# What says something about endings, beside a tokenizer.
FILES = ("tokenizer_config.json", "chat_template.jinja", "generation_config.json", "config.json")


def in_folder(folder: Path) -> Endings:
    """What the files beside a tokenizer say; files that are missing or broken say nothing."""
    settings = _json(folder / FILES[0])
    eos = settings.get("eos_token")
    name = eos.get("content") if isinstance(eos, dict) else eos
    found = Endings(names=frozenset({name} if isinstance(name, str) else ()))
    found |= in_template(settings.get("chat_template"))
    found |= in_template(_text(folder / FILES[1]))
    for file in FILES[2:]:
        with suppress(TercetError):
            found |= in_config(_json(folder / file))
    return found


def in_config(config: object) -> Endings:
    """The `eos_token_id` of a generation config or model config, an object or a mapping."""
    if isinstance(config, Mapping):
        value = config.get("eos_token_id")
    else:
        value = getattr(config, "eos_token_id", None)
    return Endings(ids=ids_of(value))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(_text(path))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
