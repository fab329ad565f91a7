"""The public methods of a model, over a scripted network: no weights needed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

import tercet
from tercet import Grammar, samplers
from tercet.testing import byte_vocabulary, hostile_vocabulary, scripted

DATE = Grammar.regex(r"\d{4}-\d\d-\d\d")


@dataclass
class Person:
    name: str
    age: int


def test_typed_value() -> None:
    model = scripted('{"name": "Ada", "age": 36}')
    assert model("Who?", Person) == Person("Ada", 36)
    assert model("Who?", tercet.compile(Person, model.vocabulary)) == Person("Ada", 36)


def test_goes_on_at_a_later_word_of_its_script() -> None:
    assert scripted("It was in 1969, I believe.")("When?", int) == 1969
    assert scripted("42 apples")("How many?", int) == 42


def test_closes_what_it_must_open() -> None:
    assert scripted("Ada Lovelace")("Who?", dict[str, int]) == {"Ada Lovelace": 0}
    assert isinstance(scripted("?")("Who?", Person), Person)


def test_answers_in_turn() -> None:
    model = scripted("1", "2", "3")
    assert model.batch(["a", "b", "c", "d"], int, batch_size=3) == [1, 2, 3, 1]


def test_no_answers() -> None:
    with pytest.raises(tercet.TercetError, match="needs an answer"):
        scripted()


def test_truncated() -> None:
    model = scripted("2026-11-30")
    with pytest.raises(tercet.OutputTruncatedError) as caught:
        model("When?", DATE, max_tokens=4)
    assert caught.value.partial == tercet.Snapshot("2026", "")
    completion = model.complete("When?", DATE, max_tokens=4)
    assert (completion.text, completion.finish) == ("2026", "length")
    with pytest.raises(tercet.OutputTruncatedError):
        _ = completion.value
    with pytest.raises(tercet.OutputTruncatedError):
        model.batch(["When?"], DATE, max_tokens=4)


def test_stats() -> None:
    stats = scripted("2026-11-30").complete("When?", DATE).stats
    assert (stats.prompt_tokens, stats.tokens, stats.steps) == (5, 10, 10)
    assert stats.tokens_per_second > 0
    assert 0 < stats.mask_seconds_per_step < stats.seconds


def test_stream_has_whole_characters() -> None:
    stream = scripted("é€😀.").stream("?", Grammar.regex("[^x]{3}[.]"))
    snapshots = list(stream)
    assert [s.piece for s in snapshots] == ["é", "€", "😀", "."]
    assert [s.text for s in snapshots] == ["é", "é€", "é€😀", "é€😀."]
    assert stream.result() == "é€😀."


def test_stream_result_without_iterating_and_after_a_part() -> None:
    assert scripted("2026-11-30").stream("?", DATE).result() == "2026-11-30"
    stream = scripted("2026-11-30").stream("?", DATE)
    assert next(iter(stream)).text == "2"
    assert stream.result() == "2026-11-30"
    assert list(stream) == []


def test_batch_of_nothing() -> None:
    assert scripted("1").batch([], int) == []


def test_batch_shows_progress_when_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert scripted("1", "2").batch(["a", "b"], int, progress=True) == [1, 2]
    assert "answers" in capsys.readouterr().err
    scripted("1", "2").batch(["a", "b"], int)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("prompts", "size"), [("one prompt", 8), (["a"], 0)])
def test_batch_misused(prompts: object, size: int) -> None:
    with pytest.raises(tercet.TercetError, match="list of prompts"):
        scripted("1").batch(prompts, int, batch_size=size)


def test_sampler_and_its_options_exclude_each_other() -> None:
    model, sampler = scripted("1"), samplers.masked(temperature=1, seed=2)
    assert isinstance(model("?", int, sampler=sampler), int)
    with pytest.raises(tercet.TercetError, match="both a sampler and seed"):
        model("?", int, sampler=sampler, seed=1)


def test_unknown_option() -> None:
    with pytest.raises(TypeError, match="'max_token'"):
        scripted("1")("?", int, max_token=3)


def test_no_budget() -> None:
    with pytest.raises(tercet.TercetError, match="max_tokens can't be 0"):
        scripted("1")("?", int, max_tokens=0)


def test_constraint_of_another_vocabulary() -> None:
    other = tercet.compile(Grammar.regex("a"), hostile_vocabulary())
    with pytest.raises(tercet.TercetError, match="another vocabulary"):
        scripted("1")("?", other)


def test_prompt_longer_than_the_context() -> None:
    model = scripted("2026-11-30")
    model._network.context_size = 12
    assert model.complete("8 bytes.", DATE, max_tokens=50).text == "2026"
    for prompt in ("12 bytes now", "and a few more bytes"):
        with pytest.raises(tercet.TercetError, match="shorten the prompt"):
            model(prompt, DATE)
    with pytest.raises(tercet.TercetError, match="prompt 1"):
        model.batch(["short", "very much longer than that"], DATE)


def test_async() -> None:
    model = scripted("2026-11-30")

    async def ask() -> None:
        assert await model.aio("?", DATE) == "2026-11-30"
        assert (await model.aio.complete("?", DATE)).finish == "stop"
        assert await model.aio.batch(["?"] * 2, DATE) == ["2026-11-30"] * 2
        assert [s.piece async for s in model.aio.stream("?", DATE)] == list("2026-11-30")
        assert await asyncio.gather(*[model.aio("?", DATE) for _ in range(3)]) == ["2026-11-30"] * 3

    asyncio.run(ask())


def test_messages() -> None:
    assert scripted("7")([{"role": "user", "content": "?"}], int) == 7


def test_byte_vocabulary_spells_everything() -> None:
    assert not byte_vocabulary().unspellable
