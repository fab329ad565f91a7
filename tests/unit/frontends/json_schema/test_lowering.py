"""What the languages of schemas are: order, whitespace, size, laziness."""

import itertools
import json

import pytest

from tercet.engines.select import recognizer
from tercet.errors import GrammarError
from tercet.frontends.json_schema import lowering
from tercet.frontends.json_schema.compiler import lower
from tercet.frontends.json_schema.options import JsonOptions
from tercet.grammar.nodes import Language, Literal, Repeat, Terminal, Words
from tests.unit.frontends.texts import all_rules, byte_tokens, texts

THREE = {
    "type": "object",
    "properties": {"a": {"const": 1}, "b": {"const": 2}, "c": {"const": 3}},
    "required": ["b"],
    "additionalProperties": False,
}


def test_members_come_in_declared_order_each_at_most_once():
    found = texts(THREE, whitespace="compact")
    names = [n for k in range(4) for n in itertools.product("abc", repeat=k)]
    accepted = [n for n in names if compact(n) in found]
    assert accepted == [("b",), ("a", "b"), ("b", "c"), ("a", "b", "c")]


def compact(names):
    return "{" + ",".join(f'"{name}":{ord(name) - ord("a") + 1}' for name in names) + "}"


def test_then_required_names_then_others():
    schema = {"type": "object", "properties": {"b": True}, "required": ["z", "b", "y"]}
    found = texts(schema, whitespace="compact")
    assert '{"b":1,"z":1,"y":1,"a":1,"a":2}' in found
    assert '{"z":1,"b":1,"y":1}' not in found
    assert '{"b":1,"z":1,"y":1,"b":1}' not in found
    assert '{"b":1,"z":1}' not in found


def test_merged_objects_keep_the_order_of_the_text():
    first = {"properties": {"a": {}}, "required": ["a"]}
    second = {"properties": {"b": {}}, "required": ["b"]}
    rest = {"type": "object", "additionalProperties": {}}
    before = texts({"allOf": [second], **first, **rest}, whitespace="compact")
    after = texts({**first, "allOf": [second], **rest}, whitespace="compact")
    assert '{"b":1,"a":1}' in before
    assert '{"a":1,"b":1}' in after


@pytest.mark.parametrize(
    ("policy", "good", "bad"),
    [
        ("compact", ['{"a":[1,2],"b":{}}'], ['{"a": [1,2],"b":{}}', '{"a":[1,2],"b":{ }}']),
        (
            "spaced",
            ['{"a": [1, 2], "b": {}}'],
            ['{"a":[1], "b": {}}', '{"a": [1 ], "b": {}}'],
        ),
        ("any", ['\t{\r\n"a" :\t[ 1 ,2 ] ,"b":{ } } '], ['{"a"\v:[],"b":{}}']),
        (
            "[ ]?",
            ['{ "a" : [ 1 , 2 ] , "b" : { } }', '{"a":[],"b":{}}'],
            [' {"a":[],"b":{}}', '{"a":  []}'],
        ),
        (
            "bounded",
            ['{"a" :[ 1, 2 ], "b": { } }', json.dumps({"a": [1, 2], "b": {}}, indent=4)],
            [' {"a":[],"b":{}}', '{"a":  [],"b":{}}', '{"a":[\n' + 41 * " " + '],"b":{}}'],
        ),
    ],
)
def test_whitespace(policy, good, bad):
    schema = {
        "properties": {"a": {"type": "array"}, "b": {"type": "object"}},
        "required": ["a", "b"],
        "type": "object",
    }
    found = texts(schema, whitespace=policy)
    assert [text for text in good if text not in found] == []
    assert [text for text in bad if text in found] == []


@pytest.mark.parametrize("policy", ["a", "[ a]?", "(", r"(a)\1"])
def test_whitespace_has_to_be_whitespace(policy):
    with pytest.raises(GrammarError):
        lower({}, JsonOptions(whitespace=policy))


def test_size_is_linear_in_the_members():
    def size(count):
        properties = {f"p{number}": {"type": "null"} for number in range(count)}
        return len(all_rules(lower({"type": "object", "properties": properties}).language))

    assert size(400) - size(200) == size(300) - size(100) == 200


CHAINS = {
    "optional and required": THREE,
    "optional": {**THREE, "required": []},
    "required": {**THREE, "required": ["a", "b", "c"]},
    "last": {**THREE, "required": ["c"]},
    "more than a rule writes": {
        "type": "object",
        "properties": {f"{number}": {"const": 1} for number in range(9)},
        "required": [*"0123468"],
        "additionalProperties": False,
    },
    "required but not declared": {**THREE, "required": ["d"], "additionalProperties": {"const": 4}},
    "impossible members": {**THREE, "properties": {**THREE["properties"], "a": False, "c": False}},
    "an impossible one is last": {**THREE, "properties": {**THREE["properties"], "z": False}},
    "only impossible ones": {"type": "object", "properties": {"a": False}},
    "open": {"type": "object", "properties": {"a": {"const": 1}}, "additionalProperties": {}},
    "no member": {"type": "object"},
    "nothing": {"type": "object", "additionalProperties": False},
}


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("policy", ["compact", "spaced"])
def test_chains_are_what_states_would_write(name, policy, monkeypatch):
    options = JsonOptions(whitespace=policy)
    chain = lower(CHAINS[name], options).language
    with monkeypatch.context() as patch:
        patch.setattr(lowering, "is_chain", lambda _: False)
        states = lower(CHAINS[name], options).language
        all_rules(states)
    assert differing(chain, states) is None


