"""The processor in `transformers.generate`, in every mode, with a real model.

One processor is used for all of them, one after another.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from tercet import Grammar, Model, compile

pytestmark = pytest.mark.model

PATTERN = r"[A-Z][a-z]{2,8} (is|was) [a-z ]{3,12}, [0-9]{2,3}\."
ONE = ["Ada Lovelace is"]
TWO = ["Ada Lovelace is", "The capital of France was chosen in the year"]


@pytest.fixture(scope="module")
def processor(model: Model) -> Any:
    return compile(Grammar.regex(PATTERN), model.vocabulary).processor()


@pytest.fixture(scope="module")
def generate(model: Model, processor: Any) -> Any:
    network: Any = model._network

    def texts(prompts: list[str], **options: Any) -> list[str]:
        inputs = network.tokenizer(prompts, return_tensors="pt", padding=True, padding_side="left")
        output = network.model.generate(
            **inputs, max_new_tokens=32, logits_processor=[processor], **options
        )
        written = output[:, inputs["input_ids"].shape[1] :]
        return network.tokenizer.batch_decode(written, skip_special_tokens=True)

    return texts


MODES: dict[str, tuple[list[str], dict[str, Any], int]] = {
    "greedy, left padding": (TWO, {}, 2),
    "sampled": (TWO, {"do_sample": True, "num_return_sequences": 3}, 6),
    "beams": (TWO, {"num_beams": 4, "num_return_sequences": 2}, 4),
    "sampled beams": (TWO, {"num_beams": 3, "do_sample": True}, 2),
    "prompt lookup": (ONE, {"prompt_lookup_num_tokens": 6}, 1),
    "sampled prompt lookup": (ONE, {"prompt_lookup_num_tokens": 6, "do_sample": True}, 1),
    "early exit": (ONE, {"assistant_early_exit": 10}, 1),
    "static cache": (TWO, {"cache_implementation": "static"}, 2),
}


@pytest.mark.parametrize("mode", MODES)
def test_mode(generate: Any, mode: str) -> None:
    prompts, options, count = MODES[mode]
    texts = generate(prompts, **options)
    assert len(texts) == count
    for text in texts:
        assert re.fullmatch(PATTERN, text)


@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.filterwarnings("ignore:Passing .generation_config.")
def test_assisted(model: Model, generate: Any, sampled: bool) -> None:
    """The assistant has the same processor, and drafts with what is left of the layers."""
    import copy

    network: Any = model._network
    assistant = copy.deepcopy(network.model)
    assistant.model.layers = assistant.model.layers[:20]
    assistant.config.num_hidden_layers = 20
    (text,) = generate(ONE, assistant_model=assistant, do_sample=sampled)
    assert re.fullmatch(PATTERN, text)
    if not sampled:
        assert [text] == generate(ONE)


def test_again_and_after_another_prompt(generate: Any) -> None:
    first = generate(TWO)
    generate(["Something else entirely,"])
    assert generate(TWO) == first


def test_without_a_processor_it_would_not_match(model: Model) -> None:
    network: Any = model._network
    inputs = network.tokenizer(ONE, return_tensors="pt")
    output = network.model.generate(**inputs, max_new_tokens=16)
    text = network.tokenizer.decode(output[0, inputs["input_ids"].shape[1] :])
    assert not re.fullmatch(PATTERN, text)
