"""Transfer of treebanks of dependencies and of constituents to another language.

Public: `transfer_files` and `TransferJob` of `files`; `transfer_dependencies` of `dependencies`;
`transfer_constituents` of `constituents`.
"""
