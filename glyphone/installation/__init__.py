"""The packages, grammars and models that are found, and machine code compiled ahead of the work.

Public: `health.examine_installation`, `warming.warm_kernels`.
"""
