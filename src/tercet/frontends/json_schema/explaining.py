"""Why a schema has no instance: the place and the reason, for people.

Runs only when an error is raised, and works the reason out again; so the layers that decide carry
no reasons around.
"""

from __future__ import annotations

from tercet.frontends.json_schema.arrays import Arrays
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.forms import Form
from tercet.frontends.json_schema.objects import Objects
from tercet.frontends.json_schema.own_forms import complaints
from tercet.frontends.json_schema.place import ROOT, Document, Place
from tercet.frontends.json_schema.productive import Productive
from tercet.frontends.json_schema.schema import NO_VALUE, AnyOf, Atom, Not, Value


class Explanation:
    """Finds the place that leaves a schema without instances."""

    def __init__(self, canonical: Canonical, productive: Productive, document: Document) -> None:
        self._canonical = canonical
        self._productive = productive
        self._document = document

    def error(self, root: Value) -> Exception:
        """The error for a value that isn't productive."""
        value, place, seen = root, ROOT, set[Value]()
        while value not in seen:
            seen.add(value)
            place = _place(value, place)
            form = self._canonical.form(value)
            culprit = self._first_unproductive(form)
            if culprit is None or culprit == NO_VALUE:
                return self._document.unsatisfiable(place, self._reason(value, form))
            value = culprit
        why = "every value would have to contain another of its own kind, without end"
        return self._document.unsatisfiable(place, why)

    def _first_unproductive(self, form: Form) -> Value | None:
        for alternative in form.containers:
            for need in alternative.needed():
                if not self._productive(need):
                    return need
        return None

    def _reason(self, value: Value, form: Form) -> str:
        """Why a value has no instance, as far as its own keywords say."""
        for item in form.containers:
            members = item.members if isinstance(item, Objects) else {}
            for name, member in members.items():
                if member.is_required and not self._productive(member.value):
                    return f'the member "{name}" is required, and is not allowed'
            return _reason_of_items(item) if isinstance(item, Arrays) else _UNMET
        atoms = sorted(value, key=lambda atom: atom.rank)
        for atom in atoms:
            if not self._canonical.form(frozenset({atom})).kinds:
                return self._reason_of_atom(atom)
        for number, atom in enumerate(atoms[1:], 1):
            so_far = self._canonical.form(frozenset(atoms[:number]))
            if not self._canonical.form(frozenset(atoms[: number + 1])).kinds:
                return self._conflict(so_far, self._canonical.form(frozenset({atom})), atom.place)
        return "the schema is false"

    def _reason_of_atom(self, atom: Atom) -> str:
        if isinstance(atom, AnyOf):
            return f'no branch of "{atom.word}" can match'
        if isinstance(atom, Not):
            return "nothing is left that does not match"
        if atom.values == ():
            return "there is no value in the enum"
        if atom.values is not None:
            return "no value of the enum matches the other keywords"
        return next(filter(None, complaints(atom)), "the schema is false")

    def _conflict(self, one: Form, other: Form, place: Place) -> str:
        where = place.pointer or "#"
        if not set(one.kinds) & set(other.kinds):
            wanted, given = " or ".join(one.kinds), " or ".join(other.kinds)
            return f"a value must be {wanted}, but {given} according to {where}"
        for kind in ("numbers", "strings", "arrays", "objects"):
            for left in getattr(one, kind):
                for right in getattr(other, kind):
                    why: str = left.meet(right).why_empty()
                    if why:
                        return why
        return f"what {where} asks for excludes the rest"


_UNMET = "what the object has to have is not allowed"


def _reason_of_items(arrays: Arrays) -> str:
    if arrays.distinct:
        return f"there are not {arrays.low} different items that are allowed"
    if arrays.shares:
        return "too few items may match what the array has to contain"
    return "an item that the array needs is not allowed"


def _place(value: Value, before: Place) -> Place:
    """Where a value's first schema stands."""
    atoms = [atom for atom in value if value != NO_VALUE]
    return min(atoms, key=lambda atom: atom.rank).place if atoms else before
