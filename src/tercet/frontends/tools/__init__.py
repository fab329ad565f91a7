"""Tool calls in the syntax of each model family: styles as data, and how they become a language."""
