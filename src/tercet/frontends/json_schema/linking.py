"""What has to match at the same place of a value: `$ref`, `allOf`, unions and `not` taken apart.

Each schema gets its set of atoms. A schema that only refers to another gets the other's, so both
are one value from here on. A schema that comes back to itself without an array or object in between
says nothing at all and is refused. All of it works on a stack of its own: chains may be long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from tercet.frontends.json_schema.evaluated import unevaluated_items, unevaluated_members
from tercet.frontends.json_schema.place import Document
from tercet.frontends.json_schema.ranking import rank_all
from tercet.frontends.json_schema.schema import (
    ALWAYS,
    ANY_VALUE,
    NEVER,
    NO_VALUE,
    AnyOf,
    Atom,
    Schema,
    Undecided,
    Value,
    conjunction,
    negation,
)

Part = Schema | AnyOf
Choices = list[tuple[Value, Schema | None]]

DEEPEST = 60
"""Levels of `anyOf` inside `anyOf` with other keywords in between."""

FLATTENED = 250
"""Cases of a union inside a union that become cases of the outer one; more stay a union."""


def link(schemas: Iterable[Schema], document: Document) -> None:
    """Fill in the atoms of all schemas.

    Raises:
        GrammarError: a schema refers to itself, or unions are nested too deeply.
    """
    linker = _Linker(document)
    for schema in schemas:
        linker.link(schema)
    while linker.late:
        linker.link(linker.late.pop())
    rank_all(linker.sequences.values())


class _Linker:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._is_done: dict[Part, bool] = {NEVER: True}
        self._rank = 0
        self.late: list[Schema] = []  # made here, of schemas that may not be linked yet
        self.sequences: dict[Schema, list[Part]] = {}  # of more than one part, in their order

    def link(self, root: Schema) -> None:
        """Visit a schema and what it consists of: before, itself, after, and then its atoms."""
        if root in self._is_done:
            return
        if not (root.before or root.after):  # as most of them
            self._rank += 1
            root.rank = self._rank
            self._finish(root)
            self._is_done[root] = True
            return
        todo: list[tuple[Part, str]] = [(root, "enter")]
        while todo:
            atom, phase = todo.pop()
            if phase == "rank":
                self._rank += 1
                atom.rank = self._rank
            elif phase == "leave":
                self._finish(atom)
                self._is_done[atom] = True
            elif self._is_unseen(atom):
                self._is_done[atom] = False
                before = atom.before if isinstance(atom, Schema) else ()
                after = atom.after if isinstance(atom, Schema) else atom.options
                steps = [(part, "enter") for part in before], [(part, "enter") for part in after]
                todo += [*steps[0], (atom, "rank"), *steps[1], (atom, "leave")][::-1]

    def _is_unseen(self, atom: Part) -> bool:
        is_done = self._is_done.get(atom)
        if is_done is False:
            raise self._document.malformed(
                "this schema consists of itself",
                atom.place,
                why="following $ref, allOf, anyOf and the like from here leads back here",
                hint="put the recursion inside of an array or an object",
            )
        return is_done is None

    def _finish(self, atom: Part) -> None:
        if isinstance(atom, AnyOf):
            self._finish_union(atom)
            return
        own: list[Atom] = [atom] if atom.has_own_words else []
        atoms = frozenset(own)
        if atom.before or atom.after:
            atoms = atoms.union(*map(_atoms_of, (*atom.before, *atom.after)))
            self._note_order(atom)
        if atom.unevaluated is not None:
            union = AnyOf(atom.place.at("unevaluatedProperties"), (), "unevaluatedProperties")
            atoms |= self._left(union, partial(unevaluated_members, atom, atom.unevaluated))
        items = atom.unevaluated_items
        if items is not None and items is not ALWAYS:
            union = AnyOf(atom.place.at("unevaluatedItems"), (), "unevaluatedItems")
            atoms |= self._left(union, partial(unevaluated_items, atom, items))
        atom.atoms = NO_VALUE if NEVER in atoms else atoms

    def _note_order(self, schema: Schema) -> None:
        own = [schema] if schema.has_own_words else []
        sequence = dict[Part, None]()
        for part in (*schema.before, *own, *schema.after):
            inner = self.sequences.get(part, [part]) if isinstance(part, Schema) else [part]
            sequence |= dict.fromkeys([part] if part is schema else inner)
        self.sequences[schema] = list(sequence)

    def _left(self, union: AnyOf, choices_of: Callable[[], Choices]) -> Value:
        """The union over what the branches may have looked at."""
        try:
            choices = choices_of()
        except Undecided as error:
            raise self._document.unsupported(union.place, union.word, why=error.why) from error
        self._rank += 1
        union.rank, cases = self._rank, []
        for value, rest in choices:
            if rest is None:
                cases.append(value)
                continue
            rest.rank = self._rank
            if rest.arrays is not None:
                self.late.append(rest.arrays.rest)
            cases.append(conjunction((value, frozenset({rest}))))
        if ANY_VALUE in cases:
            return ANY_VALUE
        self._close(union, cases)
        return union.cases[0] if len(union.cases) == 1 else frozenset({union})

    def _finish_union(self, union: AnyOf) -> None:
        self._close(union, self._cases(union))

    def _close(self, union: AnyOf, cases: Iterable[Value]) -> None:
        union.cases = tuple(case for case in cases if case != NO_VALUE) or (NO_VALUE,)
        depths = (atom.depth for case in union.cases for atom in case)
        union.depth = 1 + max(depths, default=0)
        if union.depth > DEEPEST:
            raise self._document.malformed(
                f'"{union.word}" is nested more than {DEEPEST} levels deep', union.place
            )

    def _cases(self, union: AnyOf) -> Iterable[Value]:
        values = [option.atoms for option in union.options]
        match union.word:
            case "oneOf":
                return values
            case "not":
                return [negation(values[0])]
            case "if":
                condition, then, otherwise = values
                return [
                    conjunction((condition, then)),
                    conjunction((negation(condition), otherwise)),
                ]
            case _:
                return dict.fromkeys(case for value in values for case in _flattened(value))


def _atoms_of(part: Part) -> Value:
    """What a part of a schema asks for."""
    if isinstance(part, Schema):
        return part.atoms
    if len(part.cases) == 1:
        return part.cases[0]
    is_needed = part.is_exclusive or ANY_VALUE not in part.cases
    return frozenset({part}) if is_needed else ANY_VALUE


def _flattened(value: Value) -> Iterable[Value]:
    """The cases of a value that is nothing but a small union."""
    (only,) = value if len(value) == 1 else (None,)
    if isinstance(only, AnyOf) and not only.is_exclusive and len(only.cases) <= FLATTENED:
        return only.cases
    return (value,)
