"""Decision trees over symbols, alone, in forests, and boosted.

Public: `SymbolicTree`, `SymbolicForest`, `SymbolicBoosting`, `Tree`, `tree_to_record` and
`tree_from_record` of `arrays`, `rules_of` and `match_rules` of `rules`.
"""
