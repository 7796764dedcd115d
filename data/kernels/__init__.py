"""How kernels are compiled and kept, and the arrays that they share.

A kernel is a function over arrays only. It runs as plain Python for the first words, and as machine
code, kept in a cache of the user, for the rest.

Public: none; folders that have kernels import `jit`.
"""
