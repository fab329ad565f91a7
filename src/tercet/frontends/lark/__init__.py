"""Grammars in the language of lark: read by lark itself, with its lexers' meaning kept exactly."""
