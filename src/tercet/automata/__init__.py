"""Regular languages: patterns, automata over characters and over bytes.

Nothing here knows of tokens or of grammars. In the order of reading: `charset`, `regex` (what a
language is), `parse` (patterns), `chardfa` (canonical automata and their algebra), `bytedfa` (what
engines run), `derive` (the same languages once more, for the reference engine), `numbers` and
`formats` (languages that JSON Schema names).
"""
