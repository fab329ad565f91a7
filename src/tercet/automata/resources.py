"""What names a resource: URIs of RFC 3986, and JSON pointers.

Apart from `formats` because a URI is a small grammar of its own. International forms (IRI) and
templates are not here.
"""

from __future__ import annotations

from tercet.automata.addresses import ipv6
from tercet.automata.parse import parse
from tercet.automata.regex import EMPTY, Regex, concat, optional, text, union

_PLAIN = "-A-Za-z0-9._~!$&'()*+,;="  # unreserved and sub-delims
_ESCAPED = "%[0-9A-Fa-f]{2}"
_CHAR = f"([{_PLAIN}:@]|{_ESCAPED})"
_PATH = f"(/{_CHAR}*)*"
_POINTER = "(/([^~/]|~[01])*)*"


def _authority() -> Regex:
    user = parse(f"(([{_PLAIN}:]|{_ESCAPED})*@)?")
    # an address of the future begins with a V of either case; some checkers know only the small one
    address = union(ipv6(), parse(rf"v[0-9A-Fa-f]+\.[{_PLAIN}:]+"))
    host = union(concat(text("["), address, text("]")), parse(f"([{_PLAIN}]|{_ESCAPED})*"))
    return concat(text("//"), user, host, parse("(:[0-9]*)?"), parse(_PATH))


def _tail() -> Regex:
    rest = f"({_CHAR}|[/?])*"
    return parse(rf"(\?{rest})?(#{rest})?")


def uri() -> Regex:
    """``URI``: with a scheme."""
    scheme = parse("[A-Za-z][A-Za-z0-9+.-]*:")
    path = parse(f"/?{_CHAR}+{_PATH}|/")
    return concat(scheme, union(_authority(), path, EMPTY), _tail())


def uri_reference() -> Regex:
    """``URI-reference``: a URI, or relative to one."""
    first = f"([{_PLAIN}@]|{_ESCAPED})+"  # a colon would make it a scheme
    path = parse(f"/({_CHAR}+{_PATH})?|{first}{_PATH}")
    return union(uri(), concat(union(_authority(), optional(path)), _tail()))


def json_pointer() -> Regex:
    """A JSON Pointer, RFC 6901."""
    return parse(f"(?s){_POINTER}")


def relative_json_pointer() -> Regex:
    """A relative JSON Pointer without index manipulation, as JSON Schema means it."""
    return parse(f"(?s)(0|[1-9][0-9]*)(#|{_POINTER})")
