"""A spec compiled for one vocabulary: immutable, shareable, cheap to make again.

`compile` accepts whatever a person passes (a type, a grammar) and gives a `Constraint`; everything
its matchers learn about the grammar is kept in it and shared.
"""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from typing_extensions import TypeForm

from tercet.engines.select import cursors
from tercet.errors import GrammarError, TercetError
from tercet.matcher import Matcher
from tercet.spec import Grammar
from tercet.vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tercet.frontends.json_schema.report import Report
    from tercet.processor import ConstraintProcessor

T = TypeVar("T")

_FORMAT = "tercet constraint 1"
_KEPT = 128  # compiled constraints that `compile` remembers


class Constraint(Generic[T]):
    """A grammar over one vocabulary; made by `compile`.

    >>> from tercet import Grammar, compile
    >>> from tercet.testing import byte_vocabulary
    >>> constraint = compile(Grammar.choice(["yes", "no"]), byte_vocabulary())
    >>> constraint.matcher().accepts(list(b"no"))
    2
    """

    def __init__(
        self, grammar: Grammar[T], vocabulary: Vocabulary, *, engine: str | None = None
    ) -> None:
        self.grammar = grammar
        self.vocabulary = vocabulary
        self._cursors = cursors(grammar.language, vocabulary, engine)

    @property
    def report(self) -> Report:
        """Whether everything the spec says is enforced, and what was relaxed."""
        return self.grammar.report

    def matcher(self) -> Matcher:
        """A new matcher at the start of a text."""
        return Matcher(self._cursors.cursor(), self.vocabulary)

    def processor(self) -> ConstraintProcessor:
        """A logits processor for `transformers.generate`: reusable, and right for any batch.

        Batches, left padding, beams, several returned sequences, prompt lookup and assisted
        generation all work, because its state is looked up by what a row has generated.
        """
        from tercet.processor import ConstraintProcessor

        return ConstraintProcessor(self)

    def save(self, path: str | os.PathLike[str], /) -> None:
        """Write the grammar and the vocabulary's fingerprint to a file, as JSON.

        Raises:
            TercetError: the grammar was made of Python objects that no file can hold.
        """
        content = {
            "format": _FORMAT,
            "vocabulary": self.vocabulary.fingerprint,
            "grammar": self.grammar.to_dict(),
        }
        target = Path(path)
        draft = target.with_name(target.name + f".{os.getpid()}.part")
        try:
            draft.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)

    @staticmethod
    def load(path: str | os.PathLike[str], /, vocabulary: Vocabulary) -> Constraint[Any]:
        """Read a file that `save` wrote; a Python type comes back as plain JSON values.

        Raises:
            TercetError: it is another kind of file, or was saved for another vocabulary.
        """
        content = _read_saved(Path(path))
        if content["vocabulary"] != vocabulary.fingerprint:
            raise TercetError(
                "the constraint was saved for another vocabulary",
                at=str(path),
                hint="load it with the vocabulary of the model it was compiled for",
            )
        return compile(Grammar.from_dict(content["grammar"]), vocabulary)

    def __repr__(self) -> str:
        return f"<Constraint of {self.grammar!r} over {self.vocabulary!r}>"


def _read_saved(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError):
        content = None
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise TercetError(
            "not a saved constraint of this version",
            at=str(path),
            why=f'its "format" is not {_FORMAT!r}',
            hint="compile the grammar again and save it",
        )
    return content


_compiled: OrderedDict[tuple[Any, ...], Constraint[Any]] = OrderedDict()


@overload
def compile(
    spec: Constraint[T] | Grammar[T], vocabulary: Vocabulary, *, cache: bool = ...
) -> Constraint[T]: ...
@overload
def compile(spec: TypeForm[T], vocabulary: Vocabulary, *, cache: bool = ...) -> Constraint[T]: ...
def compile(spec: Any, vocabulary: Vocabulary, *, cache: bool = True) -> Constraint[Any]:
    """Compile a type or grammar for a vocabulary.

    The last constraints are remembered, so compiling the same spec again is a look-up; with
    `cache=False` a new one is made, which starts without anything learnt.

    Raises:
        GrammarError: the spec is wrong.
        UnsupportedSchemaError: part of it can't be enforced exactly.
        UnsatisfiableError: no text can match.
    """
    if not isinstance(vocabulary, Vocabulary):
        raise TercetError(
            f"the vocabulary is a {type(vocabulary).__name__}",
            hint="make one with Vocabulary.from_transformers(tokenizer)",
        )
    if isinstance(spec, Constraint):
        if spec.vocabulary.fingerprint == vocabulary.fingerprint:
            return spec
        spec = spec.grammar
    grammar = spec if isinstance(spec, Grammar) else Grammar.of(spec)
    if not cache:
        return Constraint(grammar, vocabulary)
    key = (grammar, vocabulary.fingerprint, os.environ.get("TERCET_ENGINE"))
    found = _compiled.get(key)
    if found is None:
        found = _compiled[key] = Constraint(grammar, vocabulary)
        if len(_compiled) > _KEPT:
            _compiled.popitem(last=False)
    _compiled.move_to_end(key)
    return found


def check(schema: Any, /, *, lax: Iterable[str] = ()) -> Report:
    """Say whether a JSON Schema can be enforced exactly, without any vocabulary.

    >>> check({"type": "integer"}).exact
    True

    Raises:
        GrammarError: it is not a schema.
        UnsupportedSchemaError: a keyword can't be enforced and is not in `lax`.
        UnsatisfiableError: no value matches.
    """
    grammar = Grammar.json(schema, lax=lax)
    if not grammar.has_text:
        raise GrammarError("no text can match the schema")
    return grammar.report
