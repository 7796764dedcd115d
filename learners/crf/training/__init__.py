"""The objective of conditional random fields and its optimisers.

Public: `Options`, `Progress`, `solved`.
"""
