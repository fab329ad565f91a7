"""Models of transformers: prompts, padding, the cache, and what can be wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tercet
from tercet import Grammar, Model, TercetError
from tests.models.conftest import byte_tokenizer, tiny_model

DATE = Grammar.regex("[0-9]{4}-[0-9]{2}")
WORDS = Grammar.regex("[a-z]{1,8}( [a-z]{1,8}){0,2}[.]")
PROMPTS = ["a", "What is it?", "A longer question, then"]


def test_steps_with_a_cache_are_what_one_forward_gives(tiny: tuple[Any, Any]) -> None:
    import torch

    network = tercet.load(tiny)._network
    session = network.open([[5, 6, 7]])
    session.feed([8])
    session.feed([9])
    with torch.inference_mode():
        whole = tiny[0](torch.tensor([[5, 6, 7, 8, 9]])).logits[0, -1].numpy()
    np.testing.assert_allclose(session.scores()[0], whole, atol=1e-4)


def test_rows_of_a_padded_batch_are_what_each_would_be_alone(tiny: tuple[Any, Any]) -> None:
    network = tercet.load(tiny)._network
    prompts = [[5], [6, 7, 8, 9], [10, 11]]
    together = network.open(prompts)
    together.feed([1, 2, 3])
    together.keep([2, 0])
    together.feed([4, 5])
    for row, (prompt, fed) in enumerate([([10, 11], [3, 4]), ([5], [1, 5])]):
        alone = network.open([prompt])
        for token in fed:
            alone.feed([token])
        np.testing.assert_allclose(together.scores()[row], alone.scores()[0], atol=1e-4)


@pytest.mark.parametrize("options", [{}, {"temperature": 1.0, "seed": 3}])
def test_batch_is_what_single_calls_give(tiny: tuple[Any, Any], options: dict[str, Any]) -> None:
    model = tercet.load(tiny)
    together = model.batch(PROMPTS, WORDS, **options)
    assert together[0] == model(PROMPTS[0], WORDS, **options)
    if not options:
        assert together == [model(prompt, WORDS) for prompt in PROMPTS]


def test_bfloat16(tiny: tuple[Any, Any]) -> None:
    import torch

    assert tercet.load((tiny_model().to(torch.bfloat16), tiny[1]))("When?", DATE) in DATE


def test_saved_folder_and_options(tiny: tuple[Any, Any], tmp_path: Path) -> None:
    import torch

    for part in tiny:
        part.save_pretrained(tmp_path)
    model = tercet.load(tmp_path)
    assert model("When?", DATE) == tercet.load(tiny)("When?", DATE)
    assert model._network.model.dtype == torch.float32
    half = tercet.load(str(tmp_path), dtype="bfloat16", device="cpu")
    assert half._network.model.dtype == torch.bfloat16


def test_prompt_longer_than_the_context(tiny: tuple[Any, Any]) -> None:
    model = tercet.load(tiny)
    with pytest.raises(TercetError, match="has 64 tokens, the model reads 64"):
        model("x" * 64, DATE)
    assert model.complete("x" * 60, DATE).finish == "length"
    assert len(model.complete("x" * 60, DATE).tokens) == 4


def test_empty_prompt(tiny: tuple[Any, Any]) -> None:
    assert tercet.load(tiny)("", DATE) in DATE
    tokenizer = byte_tokenizer()
    tokenizer.bos_token = None
    with pytest.raises(TercetError, match="empty"):
        tercet.load((tiny[0], tokenizer))("", DATE)


def test_messages_without_a_chat_template(tiny: tuple[Any, Any]) -> None:
    with pytest.raises(TercetError, match="no chat template"):
        tercet.load(tiny)([{"role": "user", "content": "?"}], DATE)


@pytest.mark.parametrize("prompt", [3, None, [1, 2], {"role": "user"}, b"bytes"])
def test_what_is_no_prompt(tiny: tuple[Any, Any], prompt: Any) -> None:
    with pytest.raises(TercetError, match="a prompt can't be"):
        tercet.load(tiny)(prompt, DATE)


def test_chat_template(tiny: tuple[Any, Any]) -> None:
    tokenizer = byte_tokenizer()
    tokenizer.chat_template = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"
    encode = tercet.load((tiny[0], tokenizer))._network.encode
    assert tokenizer.decode(encode("Hi")) == "[user]Hi"
    messages = [{"role": "system", "content": "S"}, {"role": "user", "content": "Hi"}]
    assert tokenizer.decode(encode(messages)) == "[system]S[user]Hi"
    plain = tercet.load((tiny[0], tokenizer), chat=False)._network.encode
    assert tokenizer.decode(plain("Hi")) == "Hi"


def test_logits_narrower_than_the_vocabulary(tiny: tuple[Any, Any]) -> None:
    with pytest.raises(TercetError, match="narrower than the vocabulary"):
        tercet.load((tiny_model(vocab_size=200, eos_token_id=1, pad_token_id=2), tiny[1]))


def test_wider_logits_are_never_chosen(tiny: tuple[Any, Any]) -> None:
    model = tercet.load((tiny_model(vocab_size=1000), tiny[1]))
    assert model("When?", DATE, temperature=100.0, seed=1) in DATE


def test_tokenizer_without_an_end(tiny: tuple[Any, Any]) -> None:
    tokenizer = byte_tokenizer()
    tokenizer.eos_token = None
    nameless = tiny_model(eos_token_id=None)
    nameless.generation_config.eos_token_id = None
    with pytest.raises(TercetError, match="no end-of-sequence token"):
        tercet.load((nameless, tokenizer))


def test_no_such_model(tmp_path: Path) -> None:
    with pytest.raises(TercetError, match="can't load the model"):
        tercet.load(tmp_path)
    with pytest.raises(TercetError, match="no such GGUF file"):
        tercet.load(tmp_path / "absent.gguf")


def test_settled_options_of_a_loaded_model(tiny: tuple[Any, Any]) -> None:
    with pytest.raises(TercetError, match="settled"):
        tercet.load(tiny, dtype="bfloat16")


@pytest.mark.model
def test_smollm2(model: Model) -> None:
    assert model("When did Apollo 11 land on the moon?", DATE) in DATE
    texts = ["What is the capital of France?", "Hi!"]
    together = model.batch(texts, WORDS)
    assert together == [model(text, WORDS) for text in texts]
    stream = model.stream(texts[0], WORDS)
    assert "".join(snapshot.piece for snapshot in stream) == together[0]


@pytest.mark.model
def test_sampling_is_repeatable(model: Model) -> None:
    def sampled(seed: int) -> str:
        return model("Name an animal.", WORDS, temperature=1.0, top_p=0.95, seed=seed)

    assert sampled(1) == sampled(1)
    assert len({sampled(seed) for seed in range(4)}) > 1


@pytest.mark.model
@pytest.mark.slow
def test_gguf_file(model: Model) -> None:
    from tercet.models.smollm2 import embedded_file

    opened = tercet.load(embedded_file())
    assert opened.vocabulary.fingerprint == model.vocabulary.fingerprint
    prompt = "What is the sentiment of 'I loved it'?"
    answer = Grammar.choice(["good", "bad"])
    assert opened(prompt, answer) == model(prompt, answer)
