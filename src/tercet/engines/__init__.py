"""Engines follow a text through a grammar and make masks over a vocabulary.

`reference` defines the meaning in plain Python; `fast` and what it is made of must agree with it.
They know the IR and tokens, and never how a grammar was written.
"""
