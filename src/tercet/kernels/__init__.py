"""Kernels: arrays in, arrays out. The only place that knows numba.

`layout` says where everything lies, `pointers` how it is reached; `products`, `refinement` and
`subsets` are algebra of automata, the others the fast engine's work. They allocate nothing: what
doesn't fit is a trap that `engines` answers.
"""
