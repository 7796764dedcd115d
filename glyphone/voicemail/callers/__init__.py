"""Caller phrases and names in messages.

Public: `CallerPair` of `pair`; `Caller` and `CallerModel` of `model`; `CallerOptions` of `options`;
`train` and `train_pair` of `training`; `load` and `save` of `file`.
"""
