"""Each reader on a small tokenizer of its kind, and what each refuses."""

from __future__ import annotations

import io
import json
import random
import re
import struct
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from tercet.errors import TercetError
from tercet.vocabulary import bytelevel
from tercet.vocabulary.vocabulary import Vocabulary
from tests.tokenizers_for_tests import smollm2_or_skip, tokenizer_or_skip
from tests.unit.vocabulary.texts import varied_texts

SENTENCE = "the cat sat on a mat and then it ran away while the sun shone on the old town"


def special(number: int, content: str, *, flagged: bool = True) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": number, "content": content, "special": flagged, **flags}


def byte_level(**changes: Any) -> dict[str, Any]:
    """The settings of a byte-level BPE with all bytes, two merges and an EOS."""
    pieces = [*bytelevel.alphabet(), "th", "the"]
    level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0",
        "added_tokens": [special(258, "<|endoftext|>")],
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": level,
        "decoder": level,
        "model": {
            "type": "BPE",
            "vocab": {piece: token for token, piece in enumerate(pieces)},
            "merges": [["t", "h"], ["th", "e"]],
        },
        **changes,
    }


def backend(settings: dict[str, Any]) -> Any:
    from tokenizers import Tokenizer

    return Tokenizer.from_str(json.dumps(settings))


@pytest.fixture(scope="module")
def sentencepiece_model() -> bytes:
    from sentencepiece import SentencePieceTrainer

    rng = random.Random(0)
    model = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=(" ".join(rng.choices(SENTENCE.split(), k=8)) for _ in range(400)),
        model_writer=model,
        model_type="bpe",
        vocab_size=400,
        byte_fallback=True,
        hard_vocab_limit=False,
        user_defined_symbols=["\n\n", "<b>", "<|turn|>"],
        minloglevel=2,
    )
    return model.getvalue()


