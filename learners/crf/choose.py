"""Which kernels learn: those of chains, or those of chains whose labels depend on the token."""

from __future__ import annotations

from types import ModuleType

from glyphone.learners.crf import (
    choice_gradient_kernels,
    gradient_kernels,
)
from glyphone.learners.crf.arrays import Data


def training(data: Data) -> ModuleType:
    """The kernels that learn from what is given."""
    return choice_gradient_kernels if len(data.choices) else gradient_kernels
