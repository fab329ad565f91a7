"""The bytes of each token are right: what a tokenizer makes of a text spells that text.

Two checks on 2,000 texts. `Vocabulary.encode` must give exactly the UTF-8 of the text. And the ids
that the tokenizer gives by itself must spell the text after the normalisation that it documents:
none, NFC (Qwen), or a space before it (Llama 2) and U+2581 read as a space (sentencepiece).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache

import pytest

from tercet.vocabulary.vocabulary import Vocabulary
from tests.tokenizers_for_tests import NAMES, smollm2_or_skip, tokenizer_or_skip
from tests.unit.vocabulary.texts import varied_texts

TEXTS = varied_texts(2000)
SENTENCEPIECE = {"llama2", "gemma3"}
NORMALISED: dict[str, Callable[[str], str]] = {
    "qwen3": lambda text: unicodedata.normalize("NFC", text),
    "llama2": lambda text: (" " + text if text else "").replace("▁", " "),
    "gemma3": lambda text: text.replace("▁", " "),
}
EOS = {
    "llama3_1": "<|eot_id|>",
    "qwen3": "<|im_end|>",
    "gpt4o": "<|endoftext|>",
    "gptoss": "<|return|>",
    "deepseek_v3": "<｜end▁of▁sentence｜>",
    "llama2": "</s>",
    "gemma3": "<end_of_turn>",
}


@cache
def vocabulary(name: str) -> Vocabulary:
    return Vocabulary.from_tokenizer_json(tokenizer_or_skip(name))


@cache
def backend(name: str):
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(tokenizer_or_skip(name)))


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def test_encode_spells_the_text(name: str) -> None:
    ours = vocabulary(name)
    for text in TEXTS:
        ids = ours.encode(text)
        assert ids is not None, ascii(text)
        assert ours.decode(ids) == text.encode(), ascii(text)


def test_the_tokenizers_own_ids_spell_the_normalised_text(name: str) -> None:
    ours = vocabulary(name)
    normalised = NORMALISED.get(name, str)
    encodings = backend(name).encode_batch(TEXTS, add_special_tokens=False)
    for text, encoding in zip(TEXTS, encodings, strict=True):
        assert ours.decode(encoding.ids) == normalised(text).encode(), ascii(text)


def test_encode_is_the_tokenizers_own_split_where_nothing_is_normalised(name: str) -> None:
    ours = vocabulary(name)
    normalised = NORMALISED.get(name, str)
    before = " " if name == "llama2" else ""  # it always puts a space before the text
    texts = [text for text in TEXTS if text and normalised(text) == before + text]
    assert len(texts) > 1200
    encodings = backend(name).encode_batch(texts, add_special_tokens=False)
    for text, encoding in zip(texts, encodings, strict=True):
        assert ours.encode(before + text) == encoding.ids, ascii(text)


def test_every_byte_can_be_spelled(name: str) -> None:
    assert vocabulary(name).unspellable == frozenset()


def test_special_tokens_are_no_text_and_are_not_read_from_text(name: str) -> None:
    ours = vocabulary(name)
    for number, token in backend(name).get_added_tokens_decoder().items():
        if token.special:
            assert number in ours.special
            assert ours.tokens[number] == b""
            ids = ours.encode(f"a{token.content}b")
            assert ids is None or number not in ids
            assert ids is not None or name in SENTENCEPIECE


def test_eos(name: str) -> None:
    assert vocabulary(name).eos == {backend(name).token_to_id(EOS[name])}


def test_lone_surrogates_have_no_spelling(name: str) -> None:
    assert vocabulary(name).encode("a\ud83d") is None


@pytest.mark.parametrize("name", sorted(SENTENCEPIECE))
def test_sentencepiece_cannot_tell_its_space_from_a_space(name: str) -> None:
    """Documented: a text with U+2581 has no split, though it can be spelled byte by byte."""
    ours = vocabulary(name)
    assert ours.encode("a▁b") is None
    spelled = [ours.tokens.index(bytes([byte])) for byte in "▁".encode()]
    assert ours.decode(spelled) == "▁".encode()


def test_gemma_keeps_its_line_breaks_and_spaces() -> None:
    ours = vocabulary("gemma3")
    assert ours.tokens[107] == b"\n"
    assert ours.tokens[108] == b"\n\n"
    assert ours.tokens[138] == b"  "
    assert ours.tokens[168] == b"<table>"
    assert {4, 5, 6, 105, 106, 262144} <= ours.special  # mask, multimodal, unused0, turns, image


def test_qwen_tool_tags_are_not_text() -> None:
    ours = vocabulary("qwen3")
    number = backend("qwen3").token_to_id("<tool_call>")
    assert number in ours.special
    assert number not in (ours.encode("<tool_call>") or [number])


def test_logits_wider_than_the_tokenizer() -> None:
    padded = Vocabulary.from_tokenizer_json(tokenizer_or_skip("qwen3"), size=151936)
    assert padded.size == len(padded.tokens) == len(padded.offsets) - 1 == 151936
    assert not any(padded.tokens[151669:])
    assert padded.eos == vocabulary("qwen3").eos
    assert padded.fingerprint != vocabulary("qwen3").fingerprint


def test_logits_that_leave_out_only_an_added_token() -> None:
    text_model = Vocabulary.from_tokenizer_json(tokenizer_or_skip("gemma3"), size=262144)
    assert text_model.size == 262144


def test_smollm2_in_gguf() -> None:
    ours = Vocabulary.from_gguf(smollm2_or_skip())
    assert ours.size == 49152
    assert ours.eos == {2}
    assert ours.special == frozenset(range(17))
    missing = {4, 6, 19, 20, 22, 29, 192, 193, 241, 242, *range(245, 256)}
    assert ours.unspellable == missing
    for text in TEXTS:
        ids = ours.encode(text)
        if ids is None:
            assert missing & set(text.encode()), ascii(text)
        else:
            assert ours.decode(ids) == text.encode(), ascii(text)
    assert sum(ours.encode(text) is not None for text in TEXTS) > 1500