class TestTokenizersPackage:
    def test_prefix_space_and_nfc_are_left_out_of_encode(self) -> None:
        ours = Vocabulary.from_transformers(backend(byte_level()))
        assert ours.eos == {258}
        for text in ("the", " the", "e\u0301", "\u212b", "the<|endoftext|>"):
            ids = ours.encode(text)
            assert ids is not None
            assert ours.decode(ids) == text.encode()
        assert ours.encode("the") == [257]

    def test_the_tokenizer_is_not_changed(self) -> None:
        theirs = backend(byte_level())
        before = theirs.to_str()
        Vocabulary.from_transformers(theirs).encode("the")
        assert theirs.to_str() == before

    def test_added_tokens(self) -> None:
        added = [
            special(258, "<|endoftext|>"),
            special(259, "<tool>", flagged=False),
            special(260, "    ", flagged=False),
            special(261, "<|x|>", flagged=False),
            special(257, "the", flagged=False),
        ]
        ours = Vocabulary.from_transformers(backend(byte_level(added_tokens=added)))
        assert ours.special == {258, 259, 261}
        assert ours.tokens[260] == b"    "
        assert ours.tokens[257] == b"the"
        assert ours.encode("a    the<tool>")[:3] == [ours.tokens.index(b"a"), 260, 257]

    def test_whitespace_tokens_that_the_copy_numbers_in_another_way(self) -> None:
        from tokenizers import AddedToken

        theirs = backend(byte_level())
        theirs.add_tokens([AddedToken("<tool>"), AddedToken("   ")])
        ours = Vocabulary.from_transformers(theirs)
        assert ours.encode("a   b") == [ours.tokens.index(b"a"), 260, ours.tokens.index(b"b")]

    def test_unknown_token_is_special(self) -> None:
        model = byte_level()["model"] | {"unk_token": "th"}
        assert 256 in Vocabulary.from_transformers(backend(byte_level(model=model))).special

    def test_dropout_has_no_split(self) -> None:
        model = byte_level()["model"] | {"dropout": 0.1}
        assert Vocabulary.from_transformers(backend(byte_level(model=model))).encode("the") is None

    def test_gap_in_the_ids(self) -> None:
        model = byte_level()["model"]
        model["vocab"]["the"] = 1000
        ours = Vocabulary.from_transformers(
            backend(byte_level(model=model, added_tokens=[])), eos=256
        )
        assert ours.size == 1001
        assert ours.tokens[1000] == b"the"
        assert not any(ours.tokens[257:1000])

    def test_two_tokens_with_one_id(self) -> None:
        model = byte_level()["model"]
        model["vocab"]["the"] = 256
        with pytest.raises(TercetError, match="two tokens have the id 256"):
            Vocabulary.from_transformers(backend(byte_level(model=model)))

    def test_id_out_of_all_proportion(self) -> None:
        model = byte_level()["model"]
        model["vocab"]["the"] = 1 << 30
        with pytest.raises(TercetError, match="more than is supported"):
            Vocabulary.from_transformers(backend(byte_level(model=model)))

    @pytest.mark.parametrize(
        "changes",
        [
            {"decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True}},
            {"decoder": {"type": "BPEDecoder", "suffix": "</w>"}},
            {"decoder": None, "pre_tokenizer": {"type": "WhitespaceSplit"}},
            {"decoder": None, "pre_tokenizer": None},
        ],
    )
    def test_unknown_decoder(self, changes: dict[str, Any]) -> None:
        with pytest.raises(TercetError, match="which bytes") as error:
            Vocabulary.from_transformers(backend(byte_level(**changes)))
        assert "from_tokens" in error.value.hint

    def test_metaspace(self) -> None:
        space = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
        pieces = ["<unk>", "▁", "a", "b", "▁a"]
        settings = byte_level(
            added_tokens=[special(0, "<unk>"), special(5, "</s>")],
            normalizer=None,
            pre_tokenizer=space,
            decoder=space,
            model={
                "type": "BPE",
                "vocab": {piece: token for token, piece in enumerate(pieces)},
                "merges": [["▁", "a"]],
                "unk_token": "<unk>",
            },
        )
        ours = Vocabulary.from_transformers(backend(settings))
        assert ours.tokens == [b"", b" ", b"a", b"b", b" a", b""]
        assert ours.encode("a a") == [2, 4]
        assert ours.encode("c") is None
        assert ours.eos == {5}

    def test_no_eos(self) -> None:
        theirs = backend(byte_level(added_tokens=[]))
        with pytest.raises(TercetError, match="no end-of-sequence token"):
            Vocabulary.from_transformers(theirs)
        assert Vocabulary.from_transformers(theirs, eos=0).eos == {0}

    def test_narrow_logits(self) -> None:
        with pytest.raises(TercetError, match="narrower"):
            Vocabulary.from_transformers(backend(byte_level()), size=200)

    def test_not_a_tokenizer(self) -> None:
        for thing in (None, "llama", 3):
            with pytest.raises(TercetError, match="can't read a tokenizer of type"):
                Vocabulary.from_transformers(thing)


class TestTokenizerFile:
    def test_endings_from_the_files_beside_it(self, tmp_path: Path) -> None:
        added = [special(258, "<|endoftext|>"), special(259, "<|im_end|>"), special(260, "<x>")]
        (tmp_path / "tokenizer.json").write_text(json.dumps(byte_level(added_tokens=added)))
        assert Vocabulary.from_tokenizer_json(tmp_path).eos == {258, 259}  # by their names
        (tmp_path / "tokenizer_config.json").write_text('{"eos_token": {"content": "<x>"}}')
        assert Vocabulary.from_tokenizer_json(tmp_path).eos == {260}
        (tmp_path / "chat_template.jinja").write_text("{{ message }}<|im_end|>")
        assert Vocabulary.from_tokenizer_json(tmp_path).eos == {259, 260}
        (tmp_path / "generation_config.json").write_text('{"eos_token_id": [258]}')
        assert Vocabulary.from_tokenizer_json(tmp_path).eos == {258, 259, 260}
        (tmp_path / "config.json").write_text('{"eos_token_id": "nonsense"}')
        (tmp_path / "tokenizer_config.json").write_text("[broken")
        assert Vocabulary.from_tokenizer_json(tmp_path / "tokenizer.json").eos == {258, 259}
        assert Vocabulary.from_tokenizer_json(tmp_path, eos=[1]).eos == {1}

    @pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"model": 3}', b"\xff\xfe"])
    def test_broken(self, tmp_path: Path, content: bytes | None) -> None:
        path = tmp_path / "tokenizer.json"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(TercetError, match="can't read the tokenizer file") as error:
            Vocabulary.from_tokenizer_json(path)
        assert error.value.at == str(path)
        assert error.value.why


