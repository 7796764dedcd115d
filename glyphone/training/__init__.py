"""Training of every kind of model from a lexicon.

Public: `train`, `Trained`, `train_file`, `TrainJob`.
"""
