"""Rules as railroad diagrams: what can be read from left to right along the tracks.

The tracks are those of the package railroad-diagrams; this file says what each node is. Each rule
is a diagram of its own, one below the other.
"""

from __future__ import annotations

from html import escape
from itertools import islice
from typing import Any

from tercet.automata.corpus import Corpus
from tercet.automata.regex import Chars
from tercet.automata.regex import Repeat as RegexRepeat
from tercet.drawing.labels import regex_label, visible
from tercet.errors import TercetError
from tercet.grammar.nodes import (
    EMPTY,
    Choice,
    Composite,
    Language,
    Lexed,
    Lexeme,
    Literal,
    Marker,
    Node,
    Noted,
    Repeat,
    Rule,
    Scope,
    Sequence,
    Terminal,
    Unseen,
    Words,
)

_MOST_RULES = 60
_MOST_PARTS = 12
_TITLE = 28  # pixels above each diagram


def railroad_svg(language: Language) -> str:
    """The root and the rules that it reaches, at most 60 of them."""
    railroad = _package()
    diagrams: list[tuple[str, Any]] = []
    waiting, seen = [("", language.root)], {""}
    for name, node in waiting:  # grows while it is read
        drawer = _Drawer(railroad)
        diagrams.append((name, railroad.Diagram(drawer.track(node))))
        for rule in drawer.rules:
            if rule not in seen and len(seen) < _MOST_RULES:
                seen.add(rule)
                waiting.append((rule, language.rules[rule]))
    return _stacked(diagrams, railroad.DEFAULT_STYLE)


def _package() -> Any:
    try:
        import railroad
    except ImportError:
        raise TercetError(
            "railroad diagrams need the package railroad-diagrams",
            hint="pip install 'tercet[draw]'",
        ) from None
    return railroad


def _stacked(diagrams: list[tuple[str, Any]], style: str) -> str:
    """One picture of all diagrams, each below its name."""
    parts, top, width = [], 0.0, 0.0
    for name, diagram in diagrams:
        written: list[str] = []
        diagram.format(20).writeSvg(written.append)
        if name:
            parts.append(
                f'<text x="20" y="{top + 20:g}" class="name">{escape(visible(name))}</text>'
            )
            top += _TITLE
        parts.append(f'<g transform="translate(0 {top:g})">{"".join(written)}</g>')
        top += float(diagram.attrs["height"])
        width = max(width, float(diagram.attrs["width"]))
    rules = style + "text.name { font: bold 14px sans-serif; }"
    size = f'width="{width:g}" height="{top:g}" viewBox="0 0 {width:g} {top:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
        f"<style>{escape(rules, quote=False)}</style>{''.join(parts)}</svg>"
    )


class _Drawer:
    """Tracks of one rule; `rules` are those that it names."""

    def __init__(self, railroad: Any) -> None:
        self._railroad = railroad
        self.rules: dict[str, None] = {}

    def track(self, node: Node, depth: int = 40) -> Any:
        """The track of a node."""
        make = self._railroad
        if depth == 0:
            return make.Comment("…")
        match node:
            case Literal(data=data):
                return make.Terminal(visible(data.decode(errors="replace")))
            case Marker(name=name):
                return make.Terminal(visible(name))
            case Words():
                return self._words(node)
            case Terminal():
                return make.Terminal(_terminal_label(node))
            case Sequence(parts=parts):
                return self._sequence(parts, depth)
            case Choice(options=options):
                return self._choice(options, depth)
            case Repeat(body=body, min=least, max=most):
                return self._repeat(self.track(body, depth - 1), least, most)
            case Scope(body=body) | Composite(body=body):
                return make.Group(self.track(body, depth - 1), "all different")
            case Unseen(terminal=terminal) | Noted(terminal=terminal):
                return self.track(terminal, depth - 1)
            case Lexed(body=body):
                return self.track(body, depth - 1)
            case Lexeme(name=name):
                return make.NonTerminal(visible(name))
            case Rule(name=name):
                self.rules[name] = None
                return make.NonTerminal(visible(name))
        raise TypeError(f"not a node of the grammar: {node!r}")

    def _words(self, node: Words) -> Any:
        make = self._railroad
        if isinstance(node.options, Corpus):
            text, unit = node.options.text, node.options.unit
            return make.Terminal(f"{unit}s of a text of {len(text):,} characters")
        first = list(islice(node.options, _MOST_PARTS))
        tracks = [make.Terminal(visible(word.decode(errors="replace"))) for word in first]
        return make.Choice(0, *tracks, *self._more(len(node.options) - len(first)))

    def _more(self, count: int) -> list[Any]:
        return [self._railroad.Comment(f"{count:,} more")] if count > 0 else []

    def _sequence(self, parts: tuple[Node, ...], depth: int) -> Any:
        make = self._railroad
        if not parts:
            return make.Skip()
        tracks = [self.track(part, depth - 1) for part in parts[:_MOST_PARTS]]
        return make.Sequence(*tracks, *self._more(len(parts) - _MOST_PARTS))

    def _choice(self, options: tuple[Node, ...], depth: int) -> Any:
        make = self._railroad
        some = [option for option in options if option is not EMPTY]
        tracks = [self.track(option, depth - 1) for option in some[:_MOST_PARTS]]
        tracks += self._more(len(some) - _MOST_PARTS)
        whole = make.Choice(0, *tracks) if len(tracks) != 1 else tracks[0]
        return make.Optional(whole) if len(some) < len(options) else whole

    def _repeat(self, body: Any, least: int, most: int | None) -> Any:
        make = self._railroad
        if (least, most) == (0, 1):
            return make.Optional(body)
        if most is None and least <= 1:
            return make.OneOrMore(body) if least else make.ZeroOrMore(body)
        times = f"{least}" if least == most else f"{least} to {most}"
        comment = make.Comment(f"{least} or more" if most is None else f"{times} times")
        return make.OneOrMore(body, comment) if least else make.ZeroOrMore(body, comment)


def _terminal_label(node: Terminal) -> str:
    regex, least, most = node.regex, node.min_chars, node.max_chars
    if (least, most) == (0, None):
        return regex_label(regex)
    if isinstance(regex, RegexRepeat) and isinstance(regex.body, Chars):
        return regex_label(RegexRepeat(regex.body, least, most))
    if most is None:
        return f"{regex_label(regex)} of {least} or more characters"
    return f"{regex_label(regex)} of {least} to {most} characters"
