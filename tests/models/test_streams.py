"""Answers while they are written: closed parts, cancelling, batches that stay full."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import pytest

from tercet import Grammar, OutputTruncatedError, TercetError, samplers
from tercet.models.model import Model
from tercet.testing import scripted
from tercet.values.closed import ClosedValues
from tercet.values.parts import part_type
from tests.models.toys import Toy, constraint

PROMPT = 'Say {"kind":"north","tags":["ab","a"]} or the like.'


@dataclass
class Town:
    name: str
    size: int | None


@dataclass
class Trip:
    towns: list[Town]
    note: str


ANSWER = '{"towns": [{"name": "Oslo", "size": 7}, {"name": "B\\"é", "size": null}], "note": ""}'


def test_parts_come_typed_and_as_soon_as_they_are_closed() -> None:
    stream = scripted(ANSWER).stream("Where to?", Trip)
    found, texts = [], []
    for pointer, value in stream.fields():
        found.append((pointer, value))
        texts.append(stream._run.rows[0].matcher.text.decode())
    assert found == [
        ("/towns/0/name", "Oslo"),
        ("/towns/0/size", 7),
        ("/towns/0", Town("Oslo", 7)),
        ("/towns/1/name", 'B"é'),
        ("/towns/1/size", None),
        ("/towns/1", Town('B"é', None)),
        ("/towns", [Town("Oslo", 7), Town('B"é', None)]),
        ("/note", ""),
    ]
    assert texts[0] == '{"towns": [{"name": "Oslo"'
    assert stream.result() == Trip([Town("Oslo", 7), Town('B"é', None)], "")


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        '  [1, -2.5e+3, true, null, "\\\\", [], {}, [[{"a/b~": {"": [0]}}]]] ',
        '{"a": {"a": {"a": "\\u0041\\n"}}}',
        "17",
        '"x"',
    ],
)
def test_closed_values_in_pieces_of_any_size(text: str, size: int) -> None:
    values = ClosedValues()
    found = [v for i in range(0, len(text), size) for v in values.feed(text[i : i + size])]
    found += values.finish()
    assert found[-1] == ("", json.loads(text))
    for pointer, value in found:
        part: Any = json.loads(text)
        for key in pointer.split("/")[1:]:
            key = key.replace("~1", "/").replace("~0", "~")
            part = part[int(key) if isinstance(part, list) else key]
        assert part == value


def test_parts_of_what_is_no_json() -> None:
    with pytest.raises(TercetError, match="isn't JSON"):
        list(scripted("no way").stream("?", Grammar.regex("no way")).fields())


def test_part_types() -> None:
    assert part_type(Trip, "/towns/3/size") == int | None
    assert part_type(Trip | None, "/note") is str
    assert part_type(tuple[int, str], "/1") is str
    assert part_type(tuple[int, ...], "/5") is int
    assert part_type(int | str, "/a") is Any
    assert part_type(list, "/0") is Any


def test_cancelled() -> None:
    stream = scripted("2026-11-30").stream("?", Grammar.regex(r"\d{4}-\d\d-\d\d"))
    assert next(iter(stream)).text == "2"
    stream.cancel()
    answer = stream.complete()
    assert (answer.text, answer.finish) == ("2", "cancelled")
    with pytest.raises(OutputTruncatedError, match="cancelled after 1 tokens"):
        answer.value
    stream = scripted("20").stream("?", int)
    stream.cancel()
    assert stream.complete().tokens == []


def test_a_cancelled_task_stops_the_model() -> None:
    class Slow(Toy):
        def open(self, *given: Any) -> Any:
            session = super().open(*given)
            plain = session.extend

            def extend(blocks: Any) -> None:
                asyncio.run_coroutine_threadsafe(asyncio.sleep(0.05), loop).result()
                plain(blocks)

            session.extend = extend  # type: ignore[method-assign]
            return session

    async def main() -> None:
        nonlocal loop
        loop = asyncio.get_running_loop()
        toy = Slow(1)
        spec = Grammar.regex("[a-z]*x{200}")
        for call in (
            Model(toy).aio(PROMPT, spec, max_tokens=400),
            Model(toy).aio.batch([PROMPT], spec, max_tokens=400),
        ):
            task = asyncio.create_task(call)
            await asyncio.sleep(0.4)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.sleep(0.2)
            before = toy.forwards
            await asyncio.sleep(0.3)
            assert toy.forwards == before

    loop: Any = None
    asyncio.run(main())


@pytest.mark.parametrize("make", [samplers.masked, samplers.speculative])
def test_a_batch_stays_full(make: Any) -> None:
    """Rows take the places of those that have ended: the same answers in fewer steps."""
    prompts = [PROMPT + "ab" * (i % 3) for i in range(12)]
    options: dict[str, Any] = {"temperature": 1.0, "seed": 5}
    alone, full, waves = Toy(3), Toy(3), _Closed(3)
    expected = Model(alone).batch(prompts, constraint(), batch_size=1, sampler=make(**options))
    assert Model(full).batch(prompts, constraint(), batch_size=4, sampler=make(**options)) == (
        expected
    )
    assert Model(waves).batch(prompts, constraint(), batch_size=4, sampler=make(**options)) == (
        expected
    )
    assert full.forwards < alone.forwards / 2


class _Closed(Toy):
    """Takes nobody in."""

    def open(self, *given: Any) -> Any:
        session = super().open(*given)
        session.joins = False
        return session


def test_wanted_and_allowed(tmp_path: Any) -> None:
    answer = Model(Toy(1)).complete(PROMPT, constraint(), max_tokens=60)
    wanted = answer.explain()
    page = wanted.to_html(tmp_path / "answer.html")
    assert page == (tmp_path / "answer.html").read_text(encoding="utf-8")
    assert page.count("<tr>") == len(answer.scores) + 1
    assert "<s><code>" in page
    assert "&quot;" in page
    assert len(str(wanted).splitlines()) == len(answer.scores) + 1


def test_samples_of_one_prompt() -> None:
    model = Model(Toy(2, spread=0.5))
    answers = model.samples(PROMPT, constraint(), 6, temperature=1.0, seed=3)
    assert len(answers) == 6
    assert len({json.dumps(answer) for answer in answers}) > 2
    assert answers == model.samples(PROMPT, constraint(), 6, temperature=1.0, seed=3)
    assert len(model.samples(PROMPT, constraint(), 1)) == 1
    with pytest.raises(TercetError, match="all the same"):
        model.samples(PROMPT, constraint(), 2)
    with pytest.raises(TercetError, match="all the same"):
        model.samples(PROMPT, constraint(), 2, sampler=samplers.masked())
