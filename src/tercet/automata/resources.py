"""What names a resource: URIs of RFC 3986, IRIs of RFC 3987, templates, and JSON pointers.

Apart from `formats` because a URI is a small grammar of its own. An IRI is the same grammar with
more characters.
"""

from __future__ import annotations

from typing import NamedTuple

from tercet.automata.addresses import ipv6
from tercet.automata.parse import parse
from tercet.automata.regex import EMPTY, Regex, concat, optional, text, union

_ASCII = "-A-Za-z0-9._~!$&'()*+,;="  # unreserved and sub-delims
_ESCAPED = "%[0-9A-Fa-f]{2}"
_POINTER = "(/([^~/]|~[01])*)*"


def _supplementary() -> str:
    """The planes 1 to 14 without the last two characters of each, as in a class."""
    starts = (0xE1000 if plane == 14 else plane << 16 for plane in range(1, 15))
    return "".join(f"{chr(start)}-{chr(start | 0xFFFD)}" for start in starts)


_UCS = "\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + _supplementary()
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


class _Grammar(NamedTuple):
    """The rules that URI and IRI share."""

    plain: str  # characters, as in a class
    private: str  # more of them in queries

    @property
    def char(self) -> str:
        return f"([{self.plain}:@]|{_ESCAPED})"

    @property
    def path(self) -> str:
        return f"(/{self.char}*)*"

    def absolute(self) -> Regex:
        scheme = parse("[A-Za-z][A-Za-z0-9+.-]*:")
        path = parse(f"/?{self.char}+{self.path}|/")
        return concat(scheme, union(self.authority(), path, EMPTY), self.tail())

    def reference(self) -> Regex:
        first = f"([{self.plain}@]|{_ESCAPED})+"  # a colon would make it a scheme
        path = parse(f"/({self.char}+{self.path})?|{first}{self.path}")
        return union(self.absolute(), concat(union(self.authority(), optional(path)), self.tail()))

    def authority(self) -> Regex:
        user = parse(f"(([{self.plain}:]|{_ESCAPED})*@)?")
        # an address of the future begins with a V of either case; some checkers know only the
        # small one
        address = union(ipv6(), parse(rf"v[0-9A-Fa-f]+\.[{_ASCII}:]+"))
        name = parse(f"([{self.plain}]|{_ESCAPED})*")
        host = union(concat(text("["), address, text("]")), name)
        return concat(text("//"), user, host, parse("(:[0-9]*)?"), parse(self.path))

    def tail(self) -> Regex:
        query = f"({self.char}|[/?{self.private}])*"
        return parse(rf"(\?{query})?(#({self.char}|[/?])*)?")


_URI = _Grammar(_ASCII, "")
_IRI = _Grammar(_ASCII + _UCS, _PRIVATE)


def uri() -> Regex:
    """``URI``: with a scheme."""
    return _URI.absolute()


def uri_reference() -> Regex:
    """``URI-reference``: a URI, or relative to one."""
    return _URI.reference()


def iri() -> Regex:
    """``IRI``: a URI with characters of all languages."""
    return _IRI.absolute()


def iri_reference() -> Regex:
    """``IRI-reference``: an IRI, or relative to one."""
    return _IRI.reference()


def uri_template() -> Regex:
    """A template of RFC 6570, of any level; operators that it only reserves are not there.

    As some checkers demand, names begin without an escape and prefixes have at most three digits.
    """
    char = f"([A-Za-z0-9_]|{_ESCAPED})"
    variable = rf"[A-Za-z0-9_]{char}*(\.{char}+)*(\*|:[1-9][0-9]{{0,2}})?"
    expression = rf"\{{[+#./;?&]?{variable}(,{variable})*\}}"
    literal = rf"[!#$&-;=?-\[\]_a-z~{_UCS}{_PRIVATE}]|{_ESCAPED}"
    return parse(f"({literal}|{expression})*")


def json_pointer() -> Regex:
    """A JSON Pointer, RFC 6901."""
    return parse(f"(?s){_POINTER}")


def relative_json_pointer() -> Regex:
    """A relative JSON Pointer without index manipulation, as JSON Schema means it."""
    return parse(f"(?s)(0|[1-9][0-9]*)(#|{_POINTER})")