class TestTransformers:
    def fast(self, **options: Any) -> Any:
        from transformers import PreTrainedTokenizerFast

        added = [special(258, "<|endoftext|>"), special(259, "<|im_end|>")]
        theirs = backend(byte_level(added_tokens=added))
        return PreTrainedTokenizerFast(tokenizer_object=theirs, **options)

    def test_endings(self) -> None:
        ours = Vocabulary.from_transformers(self.fast(eos_token="<|endoftext|>"))
        assert ours.eos == {258}
        chat = self.fast(eos_token="<|endoftext|>", chat_template="{{ m }}<|im_end|>")
        assert Vocabulary.from_transformers(chat).eos == {258, 259}
        assert Vocabulary.from_transformers(chat, eos=259).eos == {259}
        config = SimpleNamespace(eos_token_id=[257])
        assert Vocabulary.from_transformers(chat, generation_config=config).eos == {257, 258, 259}

    def test_no_eos(self) -> None:
        with pytest.raises(TercetError, match="no end-of-sequence token"):
            Vocabulary.from_transformers(self.fast())

    def test_same_as_the_file(self) -> None:
        from transformers import AutoTokenizer

        path = tokenizer_or_skip("llama3_1")
        theirs = AutoTokenizer.from_pretrained(path.parent)
        ours = Vocabulary.from_transformers(theirs)
        assert ours.fingerprint == Vocabulary.from_tokenizer_json(path).fingerprint

    def test_sentencepiece_in_python(self, tmp_path: Path, sentencepiece_model: bytes) -> None:
        from transformers.tokenization_utils_sentencepiece import SentencePieceBackend

        path = tmp_path / "tokenizer.model"
        path.write_bytes(sentencepiece_model)
        theirs = SentencePieceBackend(
            vocab_file=str(path), unk_token="<unk>", eos_token="</s>", extra_special_tokens=["<x>"]
        )
        ours = Vocabulary.from_transformers(theirs)
        plain = Vocabulary.from_sentencepiece(path)
        assert ours.tokens == [*plain.tokens, b""]
        assert ours.special == {*plain.special, plain.size}
        assert ours.eos == plain.eos
        assert ours.encode("the cat") == plain.encode("the cat") != None  # noqa: E711

    def test_byte_level_in_python(self) -> None:
        class Tokenizer:
            """As in the code that some models bring along."""

            byte_decoder: ClassVar = dict(zip(bytelevel.alphabet(), range(256), strict=True))
            all_special_ids = (257,)
            eos_token_id = 257
            added_tokens_decoder: ClassVar = {257: SimpleNamespace(content="<|end|>", special=True)}

            def __len__(self) -> int:
                return 258

            def convert_ids_to_tokens(self, ids: list[int]) -> list[str | None]:
                return [*bytelevel.alphabet(), "Ġthe", "<|end|>"]

        ours = Vocabulary.from_transformers(Tokenizer())
        assert ours.tokens[:256] == [bytes([byte]) for byte in range(256)]
        assert ours.tokens[256:] == [b" the", b""]
        assert ours.encode("a") is None
        del Tokenizer.byte_decoder
        with pytest.raises(TercetError, match="can't read a tokenizer of type Tokenizer"):
            Vocabulary.from_transformers(Tokenizer())


