"""The kernels of training: those of chains, or of chains whose labels depend on the token."""

from __future__ import annotations

from types import ModuleType

from glyphone.learners.crf.kernels import choice_gradient, gradient
from glyphone.learners.crf.kernels.arrays import Data


def training(data: Data) -> ModuleType:
    """The kernels that learn from some data."""
    return choice_gradient if len(data.choices) else gradient
