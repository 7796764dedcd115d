"""Joint n-gram models of letters and phones.

Public: `model.JointModel`; `JointOptions`, `fit_joint` and `train_joint` of `training`; `save` and
`load` of `file`; `write_arpa_model` of `exporting`; `read_arpa_model` and `read_fst_model` of
`importing`.
"""