class TestSentencepiece:
    def test_tokens(self, sentencepiece_model: bytes) -> None:
        from sentencepiece import SentencePieceProcessor

        processor = SentencePieceProcessor(model_proto=sentencepiece_model)
        ours = Vocabulary.from_sentencepiece(processor)
        assert ours.eos == {2}
        assert ours.special == {0, 1, 2, processor.piece_to_id("<|turn|>")}
        assert ours.tokens[processor.piece_to_id("\n\n")] == b"\n\n"
        assert ours.tokens[processor.piece_to_id("▁the")] == b" the"
        assert ours.unspellable == frozenset()

    def test_encode(self, sentencepiece_model: bytes) -> None:
        from sentencepiece import SentencePieceProcessor

        ours = Vocabulary.from_sentencepiece(
            SentencePieceProcessor(model_proto=sentencepiece_model)
        )
        for text in varied_texts(500):
            ids = ours.encode(text)
            assert ids is not None
            assert ours.decode(ids) == text.encode()
        assert ours.encode("▁") is None

    @pytest.mark.parametrize("content", [None, b"", b"nonsense"])
    def test_broken(self, tmp_path: Path, content: bytes | None) -> None:
        path = tmp_path / "tokenizer.model"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(TercetError, match="can't read the sentencepiece model"):
            Vocabulary.from_sentencepiece(path)


class TestTiktoken:
    def encoding(self) -> Any:
        import tiktoken

        ranks = {bytes([byte]): byte for byte in range(256)} | {b"th": 256, b"the": 257}
        return tiktoken.Encoding(
            "toy", pat_str=r"\w+|\W", mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 260}
        )

    def test_tokens(self) -> None:
        ours = Vocabulary.from_tiktoken(self.encoding(), size=300)
        assert ours.tokens[256:262] == [b"th", b"the", b"", b"", b"", b""]
        assert ours.eos == ours.special == {260}
        assert ours.size == 300
        assert ours.encode("the") == [257]
        assert ours.encode("\ud83d") is None
        for text in varied_texts(300):
            assert ours.decode(ours.encode(text)) == text.encode()
        assert 260 not in ours.encode("<|endoftext|>")

    def test_as_large_as_real_ones(self) -> None:
        """GPT-OSS's tokenizer, as tiktoken writes it: the id is the rank."""
        import tiktoken

        file = Vocabulary.from_tokenizer_json(tokenizer_or_skip("gptoss"))
        ranks = {data: token for token, data in enumerate(file.tokens) if data}
        pattern = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+"
        special_tokens = {"<|endoftext|>": 199999, "<|return|>": 200002}
        encoding = tiktoken.Encoding(
            "big", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special_tokens
        )
        ours = Vocabulary.from_tiktoken(encoding)
        assert ours.tokens == file.tokens[: ours.size]
        assert ours.eos == {199999, 200002}

    def test_not_an_encoding(self) -> None:
        with pytest.raises(TercetError, match="is not a tiktoken encoding"):
            Vocabulary.from_tiktoken("o200k_base")


def write_gguf(path: Path, **fields: Any) -> Path:
    """Write a file with this metadata and no tensors; the package gguf takes seconds for it."""

    def written(value: Any) -> bytes:
        if isinstance(value, str):
            return struct.pack("<Q", len(value.encode())) + value.encode()
        return struct.pack("<f" if isinstance(value, float) else "<I", value)

    def kind(value: Any) -> int:
        return {str: 8, int: 4, float: 6, list: 9}[type(value)]

    data = [struct.pack("<4sIQQ", b"GGUF", 3, 0, len(fields))]
    for name, value in fields.items():
        data += [written("tokenizer." + name.replace("__", ".")), struct.pack("<I", kind(value))]
        if isinstance(value, list):
            data.append(struct.pack("<IQ", kind(value[0]), len(value)))
        data += map(written, value if isinstance(value, list) else [value])
    path.write_bytes(b"".join(data))
    return path


