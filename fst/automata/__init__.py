"""Transducers as arrays, their files, and algebra done in advance.

Public: `Transducer`, `SymbolTable`; `read_fst` and `write_fst` for OpenFst binaries (`openfst`),
`read_far`, `read_far_all` and `write_far` for archives (`far`), `read_text`, `write_text`,
`read_symbols` and `write_symbols` for OpenFst text (`att`); `compose_all`, `epsilon_cycle`,
`two_outputs`.
"""
