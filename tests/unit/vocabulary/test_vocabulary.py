"""Plain vocabularies: what is kept, what is refused, and which have equal fingerprints."""

from __future__ import annotations

import pytest

from tercet.errors import TercetError
from tercet.vocabulary.table import TokenTable
from tercet.vocabulary.vocabulary import Vocabulary

TOKENS = [b"a", b"b", b"ab", b"a", b"", b"</s>", b"<pad>"]


def test_special_and_unused_ids_have_no_bytes() -> None:
    ours = Vocabulary.from_tokens(TOKENS, eos=5, special=[6])
    assert ours.tokens == [b"a", b"b", b"ab", b"a", b"", b"", b""]
    assert ours.special == {5, 6}
    assert ours.eos == {5}
    assert ours.size == 7
    assert ours.max_token_bytes == 7
    assert bytes(ours.data) == b"ababa\xff<pad>\xff"
    assert ours.offsets.tolist() == [0, 1, 2, 4, 5, 5, 5, 12]


def test_special_tokens_have_names() -> None:
    ours = Vocabulary.from_tokens(TOKENS, eos=5, special=[6])
    assert ours.names == {"<pad>": 6}  # what ends a text is never a part of it
    assert ours.spelling("<pad>") == ours.spellings[6] == b"\xff<pad>\xff"
    assert ours.spelling("</s>") == b"</s>"
    assert ours.decode([2, 6, 5]) == b"ab<pad>"


def test_the_mark_of_names_is_no_text_to_engines() -> None:
    ours = Vocabulary.from_tokens([b"\xff", b"a\xff", b"a", b""], eos=3)
    assert ours.tokens[:2] == [b"\xff", b"a\xff"]
    assert ours.spellings[:2] == [b"", b""]


def test_what_was_passed_is_not_changed() -> None:
    tokens = list(TOKENS)
    Vocabulary.from_tokens(tokens, eos=5)
    assert tokens == TOKENS


def test_several_eos() -> None:
    assert Vocabulary.from_tokens(TOKENS, eos=[5, 6]).eos == {5, 6}


def test_unspellable() -> None:
    missing = Vocabulary.from_tokens([*TOKENS, b"c", b"\xffx"], eos=5).unspellable
    assert frozenset(range(256)) - missing == set(b"abc")


def test_fingerprint_depends_on_bytes_and_flags_only() -> None:
    base = Vocabulary.from_tokens(TOKENS, eos=5, special=[6])
    assert (
        base.fingerprint == Vocabulary.from_tokens(tuple(TOKENS), eos=[5], special={6}).fingerprint
    )
    others = [
        Vocabulary.from_tokens(TOKENS, eos=5),
        Vocabulary.from_tokens(TOKENS, eos=6, special=[5]),
        Vocabulary.from_tokens([b"ab", b"", *TOKENS[2:]], eos=5, special=[6]),
        Vocabulary.from_tokens([*TOKENS, b""], eos=5, special=[6]),
        Vocabulary.from_tokens([b"A", *TOKENS[1:]], eos=5, special=[6]),
    ]
    assert len({base.fingerprint, *(other.fingerprint for other in others)}) == 6


def test_fingerprint_is_the_same_on_every_machine() -> None:
    known = "0f4f4e5d0aa03a993859b22d034b533d8cd49c23d77691b991b32ab57effe066"
    assert Vocabulary.from_tokens(TOKENS, eos=5, special=[6]).fingerprint == known


def test_bytes_of_and_decode() -> None:
    ours = Vocabulary.from_tokens(TOKENS, eos=5)
    assert ours.decode([2, 4, 1]) == b"abb"
    for token in (-1, 7):
        with pytest.raises(TercetError, match=f"there is no token {token}"):
            ours.bytes_of(token)


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        ([0, 1], [0, 1]),
        ([2], [2]),
        ([0], None),
        ([0, 4, 1], None),
        ([0, 1, 99], None),
        ([-6], None),
    ],
)
def test_encode_is_checked(found: list[int], answer: list[int] | None) -> None:
    table = TokenTable(TOKENS, eos=frozenset({5}), encode=lambda text: found)
    assert Vocabulary(table).encode("ab") == answer


def test_a_tokenizer_that_fails_has_no_answer() -> None:
    def encode(text: str) -> list[int]:
        raise RuntimeError(text)

    assert Vocabulary(TokenTable(TOKENS, eos=frozenset({5}), encode=encode)).encode("ab") is None
    assert Vocabulary.from_tokens(TOKENS, eos=5).encode("ab") is None


def test_no_eos() -> None:
    with pytest.raises(TercetError) as error:
        Vocabulary.from_tokens(TOKENS, eos=[])
    assert "no end-of-sequence token" in error.value.message
    assert "eos=" in error.value.hint


@pytest.mark.parametrize(
    ("tokens", "eos", "special", "message"),
    [
        ([], 0, (), "can't have 0 tokens"),
        ([b"a", "b"], 0, (), "token 1 is a str, not bytes"),
        ([b"a", None], 0, (), "token 1 is a NoneType, not bytes"),
        ([b"a", bytearray(b"b")], 0, (), "token 1 is a bytearray, not bytes"),
        ([b"a", b"b"], 2, (), "the end-of-sequence id 2 is not in the vocabulary"),
        ([b"a", b"b"], -1, (), "the end-of-sequence id -1 is not in the vocabulary"),
        ([b"a", b"b"], 0, [7], "the special id 7 is not in the vocabulary"),
        ([b"a", b"b"], "</s>", (), "token ids are whole numbers"),
        ([b"a", b"b"], [0.5], (), "token ids are whole numbers"),
        ([b"", b"</s>"], 1, (), "no token that is text"),
        (b"abc", 0, (), "token 0 is a int, not bytes"),
        (17, 0, (), "must be a list of bytes, not int"),
    ],
)
def test_bad_input(tokens: object, eos: object, special: object, message: str) -> None:
    with pytest.raises(TercetError) as error:
        Vocabulary.from_tokens(tokens, eos=eos, special=special)
    assert message in str(error.value)


@pytest.mark.parametrize("size", [-1, 1 << 40, 2, 0])
def test_bad_size(size: int) -> None:
    table = TokenTable(TOKENS, eos=frozenset({5}))
    with pytest.raises(TercetError):
        Vocabulary(table, size=size)


def test_sizes() -> None:
    table = TokenTable(TOKENS, frozenset({6}), frozenset({5}))
    assert Vocabulary(table, size=9).tokens == [b"a", b"b", b"ab", b"a", b"", b"", b"", b"", b""]
    narrower = Vocabulary(table, size=6)
    assert narrower.special == {5}
    with pytest.raises(
        TercetError, match="the logits are narrower than the vocabulary: 5 against 7"
    ):
        Vocabulary(table, size=5)
