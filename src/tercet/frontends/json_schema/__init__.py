"""JSON Schema: from a document to the language of its instances, exact or refused.

Read in this order: `compiler` (the steps), `reading` (document to schemas), `schema` and `forms`
(what the rest is about), `canonical`, `productive`, `lowering`.
"""
