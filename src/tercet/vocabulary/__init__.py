"""Tokens as bytes: readers for each tokenizer family, the trie of a vocabulary."""
