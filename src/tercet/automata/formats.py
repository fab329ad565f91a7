"""The `format`s of JSON Schema as regular expressions over characters.

Every text of these is valid under the RFC that JSON Schema names and is read by Python's own types.
What they leave out, because those types can't hold it: leap seconds (23:59:60Z), the year 0000,
fractions of a second beyond 15 digits. Addresses are built in `addresses`, identifiers of resources
in `resources`; which formats a schema may use is for the frontends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tercet.automata import addresses, hostnames, mailboxes, patterns, resources
from tercet.automata.chardfa import as_regex
from tercet.automata.parse import parse
from tercet.automata.regex import Regex, both, concat, negate, union
from tercet.automata.stored import stored

_TIME = (
    r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,15})?"
    r"([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)
_HEX = "[0-9A-Fa-f]"


def _date() -> Regex:
    """``full-date`` of RFC 3339, on the calendar."""
    days = (
        r"(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
        r"|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])"
    )
    fours = "0[48]|[2468][048]|[13579][26]"  # the multiples of 4 that aren't 00
    some_day = both(parse(rf"[0-9]{{4}}-({days})"), negate(parse("0000-.*")))
    return union(some_day, parse(rf"([0-9]{{2}}({fours})|({fours})00)-02-29"))


def _date_time() -> Regex:
    return concat(_date(), parse("[Tt]"), parse(_TIME))


def _duration() -> Regex:
    """``duration`` of RFC 3339, appendix A: units follow each other without a gap."""
    date = "([0-9]+Y([0-9]+M([0-9]+D)?)?|[0-9]+M([0-9]+D)?|[0-9]+D)"
    time = "T([0-9]+H([0-9]+M([0-9]+S)?)?|[0-9]+M([0-9]+S)?|[0-9]+S)"
    return parse(f"P({date}({time})?|{time}|[0-9]+W)")


BUILDERS: Mapping[str, Callable[[], Regex]] = {
    "date": _date,
    "time": lambda: parse(_TIME),
    "date-time": _date_time,
    "duration": _duration,
    "uuid": lambda: parse(f"{_HEX}{{8}}(-{_HEX}{{4}}){{3}}-{_HEX}{{12}}"),
    "email": mailboxes.mailbox,
    "idn-email": mailboxes.international_mailbox,
    "hostname": hostnames.hostname,
    "idn-hostname": hostnames.international,
    "ipv4": addresses.ipv4,
    "ipv6": addresses.ipv6,
    "uri": resources.uri,
    "uri-reference": resources.uri_reference,
    "iri": resources.iri,
    "iri-reference": resources.iri_reference,
    "uri-template": resources.uri_template,
    "regex": patterns.pattern,
    "json-pointer": resources.json_pointer,
    "relative-json-pointer": resources.relative_json_pointer,
}
"""What each format is made of. Most are never built, as `stored` has them."""


class _Formats(Mapping[str, Regex]):
    """Reads or builds each on first use."""

    def __init__(self) -> None:
        self._known: dict[str, Regex] = {}

    def __getitem__(self, name: str) -> Regex:
        if name not in self._known:
            build, ready = BUILDERS[name], stored(f"format {name}")
            self._known[name] = build() if ready is None else as_regex(ready)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(BUILDERS)

    def __len__(self) -> int:
        return len(BUILDERS)


FORMATS: Mapping[str, Regex] = _Formats()
"""The language of each format, by its name in JSON Schema.

>>> from tercet.automata.chardfa import compile_regex
>>> [compile_regex(FORMATS["date"]).accepts(f"{year}-02-29") for year in (2023, 2024, 1900, 2000)]
[False, True, False, True]
"""