class TestGguf:
    def byte_level(self, path: Path, **fields: Any) -> Path:
        pieces = [
            *bytelevel.alphabet(),
            "th",
            "the",
            "  ",
            "<tool>",
            "<|im_end|>",
            "<|eos|>",
            "[PAD]",
        ]
        given = {
            "ggml__model": "gpt2",
            "ggml__pre": "gpt-2",
            "ggml__tokens": pieces,
            "ggml__token_type": [1] * 258 + [4, 4, 1, 3, 5],
            "ggml__merges": ["t h", "th e"],
            "ggml__eos_token_id": 261,
            "chat_template": "{{ message }}<|im_end|>",
            **fields,
        }
        return write_gguf(path, **{name: v for name, v in given.items() if v is not None})

    def test_byte_level(self, tmp_path: Path) -> None:
        ours = Vocabulary.from_gguf(self.byte_level(tmp_path / "a.gguf"))
        assert ours.eos == {260, 261}
        assert ours.special == {259, 260, 261, 262}
        assert ours.tokens[256:] == [b"th", b"the", b"  ", b"", b"", b"", b""]
        assert ours.encode("the  <tool>")[:2] == [257, 258]
        assert Vocabulary.from_gguf(tmp_path / "a.gguf", eos=0, size=300).eos == {0}

    def test_unknown_pattern_has_no_split(self, tmp_path: Path) -> None:
        ours = Vocabulary.from_gguf(self.byte_level(tmp_path / "a.gguf", ggml__pre="new"))
        assert ours.encode("the") is None

    def test_without_types_and_merges(self, tmp_path: Path) -> None:
        path = self.byte_level(tmp_path / "a.gguf", ggml__token_type=None, ggml__merges=None)
        ours = Vocabulary.from_gguf(path)
        assert ours.special == {260, 261}
        assert ours.encode("the") is None

    def test_no_eos(self, tmp_path: Path) -> None:
        path = self.byte_level(tmp_path / "a.gguf", ggml__eos_token_id=None, chat_template=None)
        with pytest.raises(TercetError, match="no end-of-sequence token"):
            Vocabulary.from_gguf(path)

    def test_eos_out_of_range(self, tmp_path: Path) -> None:
        path = self.byte_level(tmp_path / "a.gguf", ggml__eos_token_id=9999)
        with pytest.raises(TercetError, match="the end-of-sequence id 9999 is not"):
            Vocabulary.from_gguf(path)

    @pytest.mark.parametrize("model", ["bert", "rwkv", None])
    def test_unknown_kind(self, tmp_path: Path, model: str | None) -> None:
        with pytest.raises(TercetError, match="model") as error:
            Vocabulary.from_gguf(self.byte_level(tmp_path / "a.gguf", ggml__model=model))
        assert "from_tokens" in error.value.hint

    @pytest.mark.parametrize(
        ("name", "pattern"),
        [("llama3_1", "llama-bpe"), ("qwen3", "qwen2"), ("gpt4o", "gpt-4o"), ("gptoss", "gpt-4o"),
         ("deepseek_v3", "deepseek-v3")],
    )  # fmt: skip
    def test_splits_as_the_tokenizer_does(self, tmp_path: Path, name: str, pattern: str) -> None:
        """The tokenizer written as GGUF and read back splits every text in the same way."""
        settings = json.loads(tokenizer_or_skip(name).read_text("utf-8"))
        theirs = Vocabulary.from_tokenizer_json(tokenizer_or_skip(name))
        pieces = [f"<unused{token}>" for token in range(theirs.size)]
        for piece, token in settings["model"]["vocab"].items():
            pieces[token] = piece
        pairs = settings["model"]["merges"]
        path = write_gguf(
            tmp_path / "a.gguf",
            ggml__model="gpt2",
            ggml__pre=pattern,
            ggml__tokens=pieces,
            ggml__token_type=[1 if data else 3 for data in theirs.tokens],
            ggml__merges=[pair if isinstance(pair, str) else " ".join(pair) for pair in pairs],
            ggml__eos_token_id=min(theirs.eos),
        )
        ours = Vocabulary.from_gguf(path)
        assert ours.tokens == theirs.tokens
        for text in varied_texts(1000, seed=1):
            assert ours.encode(text) == theirs.encode(text), ascii(text)

    @pytest.mark.parametrize("name", ["llama2", "gemma3"])
    def test_splits_as_sentencepiece_does(self, tmp_path: Path, name: str) -> None:
        """The same for sentencepiece, where the file has scores and no merges."""
        settings = json.loads(tokenizer_or_skip(name).read_text("utf-8"))
        theirs = Vocabulary.from_tokenizer_json(tokenizer_or_skip(name))
        ranks: dict[str, int] = {}
        for rank, pair in enumerate(settings["model"]["merges"]):
            ranks.setdefault(
                pair.replace(" ", "") if isinstance(pair, str) else "".join(pair), rank
            )
        pieces = [f"<unused{token}>" for token in range(theirs.size)]
        for piece, token in settings["model"]["vocab"].items():
            pieces[token] = piece
        kinds = [6 if re.fullmatch("<0x[0-9A-F]{2}>", piece) else 1 for piece in pieces]
        for token in settings["added_tokens"]:
            kinds[token["id"]] = 3 if token["special"] else 4
        spaced = [p.replace("▁", " ") if kinds[n] == 4 else p for n, p in enumerate(pieces)]
        path = write_gguf(
            tmp_path / "a.gguf",
            ggml__model="llama",
            ggml__tokens=spaced,
            ggml__token_type=kinds,
            ggml__scores=[-float(ranks.get(piece, 1 << 24)) for piece in pieces],
            ggml__eos_token_id=min(theirs.eos),
        )
        ours = Vocabulary.from_gguf(path)
        assert ours.tokens == theirs.tokens
        assert ours.special == theirs.special
        for text in varied_texts(1000, seed=1):
            assert ours.encode(text) == theirs.encode(text), ascii(text)

    def test_sentencepiece(self, tmp_path: Path, sentencepiece_model: bytes) -> None:
        from sentencepiece import SentencePieceProcessor

        processor = SentencePieceProcessor(model_proto=sentencepiece_model)
        ids = range(processor.get_piece_size())
        kinds = [2, 3, 3, 4, 4, 4, *(6 if processor.is_byte(token) else 1 for token in ids[6:])]
        path = write_gguf(
            tmp_path / "a.gguf",
            ggml__model="llama",
            ggml__tokens=[*map(processor.id_to_piece, ids), "<tool>"],
            ggml__token_type=[*kinds, 4],
            ggml__scores=[*map(processor.get_score, ids), -1000.0],
            ggml__eos_token_id=2,
        )
        ours, theirs = Vocabulary.from_gguf(path), Vocabulary.from_sentencepiece(processor)
        assert ours.tokens == [*theirs.tokens, b""]
        assert ours.special == {*theirs.special, theirs.size}
        for text in [*varied_texts(500), "the old\n\n\ncat <b>ran</b> away <tool>", "▁"]:
            assert ours.encode(text) == theirs.encode(text), ascii(text)

    def test_cut_off_anywhere(self, tmp_path: Path) -> None:
        whole = self.byte_level(tmp_path / "a.gguf").read_bytes()
        path = tmp_path / "b.gguf"
        rng = random.Random(0)
        for length in [0, 3, 4, 23, 24, len(whole) - 1, *rng.sample(range(len(whole)), 40)]:
            path.write_bytes(whole[:length])
            with pytest.raises(TercetError, match="can't read the GGUF file"):
                Vocabulary.from_gguf(path)

    def test_damaged_anywhere(self, tmp_path: Path) -> None:
        """Any change of a byte is either harmless or a TercetError; lengths aren't trusted."""
        whole = self.byte_level(tmp_path / "a.gguf").read_bytes()
        path = tmp_path / "b.gguf"
        rng = random.Random(0)
        for _ in range(300):
            place = rng.randrange(min(len(whole), 400))
            path.write_bytes(whole[:place] + bytes([rng.randrange(256)]) + whole[place + 1 :])
            try:
                Vocabulary.from_gguf(path)
            except TercetError:
                continue

    def test_not_there(self, tmp_path: Path) -> None:
        for path in (tmp_path, tmp_path / "none.gguf"):
            with pytest.raises(TercetError, match="can't read the GGUF file"):
                Vocabulary.from_gguf(path)

    def test_agrees_with_the_gguf_package(self) -> None:
        from gguf import GGUFReader

        from tercet.vocabulary.gguf_file import read_metadata

        path = smollm2_or_skip()
        ours = read_metadata(path)
        theirs = {
            name: field.contents()
            for name, field in GGUFReader(path).fields.items()
            if not name.startswith("GGUF.")
        }
        assert ours == theirs
