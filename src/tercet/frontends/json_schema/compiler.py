"""JSON Schema in, language out: the steps in their order, and nothing else.

Reading refuses and warns, the canonical form intersects, productivity prunes, lowering writes. Only
the first and whatever decides that there is an instance run now; the rest runs when an engine gets
there.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from tercet.collecting import uncollected
from tercet.errors import TercetError, TercetWarning
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.explaining import Explanation
from tercet.frontends.json_schema.keywords import KEYWORDS
from tercet.frontends.json_schema.lowering import Lowering
from tercet.frontends.json_schema.options import JsonOptions
from tercet.frontends.json_schema.overlaps import Overlaps
from tercet.frontends.json_schema.place import Document
from tercet.frontends.json_schema.productive import Productive
from tercet.frontends.json_schema.reading import Reader
from tercet.frontends.json_schema.report import Report
from tercet.frontends.json_schema.resources import checked
from tercet.frontends.json_schema.whitespace import whitespace
from tercet.frontends.json_schema.working_out import work_out
from tercet.grammar.nodes import Language

_DEFAULTS = JsonOptions()
NO_RESOURCES: Mapping[str, object] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Lowered:
    """A schema as a language, and what became of its keywords."""

    language: Language
    report: Report


def lower(
    schema: object,
    options: JsonOptions = _DEFAULTS,
    resources: Mapping[str, object] = NO_RESOURCES,
) -> Lowered:
    """The JSON texts that a schema allows; `resources` are schemas it may refer to by address.

    >>> lower({"const": 1}).language.rules["#"]
    Literal(b'1')

    Raises:
        GrammarError: it is not a schema.
        UnsupportedSchemaError: a keyword can't be enforced exactly.
        UnsatisfiableError: no value matches.
    """
    _check_lax(options.lax)
    with uncollected():
        lowered = _lower(Document(schema, checked(resources)), options)
    for text in lowered.report.warnings:
        warnings.warn(text, TercetWarning, stacklevel=4)
    return lowered


def _lower(document: Document, options: JsonOptions) -> Lowered:
    reader = Reader(document, options)
    root = reader.read().atoms
    canonical = Canonical(document, Overlaps(document, options.style), options.style)
    productive = Productive(canonical)
    if not productive(root):
        raise Explanation(canonical, productive, document).error(root)
    work_out(reader.intersections(), productive)
    space = whitespace(options.whitespace)
    language = Lowering(canonical, productive, space, options.order).language(root)
    return Lowered(language, Report(reader.relaxed, reader.warnings))


def _check_lax(names: frozenset[str]) -> None:
    for name in sorted(names - KEYWORDS.keys()):
        near = get_close_matches(name, KEYWORDS, 1)
        raise TercetError(
            f'lax names "{name}", which is no keyword that could be enforced',
            hint=f'did you mean "{near[0]}"?' if near else "",
        )
