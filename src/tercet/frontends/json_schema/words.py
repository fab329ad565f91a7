"""The words of one schema: known, unknown, misshapen, left out.

Apart from `reading` because nothing here knows what a keyword means. This is looked at for every
schema of a document, most of which have one keyword and a description.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from tercet.errors import GrammarError
from tercet.frontends.json_schema import formats, refusals
from tercet.frontends.json_schema.keywords import ANNOTATIONS, KEYWORDS, unused_words
from tercet.frontends.json_schema.options import JsonOptions
from tercet.frontends.json_schema.place import Document, Place
from tercet.frontends.json_schema.resources import Resource
from tercet.frontends.json_schema.shapes import SHAPES

Found = dict[str, Any]
"""Keywords and their values."""

_ANY_SINCE = 10**6  # instead of ANY_DRAFT: later than everything but what no draft has
_UNKNOWN = 2 * _ANY_SINCE, SHAPES["anything"][1]
_CHECKS = {word: (known.since, SHAPES[known.shape][1]) for word, known in KEYWORDS.items()}


class Words:
    """Looks at the words of one document; `relaxed` and `warnings` fill up on the way."""

    def __init__(self, document: Document, options: JsonOptions) -> None:
        self.relaxed: dict[str, None] = {}
        self.warnings: dict[str, str] = {}
        self._document = document
        self._lax = options.lax
        self._unused = unused_words(document.content, document.resources)
        is_checked = options.formats == "assert" and "format" not in self._unused
        self._annotations = ANNOTATIONS if is_checked else ANNOTATIONS | {"format"}

    def known(self, content: Found, place: Place, resource: Resource) -> Found:
        """The keywords that mean something here, each with a value of the right shape."""
        draft, annotations = resource.draft or _ANY_SINCE, self._annotations
        if resource.refs_stand_alone and "$ref" in content:
            content = {"$ref": content["$ref"]}  # up to draft 7 its neighbours are ignored
        lax = self._relaxed_here(content) if self._lax else self._lax
        left_out = self._unused | lax if self._unused else lax
        words: Found = {}
        for word, value in content.items():
            if word in annotations:
                continue
            since, is_shaped = _CHECKS.get(word, _UNKNOWN)
            if since > draft or word in left_out:
                self._leave_out(word, place, since, draft)
            elif is_shaped(value):
                words[word] = value
            else:
                raise self._misshapen(word, place, SHAPES[KEYWORDS[word].shape][0])
        return words

    def _leave_out(self, word: str, place: Place, since: int, draft: int) -> None:
        """Note why a word means nothing here."""
        if word not in KEYWORDS:
            self._warn_unknown(word, place)
        elif since > draft:
            self._warn(word, place, f"is not part of draft {draft}, and ignored")
        elif word in self._unused:
            self._warn(word, place, "is not in the vocabulary of $schema, and ignored")
        else:
            self.relaxed[word] = None

    def _relaxed_here(self, content: Found) -> frozenset[str]:
        """The relaxed keywords, with those that would mean more without them."""
        lax = self._lax
        for word in self._lax & content.keys():
            lax |= frozenset(refusals.RELAXED_WITH.get(word, ()))
        return lax

    def _misshapen(self, word: str, place: Place, shape: str) -> GrammarError:
        hint = {
            "required": 'list the names of required members, as in "required": ["name"]',
            "type": 'allow several types with a list, as in "type": ["string", "null"]',
        }.get(word, "")
        return self._document.malformed(f'"{word}" must be {shape}', place.at(word), hint=hint)

    def _warn_unknown(self, word: object, place: Place) -> None:
        if not isinstance(word, str):
            raise self._document.malformed(
                f"{word!r} is no keyword", place, why="the keys of JSON objects are strings"
            )
        if not word.startswith(("x-", "$$", "_", "^x-")):
            near = _nearest_keyword(word)
            self._warn(word, place, f'(did you mean "{near}"?)' if near else "")

    def _warn(self, word: str, place: Place, remark: str) -> None:
        if word not in self.warnings:
            what = "keyword" if word in KEYWORDS else "unknown keyword"
            self.warnings[word] = f'{what} "{word}" at {place.at(word).pointer} {remark}'.rstrip()

    def check_format(self, name: str | None, place: Place) -> None:
        """Warn of a format that nobody knows and that looks like one."""
        if name is not None and name not in formats.KNOWN:
            near = get_close_matches(name, formats.KNOWN, 1, 0.8)
            if near:
                remark = f'has an unknown format "{name}" (did you mean "{near[0]}"?)'
                self._warn("format", place, remark)


@lru_cache(4096)
def _nearest_keyword(word: str) -> str:
    return next(iter(get_close_matches(word, KEYWORDS, 1, 0.75)), "")
