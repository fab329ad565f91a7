"""Tool calls: every style by an example, the choices, special tokens, and what is refused."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path
from typing import Any, Literal

import pytest

import tercet
from tercet import Call, Grammar, GrammarError, TercetError, UnsupportedSchemaError, Vocabulary
from tercet.engines.select import recognizer
from tercet.frontends.tools.style import guessed, style, styles
from tercet.samplers.closing import Closing
from tests.tokenizers_for_tests import tokenizer_or_skip

EXAMPLES = tomllib.loads(Path(__file__).with_name("tool_calls.toml").read_text(encoding="utf-8"))
MARKED = ("<tool_call>", "</tool_call>", "<other>")


def weather(city: str, unit: Literal["c", "f"] = "c", days: int = 1) -> str:
    return f"{city} {unit} {days}"


def ping() -> str:
    return "pong"


def note(text: str | None, flags: list[bool]) -> tuple[str | None, list[bool]]:
    return text, flags


ALL = {"weather": weather, "ping": ping, "note": note}


def grammar(name: str, **options: Any) -> Grammar[list[Call[Any]]]:
    return Grammar.tools(
        [ALL[tool] for tool in EXAMPLES[name].get("tools", ALL)], style=name, **options
    )


def test_every_style_has_an_example() -> None:
    assert set(EXAMPLES) == set(styles())


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_answer_of_the_family(name: str) -> None:
    found = grammar(name).parse(EXAMPLES[name]["text"])
    wanted = [
        (tool, {key: None if value == "None" else value for key, value in arguments.items()})
        for tool, arguments in EXAMPLES[name]["calls"]
    ]
    assert [(call.name, call.arguments) for call in found] == wanted
    assert all(call() == ALL[call.name](**call.arguments) for call in found)


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_not_a_call(name: str) -> None:
    required = grammar(name, choice="required")
    assert not [text for text in EXAMPLES[name]["not"] if text in required]


@pytest.mark.parametrize("name", EXAMPLES)
def test_free_text_has_no_calls(name: str) -> None:
    text = "Hello, 2 < 3!"
    whole = style(name).answer.replace("$text", text) or text
    assert grammar(name).parse(whole) == []
    assert whole not in grammar(name, choice="required")


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_named_tool_is_called_once(name: str) -> None:
    named = grammar(name, choice="ping")
    for text in walks(named, 5):
        assert named.parse(text) == [Call("ping", {})]


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_walks_write_is_read_back(name: str) -> None:
    required = grammar(name, choice="required")
    found = [required.parse(text) for text in walks(required, 10)]
    assert found
    assert all(found)


def walks(over: Grammar[Any], count: int) -> list[str]:
    """Texts of random walks that ended in time."""
    follow = recognizer(over.language, bytes_of(()))
    found = []
    for seed in range(count):
        rng, state, text = random.Random(seed), follow.start(), b""
        while len(text) < 800 and not follow.is_accepting(state):
            live = follow.live_bytes(state)
            likely = [byte for byte in live if byte in b'abcdefgst_</>{}[]()":,\n'] or live
            byte = ord('"') if ord('"') in live and rng.random() < 0.3 else rng.choice(likely)
            state, text = follow.step(state, byte), text + bytes([byte])
        if follow.is_accepting(state):
            found.append(text.decode())
    return found


def bytes_of(names: tuple[str, ...]) -> Vocabulary:
    """All bytes, EOS, and special tokens from 257 on."""
    tokens = [*(bytes([byte]) for byte in range(256)), b"", *(name.encode() for name in names)]
    return Vocabulary.from_tokens(tokens, eos=256, special=range(257, 257 + len(names)))


def test_special_tokens_are_tokens(engine: str) -> None:
    words = bytes_of(MARKED)
    follow = recognizer(grammar("hermes").language, words, engine=engine)
    state = follow.start()
    for byte in b"Well, <tool_call":
        state = follow.step(state, byte)
    assert follow.advance(state, ord(">")) is None  # not written in letters
    called = follow.advance(state, 257)
    assert called is not None
    assert follow.advance(state, 259) is follow.advance(called, 257) is None
    assert follow.live_bytes(called) == [ord("\n")]
    for byte in b'\n{"name": "ping", "arguments": {}}\n':
        called = follow.advance(called, byte)
    ended = follow.advance(called, 258)
    assert follow.is_accepting(ended)
    assert not follow.is_accepting(called)


def test_a_matcher_writes_their_names() -> None:
    matcher = tercet.compile(grammar("hermes", choice="ping"), bytes_of(MARKED)).matcher()
    assert matcher.forced()[0] == 257
    for token in [257, *b'\n{"name": "ping", "arguments": {}}\n', 258]:
        matcher.advance(token)
    assert matcher.is_finished
    assert grammar("hermes").parse(matcher.text) == [Call("ping", {})]


def test_with_a_real_tokenizer() -> None:
    words = Vocabulary.from_tokenizer_json(tokenizer_or_skip("qwen3"))
    matcher = tercet.compile(grammar("hermes", choice="required"), words).matcher()
    assert matcher.forced()[0] == words.names["<tool_call>"]
    assert words.names["<tool_call>"] not in words.eos


def test_an_answer_closes_with_special_tokens() -> None:
    over = tercet.compile(grammar("kimi_k2", choice="ping"), bytes_of(style("kimi_k2").special))
    closing = Closing(over.matcher(), over.vocabulary)
    assert closing.shortest is not None
    assert closing.shortest < len("<|tool_calls_section_begin|>functions.ping:0{}") + 5


def test_pictures() -> None:
    pytest.importorskip("railroad")
    assert "tool_call" in grammar("hermes").draw()


def test_without_special_tokens_their_names_are_text() -> None:
    words = bytes_of(())
    matcher = tercet.compile(grammar("hermes", choice="ping"), words).matcher()
    assert matcher.accepts(list(b"<tool_call>\n")) == 12


def test_dicts_of_openai() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    wrapped = {"type": "function", "function": {"name": "roll", "parameters": schema}}
    flat = {"type": "function", "name": "toss"}
    over = Grammar.tools([wrapped, flat], choice="required", parallel=False)
    (call,) = over.parse('{"name": "roll", "arguments": {"n": 6}}')
    assert call == Call("roll", {"n": 6})
    with pytest.raises(TercetError, match="no function"):
        call()
    assert Grammar.from_dict(over.to_dict()).parse('{"name": "toss", "arguments": {}}')


def test_one_call_only() -> None:
    twice = EXAMPLES["hermes"]["text"]
    assert twice not in grammar("hermes", parallel=False)


def test_thinking_first() -> None:
    thinking = Grammar.regex(r"(?s:(<think>((?!</think>).)*</think>\n)?)")
    both = thinking >> grammar("hermes", choice="ping")
    call = '<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>'
    assert both.parse("<think>hm</think>\n" + call) == both.parse(call) == [Call("ping", {})]


@pytest.mark.parametrize(("name", "family"), [("qwen3", "hermes"), ("deepseek_v3", "deepseek_v3")])
def test_guessed_from_a_chat_template(name: str, family: str) -> None:
    settings = tokenizer_or_skip(name).with_name("tokenizer_config.json")
    if not settings.is_file():
        pytest.skip("the tokenizer came without its chat template")
    template = json.loads(settings.read_text(encoding="utf-8"))["chat_template"]
    assert guessed(template).name == family


def test_no_template_no_guess() -> None:
    assert guessed("{{ messages }}").name == "json"


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([], {}, "no tools"),
        ([ping, ping], {}, "two tools"),
        ([3], {}, "not a tool"),
        ([{"type": "retrieval"}], {}, "OpenAI"),
        ([{"name": "a b"}], {}, "can't be called"),
        ([ping], {"choice": "pong"}, "no tool 'pong'"),
        ([ping], {"style": "hermit"}, "no style"),
        ([lambda *rest: None], {}, "takes"),
    ],
)
def test_refusals(given: list[Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises((GrammarError, TercetError), match=message):
        Grammar.tools(given, **options)


def test_arguments_that_a_style_can_t_write() -> None:
    schema = {"type": "object", "patternProperties": {"^x": {"type": "integer"}}}
    tool = {"name": "f", "parameters": schema}
    assert Grammar.tools([tool], style="hermes")
    with pytest.raises(UnsupportedSchemaError) as caught:
        Grammar.tools([tool], style="qwen3_coder")
    assert caught.value.keyword == "patternProperties"
    with pytest.raises(UnsupportedSchemaError, match="note"):
        Grammar.tools(
            [{"name": "note", "parameters": {"type": "object", "required": ["x"]}}], style="glm45"
        )
