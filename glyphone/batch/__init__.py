"""One driver for verbs that read a stream of items: order, failures, progress, resuming.

Public: `Job`, `run_job`, `Journal`.
"""
