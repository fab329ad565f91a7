"""The values of `format` that JSON Schema defines; any other is an annotation, as it says.

Which of them are enforced is `automata.formats`' to say: it has their languages.
"""

from __future__ import annotations

KNOWN = frozenset(
    {
        *("date", "time", "date-time", "duration", "uuid", "regex"),
        *("email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6"),
        *("uri", "uri-reference", "iri", "iri-reference", "uri-template"),
        *("json-pointer", "relative-json-pointer"),
    }
)
