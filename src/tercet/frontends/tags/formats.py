"""The formats of structural tags that are made of others: what each means as a language.

A tag's end ends the free text inside: in none of it, at any depth, does an end of the innermost tag
around occur. What stands between triggers is free text too. Leaves are `leaves`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tercet.frontends import free_text
from tercet.frontends.tags import leaves
from tercet.frontends.tags.fields import Fields
from tercet.grammar.combine import concatenated, either, repeated
from tercet.grammar.nodes import EMPTY, Language, lit

Ends = tuple[str, ...]
_DEEPEST = 200  # keys on the way to a format; Python's own recursion limit stands behind this
_NONE = Language(EMPTY, {})


def lowered(fields: Fields, ends: Ends = ()) -> Language:
    """The texts of a format, where free text stops before any of the `ends`.

    Raises:
        TercetError: there is no such format, or it isn't right; the message says where.
    """
    kind = fields.text("type")
    if fields.place.count("/") > _DEEPEST:
        raise fields.error("formats nested too deep", why=f"{_DEEPEST} levels are the most")
    if kind in leaves.KINDS:
        return leaves.KINDS[kind](fields, ends)
    if kind not in _KINDS:
        known = ", ".join([*leaves.KINDS, *_KINDS])
        raise fields.error(f"there is no format {kind!r}", "type", hint=f"one of {known}")
    return _KINDS[kind](fields, ends)


def _sequence(fields: Fields, ends: Ends) -> Language:
    fields.only("elements")
    return concatenated([lowered(part, ends) for part in fields.all_inside("elements")])


def _or(fields: Fields, ends: Ends) -> Language:
    fields.only("elements")
    return either([lowered(part, ends) for part in fields.all_inside("elements")])


def _optional(fields: Fields, ends: Ends) -> Language:
    fields.only("content")
    return either([lowered(fields.inside("content"), ends), _NONE])


def _star(fields: Fields, ends: Ends) -> Language:
    fields.only("content")
    return _again(fields, ends, 0, None)


def _plus(fields: Fields, ends: Ends) -> Language:
    fields.only("content")
    return _again(fields, ends, 1, None)


def _repeat(fields: Fields, ends: Ends) -> Language:
    fields.only("content", "min", "max")
    least, most = fields.count("min"), fields.count("max", least=-1)
    assert least is not None
    assert most is not None
    if -1 < most < least:
        raise fields.error("the least count is above the greatest", "max")
    return _again(fields, ends, least, None if most < 0 else most)


def _again(fields: Fields, ends: Ends, least: int, most: int | None) -> Language:
    content = fields.inside("content")
    if content.text("type") == "exclude_token":
        return leaves.some_tokens(content, ends, least, most)
    return repeated(lowered(content, ends), _NONE, least, most)


def _tag(fields: Fields, _: Ends) -> Language:
    return concatenated([leaves.begin(fields), _rest(fields)])


def _rest(fields: Fields) -> Language:
    """What follows the beginning of a tag."""
    fields.only("begin", "content", "end")
    ends = leaves.ends(fields)
    inside = lowered(fields.inside("content"), tuple(filter(None, ends)))
    return concatenated([inside, either([*ends.values()])])


def _with_separator(fields: Fields, _: Ends) -> Language:
    fields.only("tags", "separator", "at_least_one", "stop_after_first")
    one = either([_tag(tag, ()) for tag in fields.all_inside("tags")])
    between = Language(lit(fields.text("separator")), {})
    most = 1 if fields.flag("stop_after_first") else None
    return repeated(one, between, int(fields.flag("at_least_one")), most)


def _triggered(fields: Fields, ends: Ends) -> Language:
    fields.only("triggers", "tags", "at_least_one", "stop_after_first", "excludes")
    triggers, tags = _triggers(fields), list(fields.all_inside("tags"))
    branches: dict[str, list[Language]] = {trigger: [] for trigger in triggers}
    for tag in tags:
        begin = tag.text("begin")
        trigger = _trigger_of(tag, begin, triggers)
        more = Language(lit(begin[len(trigger) :]), {})
        branches[trigger].append(concatenated([more, _rest(tag)]))
    for number, trigger in enumerate(triggers):
        if not branches[trigger]:
            raise fields.error(
                "no tag begins with this trigger",
                "triggers",
                str(number),
                why="once it is written, nothing could follow",
                hint="take it away, or give it a tag",
            )
    bodies = {trigger: either(found) for trigger, found in branches.items()}
    once = fields.flag("stop_after_first")
    if not fields.flag("at_least_one"):
        return _between(fields, ends, bodies, once=once)
    first = either([concatenated([Language(lit(t), {}), body]) for t, body in bodies.items()])
    return first if once else concatenated([first, _between(fields, ends, bodies, once=False)])


def _triggers(fields: Fields) -> list[str]:
    found = fields.texts("triggers")
    if not found:
        raise fields.error("triggers are missing", hint="give at least one in `triggers`")
    return list(dict.fromkeys(found))


def _trigger_of(tag: Fields, begin: str, triggers: Sequence[str]) -> str:
    fitting = [trigger for trigger in triggers if begin.startswith(trigger)]
    if len(fitting) == 1:
        return fitting[0]
    named = " and ".join(map(repr, fitting))
    raise tag.error(
        "more than one trigger fits this tag" if fitting else "no trigger fits this tag",
        "begin",
        why=f"{named} are beginnings of it" if fitting else "a tag begins with its trigger",
        hint="keep the shortest" if fitting else f"the triggers are {', '.join(triggers)}",
    )


def _dispatch(fields: Fields, ends: Ends) -> Language:
    fields.only("rules", "loop", "excludes")
    bodies: dict[str, list[Language]] = {}
    for number in range(len(fields.each("rules"))):
        pattern, content = fields.pair("rules", number)
        bodies.setdefault(pattern, []).append(lowered(content, ends))
    found = {pattern: either(contents) for pattern, contents in bodies.items()}
    loop = fields.flag("loop") if fields.has("loop") else True
    return _between(fields, ends, found, once=not loop)


def _between(fields: Fields, ends: Ends, bodies: dict[str, Language], *, once: bool) -> Language:
    """Free text in which a trigger leads to its body, again and again or once."""
    excluded = [*fields.texts("excludes"), *ends]
    with fields.at("excludes" if fields.has("excludes") else "type"):
        begun = free_text.dispatched([*bodies], excluded)
    free = Language(free_text.without([*bodies, *excluded]), {})
    found = [concatenated([Language(begun[t], {}), body]) for t, body in bodies.items()]
    if once:
        return either([free, *found])
    return concatenated([repeated(either(found), _NONE, 0, None), free])


_KINDS: dict[str, Callable[[Fields, Ends], Language]] = {
    "sequence": _sequence,
    "or": _or,
    "optional": _optional,
    "star": _star,
    "plus": _plus,
    "repeat": _repeat,
    "tag": _tag,
    "tags_with_separator": _with_separator,
    "triggered_tags": _triggered,
    "dispatch": _dispatch,
}
