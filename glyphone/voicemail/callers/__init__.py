"""Caller phrases and names in messages.

Public: `Callers` of `pair`; `Caller` and `CallerModel` of `model`; `CallerOptions` of
`cuts_training`.
"""
