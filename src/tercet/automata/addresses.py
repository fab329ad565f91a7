"""Internet addresses as regular expressions: IPv4, IPv6, domain names, mailboxes.

Apart from `formats` because each is built from the one before it. The grammars are those of the
RFCs, without what only implementations forbid. International names (RFC 6531) are not here.
"""

from __future__ import annotations

from tercet.automata.parse import parse
from tercet.automata.regex import ANY_CHAR, Regex, both, concat, repeat, text, union


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


def domain() -> Regex:
    """A domain name of letters, digits and hyphens (RFC 5321, section 4.1.2; RFC 1034).

    Labels have up to 63 characters and names up to 255. Counting both at once takes 20,000 states;
    these are the names of up to three labels, and those of up to seven where all but the first have
    at most 30 characters.
    """
    few = _labels(63, 2)
    return union(few, concat(_labels(63, 0), repeat(concat(text("."), _labels(30, 0)), 0, 6)))


def _labels(longest: int, more: int) -> Regex:
    label = f"[A-Za-z0-9]([A-Za-z0-9-]{{0,{longest - 2}}}[A-Za-z0-9])?"
    return parse(rf"{label}(\.{label}){{0,{more}}}")


def mailbox() -> Regex:
    """A mailbox as in RFC 5321, section 4.1.2: dotted or quoted, at a domain or an address."""
    atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
    local = parse(rf'{atom}(\.{atom})*|"([ !#-\[\]-~]|\\[ -~])+"')
    bounded = both(local, repeat(ANY_CHAR, 1, 64))
    tagged = concat(parse("[Ii][Pp][Vv]6:"), ipv6(longest=6))
    literal = concat(text("["), union(ipv4(), tagged), text("]"))
    return concat(bounded, text("@"), union(domain(), literal))
