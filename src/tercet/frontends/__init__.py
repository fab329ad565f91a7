"""What a person writes (a schema, a type, a pattern, options) becomes the IR, and nothing else.

One module per way of writing. None of them knows tokens or engines.
"""
