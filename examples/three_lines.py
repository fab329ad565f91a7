"""A type goes in, a value of that type comes out."""

from __future__ import annotations

from dataclasses import dataclass

from tercet.testing import scripted


@dataclass
class Person:
    name: str
    age: int


model = scripted('{"name": "Ada Lovelace", "age": 36}')  # tercet.load("smollm2") for a real one
person = model("Who wrote the first program?", Person)
print(person.name, "was", person.age)
