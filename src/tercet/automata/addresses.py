"""Internet addresses as regular expressions: IPv4 and IPv6.

Apart from `formats` because URIs and mailboxes are built from them. The grammars are those of the
RFCs, without what only implementations forbid. Names of hosts are in `hostnames`.
"""

from __future__ import annotations

from tercet.automata.parse import parse
from tercet.automata.regex import Regex, concat, repeat, text, union


def ipv4() -> Regex:
    """Four decimal octets without zeros in front (RFC 2673, section 3.2)."""
    octet = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
    return parse(rf"{octet}(\.{octet}){{3}}")


def ipv6(*, longest: int = 7) -> Regex:
    """The text of RFC 4291, section 2.2, without a zone.

    Beside a ``::`` stand at most `longest` groups.
    """
    group = parse("[0-9A-Fa-f]{1,4}")
    head = concat(group, text(":"))
    tail = union(concat(head, group), ipv4())  # the last two groups
    options = [concat(repeat(head, 6, 6), tail)]
    for before in range(longest + 1):
        left = concat(repeat(head, before - 1, before - 1), group) if before else text("")
        options += (
            concat(left, text("::"), after)
            for after in _at_most(longest - before, head, group, tail)
        )
    return union(*options)


def _at_most(count: int, head: Regex, group: Regex, tail: Regex) -> list[Regex]:
    """Up to so many groups after the ``::``."""
    options = [text("")]
    if count >= 1:
        options.append(group)
    if count >= 2:
        options.append(concat(repeat(head, 0, count - 2), tail))
    return options
