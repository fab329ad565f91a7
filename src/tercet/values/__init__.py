"""From the text of an answer back to a Python value."""
