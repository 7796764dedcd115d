"""Decision trees over symbols, alone, in forests, and boosted.

Public: `SymbolicTree`, `SymbolicForest`, `SymbolicBoosting`, `Tree`, `rules_of`.
"""
