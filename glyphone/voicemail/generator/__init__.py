"""Synthetic messages.

Public: `generate` of `generate`; `GenerateJob` and `generate_file` of `files`; `Noise` of `noise`.
"""
