"""Grammars in the language of lark."""
