"""What a model wanted at each token, and what it was allowed: as text and as HTML.

Pictures of figures that are computed elsewhere (`samplers.scored`). Where the feasible mass is
small, the grammar fights the model: a hint to say in the prompt what is expected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import exp
from os import PathLike
from pathlib import Path

from tercet.samplers.scored import Scored
from tercet.vocabulary.vocabulary import Vocabulary

_STYLE = """
body { font: 15px/1.6 system-ui, sans-serif; margin: 2em; max-width: 60em; }
.text { font-family: ui-monospace, monospace; white-space: pre-wrap; }
.text span { border-radius: 3px; }
table { border-collapse: collapse; margin-top: 1.5em; }
td, th { padding: 2px 12px 2px 0; text-align: left; vertical-align: top; }
td { border-top: 1px solid #ddd; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
code { white-space: pre; }
s { color: #b00; }
"""


@dataclass(frozen=True)
class Wanted:
    """The steps of an answer; `str` is a table for a terminal, `to_html` a page.

    >>> from tercet.testing import scripted
    >>> print(scripted("no").complete("Well?", bool).explain())
    token  probability  allowed  wanted
    f            0.000    0.000  n
    a            0.000    0.000  n
    l            0.000    0.000  n
    s            0.000    0.000  n
    e            0.000    0.000  n
    """

    vocabulary: Vocabulary
    steps: Sequence[Scored]

    def __str__(self) -> str:
        rows = [("token", "probability", "allowed", "wanted")]
        for step in self.steps:
            figures = f"{exp(step.logprob):.3f}", f"{step.mass:.3f}"
            rows.append((self.name(step.token), *figures, self._missed(step)))
        width = max(len(row[0]) for row in rows)
        return "\n".join(
            f"{name:{width}}  {own:>11}  {mass:>7}  {wanted}".rstrip()
            for name, own, mass, wanted in rows
        )

    def _missed(self, step: Scored) -> str:
        """What it would rather have written, if that wasn't allowed."""
        token, _, allowed = step.wanted[0]
        return "" if allowed else self.name(token)

    def name(self, token: int) -> str:
        """The text of a token in one line, or what it is."""
        data = self.vocabulary.tokens[token]
        if not data:
            return "<end>" if token in self.vocabulary.eos else f"<{token}>"
        text = data.decode(errors="backslashreplace")
        return "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """Return a page that shows, for each token, what the model wanted and what was allowed.

        The colour of a token says how much the grammar had to take away. With `path` the page is
        written there too.
        """
        page = (
            "<!doctype html><meta charset=utf-8><title>Wanted and allowed</title>"
            f"<style>{_STYLE}</style><div class=text>{''.join(map(self._span, self.steps))}</div>"
            "<table><tr><th>token<th>probability<th>allowed mass<th>choices<th>wanted</tr>"
            f"{''.join(map(self._row, self.steps))}</table>"
        )
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def _span(self, step: Scored) -> str:
        data = self.vocabulary.tokens[step.token]
        text = escape(data.decode(errors="replace")) if data else ""
        title = f"{step.mass:.1%} of what the model wanted was allowed"
        return f'<span title="{title}" style="background: {_colour(step.mass)}">{text}</span>'

    def _row(self, step: Scored) -> str:
        wanted = ", ".join(
            f"{_code(self.name(token), allowed=allowed)} {exp(logprob):.1%}"
            for token, logprob, allowed in step.wanted
        )
        return (
            f"<tr><td>{_code(self.name(step.token), allowed=True)}"
            f"<td class=number>{exp(step.logprob):.1%}<td class=number>{step.mass:.1%}"
            f"<td class=number>{step.choices}<td>{wanted}</tr>"
        )


def _code(text: str, *, allowed: bool) -> str:
    code = f"<code>{escape(text)}</code>"
    return code if allowed else f"<s>{code}</s>"


def _colour(mass: float) -> str:
    """White where all was allowed, red where nearly nothing was."""
    return f"hsl(0 80% {100 - 35 * (1 - mass):.0f}%)"
