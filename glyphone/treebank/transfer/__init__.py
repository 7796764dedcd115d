"""Treebanks transferred: dependencies and constituents.

Public: `transfer_files`, `TransferJob`.
"""
