"""Structural tags as xgrammar and vLLM spell them: a format in JSON becomes a language."""
