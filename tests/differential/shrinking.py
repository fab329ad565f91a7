"""Makes a failing language and vocabulary small: what is left is the bug report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tercet.automata import regex as rx
from tercet.grammar import nodes as g
from tercet.vocabulary.vocabulary import Vocabulary

Fails = Callable[[g.Language, Vocabulary], bool]


def shrink(language: g.Language, words: Vocabulary, fails: Fails) -> tuple[g.Language, Vocabulary]:
    """The smallest situation found that still fails, by taking away one thing at a time."""
    while True:
        for smaller in (*_smaller_languages(language), *_smaller_vocabularies(words)):
            tried = smaller if isinstance(smaller, g.Language) else language
            tokens = smaller if isinstance(smaller, Vocabulary) else words
            if fails(tried, tokens):
                language, words = tried, tokens
                break
        else:
            return language, words


def _smaller_vocabularies(words: Vocabulary) -> Iterator[Vocabulary]:
    eos = min(words.eos)
    for token, data in enumerate(words.tokens):
        if token != eos and (len(data) > 1 or not data):
            tokens = words.tokens[:token] + words.tokens[token + 1 :]
            yield Vocabulary.from_tokens(tokens, eos=eos - (token < eos))


def _smaller_languages(language: g.Language) -> Iterator[g.Language]:
    for root in _smaller(language.root, dict(language.rules)):
        yield g.Language(root, language.rules)
    for name, node in language.rules.items():
        for smaller in _smaller(node, {}):
            yield g.Language(language.root, {**language.rules, name: smaller})


def _smaller(node: g.Node, rules: dict[str, g.Node]) -> Iterator[g.Node]:
    match node:
        case g.Literal(data=data) if len(data) > 1:
            yield from (g.lit(data[:1]), g.lit(data[1:]))
        case g.Words(options=options):
            yield from (g.words(options[:i] + options[i + 1 :]) for i in range(len(options)))
        case g.Sequence(parts=parts):
            yield from parts
            yield from (g.seq(*some) for some in _one_smaller(parts, rules))
        case g.Choice(options=options):
            yield from options
            yield from (g.alt(*some) for some in _one_smaller(options, rules))
        case g.Repeat(body=body, min=least, max=most):
            yield body
            yield from (g.rep(smaller, least, most) for smaller in _smaller(body, rules))
            yield from (g.rep(body, *bounds) for bounds in _bounds(least, most))
        case g.Composite(body=body, kind=kind, is_new=is_new):
            yield from (g.Composite(some, kind, is_new) for some in _smaller(body, rules))
        case g.Rule(name=name):
            yield from [rules[name]] if name in rules else []
        case g.Scope(body=body):  # an Unseen needs its scope
            yield from map(g.Scope, _smaller(body, rules))
        case g.Unseen(terminal=terminal):
            yield terminal
        case g.Terminal():
            yield from _smaller_terminals(node)


def _one_smaller(parts: tuple[g.Node, ...], rules: dict[str, g.Node]) -> Iterator[list[g.Node]]:
    for i, part in enumerate(parts):
        yield [*parts[:i], *parts[i + 1 :]]
        for smaller in _smaller(part, rules):
            yield [*parts[:i], smaller, *parts[i + 1 :]]


def _bounds(least: int, most: int | None) -> Iterator[tuple[int, int | None]]:
    if least:
        yield least - 1, most
    if most is not None and most > max(least, 1):
        yield least, most - 1
        yield least, None


def _smaller_terminals(node: g.Terminal) -> Iterator[g.Node]:
    rest: tuple[Any, ...] = (node.min_chars, node.max_chars)
    if node.encoding == "json":
        yield g.term(node.regex, "utf8", *rest, node.exclude)
    for bounds in _bounds(*rest):
        yield g.term(node.regex, node.encoding, *bounds, node.exclude)
    for i in range(len(node.exclude)):
        shorter = node.exclude[:i] + node.exclude[i + 1 :]
        yield g.term(node.regex, node.encoding, *rest, shorter)
    if not node.exclude:
        for regex in _smaller_regexes(node.regex):
            yield g.term(regex, node.encoding, *rest)


def _smaller_regexes(regex: rx.Regex) -> Iterator[rx.Regex]:
    yield from regex.children
    match regex:
        case rx.Chars(charset=charset) if len(charset.ranges) > 1:
            yield from (rx.Chars(type(charset)([span])) for span in charset.ranges)
        case rx.Concat(parts=parts):
            yield from (rx.concat(*some) for some in _one_regex_smaller(parts))
        case rx.Union(options=options):
            yield from (rx.union(*some) for some in _one_regex_smaller(options))
        case rx.And(parts=parts):
            yield from (rx.both(*some) for some in _one_regex_smaller(parts))
        case rx.Repeat(body=body, min=least, max=most):
            yield from (rx.repeat(smaller, least, most) for smaller in _smaller_regexes(body))
            yield from (rx.repeat(body, *bounds) for bounds in _bounds(least, most))
        case rx.Not(body=body):
            yield from map(rx.negate, _smaller_regexes(body))


def _one_regex_smaller(parts: tuple[rx.Regex, ...]) -> Iterator[list[rx.Regex]]:
    for i, part in enumerate(parts):
        yield [*parts[:i], *parts[i + 1 :]]
        for smaller in _smaller_regexes(part):
            yield [*parts[:i], smaller, *parts[i + 1 :]]
