"""Joint n-gram models of letters and phones.

Public: `JointModel`, `JointOptions`, `fit_joint`, `train_joint`.
"""
