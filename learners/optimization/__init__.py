"""Optimisers of weights, and the loop of training that all learners of weights share.

Public: `Descent` of `quasi_newton`; `DenseDescent` of `descent`; `Watcher`, `TrainingProgress` and
`run_optimizer` of `loop`.
"""
