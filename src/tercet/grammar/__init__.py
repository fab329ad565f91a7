"""The intermediate representation: what text is allowed, free of tokens and of any input syntax."""
