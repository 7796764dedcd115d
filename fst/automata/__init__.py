"""Transducers as arrays, their files, and algebra done in advance.

Public: `Transducer`, `SymbolTable`, `read_fst`, `write_fst`, `read_far`, `write_far`.
"""
