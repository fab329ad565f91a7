"""What writing may lead to is worked out before anything is written, or refused.

Only intersections, unions and complements can fail, and objects and arrays that keep count; a
schema's own keywords have been tried when they were read. So plain values are left to be written
when an engine gets there.
"""

from __future__ import annotations

from tercet.frontends.json_schema.productive import Productive
from tercet.frontends.json_schema.schema import Value, is_plain


def work_out(values: list[Value], productive: Productive) -> None:
    """Find the forms of some values, and of all that is inside of them.

    Raises:
        UnsupportedSchemaError: one of them can't be worked out within reason.
    """
    todo, seen = list(values), set(values)
    while todo:
        inside = productive.inside(todo.pop())
        new = {value for value in inside if not is_plain(value)} - seen
        seen |= new
        todo += new
