"""Regular expressions and plain choices; grammars judge and read texts without any model."""

from __future__ import annotations

from tercet import Grammar
from tercet.testing import scripted

plate = Grammar.regex(r"[A-Z]{2}-\d{3}-[A-Z]{2}")
size = Grammar.choice(["S", "M", "L"])

model = scripted("AB-123-CD", "M, I think")
print(model("Which number plate?", plate))
print(model("Which size?", size))
print("AB-12-CD" in plate, size.parse("L"))
