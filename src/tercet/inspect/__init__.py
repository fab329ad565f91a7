"""For people to look at: what a model wanted and what the grammar let it have."""