def differing(one: Language, other: Language) -> bytes | None:
    """A text after which two languages go on differently; bytes of strings stand for each other."""
    automata = [recognizer(language, byte_tokens()) for language in (one, other)]
    todo = [(tuple(a.start() for a in automata), b"")]
    seen = {todo[0][0]}
    while todo:
        states, text = todo.pop(0)
        facts = [
            (a.is_accepting(s), sorted(a.live_bytes(s)))
            for a, s in zip(automata, states, strict=True)
        ]
        if facts[0] != facts[1]:
            return text
        for byte in set(facts[0][1]) & set(b'{}[]",: 0123456789abcdz'):
            after = tuple(a.step(s, byte) for a, s in zip(automata, states, strict=True))
            if after not in seen and len(seen) < 1500:
                seen.add(after)
                todo.append((after, text + bytes([byte])))
    return None


def test_a_chain_without_what_it_needs_is_nothing():
    schema = {"properties": {"a": False, "b": {}}, "required": ["a"], "type": ["object", "null"]}
    assert differing(lower(schema).language, lower({"type": "null"}).language) is None


def test_counts_are_not_unrolled():
    schema = {"type": "array", "items": {"type": "null"}, "minItems": 1000, "maxItems": 2000}
    language = lower(schema, JsonOptions(whitespace="compact")).language
    nodes = [part for rule in all_rules(language).values() for part in getattr(rule, "parts", [])]
    assert [(n.min, n.max) for n in nodes if isinstance(n, Repeat)] == [(999, 1999)]
    (_, inside, _) = lower({"type": "string", "maxLength": 10**5}).language.rules["#"].parts
    assert (inside.min_chars, inside.max_chars) == (0, 10**5)


def test_rules_are_written_when_they_are_read():
    schema = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}}}}
    rules = lower(schema).language.rules
    rules["#"]
    assert not [name for name in rules if "/a" in name and "/b" in name]


def test_one_rule_for_every_free_value():
    schema = {
        "type": "array",
        "prefixItems": [{}, True, {"title": "x"}, {"$ref": "#/prefixItems/0"}],
    }
    assert sum("any value" in name for name in all_rules(lower(schema).language)) < 6


def test_a_reference_is_the_rule_it_leads_to():
    schema = {"$defs": {"a": {"type": "array"}}, "items": {"$ref": "#/$defs/a"}, "type": "array"}
    assert {"#", "#/$defs/a"} <= set(all_rules(lower(schema).language))
    assert "#/items" not in all_rules(lower(schema).language)


def test_scalars_are_leaves():
    schema = {"enum": ["b", "a", 1, 1.5, None, True]}
    null, true, numbers, strings = lower(schema).language.rules["#"].options
    assert null == Literal(b"null")
    assert true == Literal(b"true")
    assert numbers == Words((b"1", b"1.5"))
    assert strings == Words((b'"a"', b'"b"'))


def test_keys_that_are_declared_are_no_other_keys():
    rules = all_rules(lower({"type": "object", "properties": {"a": False, "b": {}}}).language)
    excluded = [part.exclude for rule in rules.values() for part in leaves(rule)]
    assert ("a", "b") in excluded


def leaves(node):
    if isinstance(node, Terminal):
        yield node
    for child in (*getattr(node, "parts", ()), *getattr(node, "options", ())):
        yield from leaves(child) if not isinstance(child, bytes) else ()


def test_unions_of_unions_and_intersections():
    schema = {
        "anyOf": [{"minimum": 10}, {"anyOf": [{"maximum": 1}, {"type": "null"}]}],
        "allOf": [{"type": ["integer", "null"]}, {"anyOf": [{"minimum": 0}, {"type": "null"}]}],
    }
    found = texts(schema)
    assert [n for n in range(-3, 14) if str(n) in found] == [0, 1, 10, 11, 12, 13]
    assert "null" in found


def test_recursive_intersections_end():
    tree = {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/t"}}},
    }
    named = {"properties": {"kids": {"items": {"$ref": "#"}}, "name": {"type": "string"}}}
    schema = {"$defs": {"t": tree}, "allOf": [{"$ref": "#/$defs/t"}, named], "required": ["name"]}
    found = texts(schema, whitespace="compact")
    assert '{"kids":[{"kids":[],"name":"b"}],"name":"a"}' in found
    assert '{"kids":[{"kids":[]}],"name":"a"}' not in found
    assert len(all_rules(lower(schema).language)) < 60


def test_what_has_no_instance_is_left_out():
    endless = {"type": "object", "properties": {"n": {"$ref": "#/$defs/e"}}, "required": ["n"]}
    schema = {
        "$defs": {"e": endless},
        "anyOf": [
            {"$ref": "#/$defs/e"},
            {"type": "array", "prefixItems": [{}, {"$ref": "#/$defs/e"}]},
        ],
    }
    found = texts(schema, whitespace="compact")
    assert [t for t in ("[]", "[1]", "[1,2]", "{", '{"n":{}}') if t in found] == ["[]", "[1]"]
