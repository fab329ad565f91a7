"""Small automata as SVG: states in columns by their distance from the start, edges with labels.

Nobody's layout but ours: a state's column is the least number of characters that lead to it, so
most edges go to the next column; loops and edges back are arcs above.
"""

from __future__ import annotations

from html import escape

from tercet.automata.chardfa import CharDFA
from tercet.drawing.labels import chars_label

_ACROSS, _DOWN, _RADIUS = 150, 90, 18
_STYLE = (
    "circle{fill:#eef6ee;stroke:#222;stroke-width:2}path{fill:none;stroke:#222;stroke-width:1.5}"
    "text{font:13px monospace;text-anchor:middle}.on{stroke:none;fill:#222}"
)

Place = tuple[float, float]


def automaton_svg(dfa: CharDFA) -> str:
    """The picture of an automaton; accepting states have a double ring.

    >>> from tercet.automata.parse import parse
    >>> from tercet.automata.chardfa import compile_regex
    >>> automaton_svg(compile_regex(parse("ab"))).count("<circle")
    4
    """
    places = _places(dfa)
    parts = [_arrow((0, places[0][1]), (places[0][0] - _RADIUS, places[0][1]))]
    for state, moves in enumerate(dfa.table):
        for charset, target in moves:
            parts.append(_edge(places[state], places[target], chars_label(charset)))
    for state, (x, y) in enumerate(places):
        rings = [_RADIUS, _RADIUS - 4] if dfa.accept[state] else [_RADIUS]
        parts += [f'<circle cx="{x:g}" cy="{y:g}" r="{ring}"/>' for ring in rings]
        parts.append(f'<text x="{x:g}" y="{y + 5:g}">{state}</text>')
    width = max(x for x, _ in places) + _ACROSS / 2
    height = max(y for _, y in places) + _DOWN
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    marker = (
        '<defs><marker id="on" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path class="on" d="M0 0L8 4L0 8z"/></marker></defs>'
    )
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{_STYLE}</style>{marker}'
    return start + "".join(parts) + "</svg>"


def _places(dfa: CharDFA) -> list[Place]:
    """The middle of each state, column by column."""
    columns, distance = [[0]], {0: 0}
    for column in columns:  # grows while it is read
        after = [target for state in column for _, target in dfa.table[state]]
        new = [state for state in dict.fromkeys(after) if state not in distance]
        distance |= dict.fromkeys(new, len(columns))
        if new:
            columns.append(new)
    tallest = max(map(len, columns))
    places: dict[int, Place] = {}
    for number, column in enumerate(columns):
        top = _DOWN + (tallest - len(column)) * _DOWN / 2
        for row, state in enumerate(column):
            places[state] = 70 + number * _ACROSS, top + row * _DOWN
    return [places[state] for state in range(len(dfa.rows))]


def _edge(source: Place, target: Place, label: str) -> str:
    (x, y), (to_x, to_y) = source, target
    if source == target:
        top = y - _RADIUS
        over = f"C{x - 30:g} {top - 36:g} {x + 30:g} {top - 36:g}"
        path = f"M{x - 8:g} {top + 2:g}{over} {x + 8:g} {top + 2:g}"
        return _path(path) + _text(x, top - 32, label)
    if to_x - x == _ACROSS:
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        cut_x, cut_y = (to_x - x) * _RADIUS / length, (to_y - y) * _RADIUS / length
        line = _arrow((x + cut_x, y + cut_y), (to_x - cut_x, to_y - cut_y))
        return line + _text((x + to_x) / 2, (y + to_y) / 2 - 6, label)
    lift = 30 + abs(to_x - x) / 6
    top = min(y, to_y) - _RADIUS - lift
    middle = (x + to_x) / 2
    path = f"M{x:g} {y - _RADIUS:g}Q{middle:g} {top - lift / 2:g} {to_x:g} {to_y - _RADIUS:g}"
    return _path(path) + _text(middle, top + lift / 4, label)


def _arrow(source: Place, target: Place) -> str:
    return _path(f"M{source[0]:g} {source[1]:g}L{target[0]:g} {target[1]:g}")


def _path(path: str) -> str:
    return f'<path d="{path}" marker-end="url(#on)"/>'


def _text(x: float, y: float, label: str) -> str:
    return f'<text x="{x:g}" y="{y:g}">{escape(label)}</text>'
