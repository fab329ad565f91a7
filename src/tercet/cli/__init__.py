"""The command `tercet`: check a schema, run a model, look at a vocabulary.

A thin layer over the public names of the package. Everything for people goes to standard error, but
for the answer itself, so that the output can be piped.
"""
