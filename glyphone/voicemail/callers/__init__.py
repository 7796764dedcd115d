"""Who called: the phrase and the name in it.

Public: `Callers`, `Caller`, `CallerOptions`.
"""
