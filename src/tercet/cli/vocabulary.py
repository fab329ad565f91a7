"""`tercet vocabulary`: what tercet reads out of a tokenizer, and which bytes it can't spell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tercet.cli.outcome import ending, people, write_json

if TYPE_CHECKING:
    from tercet.vocabulary.vocabulary import Vocabulary

_NEVER_IN_UTF8 = frozenset({0xC0, 0xC1, *range(0xF5, 0x100)})


def command(
    source: Annotated[
        Path, typer.Argument(help="A GGUF file, tokenizer.json, its folder, or tokenizer.model.")
    ],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Write one line of JSON.")] = False,
) -> None:
    """Describe the vocabulary in a tokenizer's file."""
    with ending(as_json=as_json):
        facts = _facts(vocabulary_in(source))
    if as_json:
        write_json(facts)
        return
    console = people(stderr=False)
    for name, value in facts.items():
        console.print(f"[dim]{name.replace('_', ' '):>23}[/]  {_readable(value)}")


def vocabulary_in(source: Path) -> Vocabulary:
    """Return the vocabulary in a tokenizer's file or folder, of whatever kind."""
    from tercet.vocabulary.vocabulary import Vocabulary

    readers = {".gguf": Vocabulary.from_gguf, ".model": Vocabulary.from_sentencepiece}
    return readers.get(source.suffix, Vocabulary.from_tokenizer_json)(source)


def _facts(vocabulary: Vocabulary) -> dict[str, object]:
    lacking = sorted(vocabulary.unspellable - _NEVER_IN_UTF8)
    return {
        "size": vocabulary.size,
        "tokens_of_text": sum(map(bool, vocabulary.tokens)),
        "end_of_sequence": sorted(vocabulary.eos),
        "special": len(vocabulary.special),
        "longest_token_bytes": vocabulary.max_token_bytes,
        "bytes_it_cannot_spell": [f"{byte:02x}" for byte in lacking],
        "fingerprint": vocabulary.fingerprint,
    }


def _readable(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value)) or "none"
    return f"{value:,}" if isinstance(value, int) else str(value)
