"""glyphone turns writing into sound and one script into another.

>>> import glyphone
>>> model = glyphone.load("spa.letter_to_sound:CASTILIAN")
>>> model("queso").output
'ˈ k e s o'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glyphone.catalog.loading import load as load
    from glyphone.data.records import Hypothesis as Hypothesis
    from glyphone.data.version import VERSION as VERSION
    from glyphone.distillation.distill import distill as distill
    from glyphone.fst.interface.model import Model as Model
    from glyphone.training.train import train as train

# Imported when first asked for, so that importing glyphone costs nothing.
_HOMES = {
    "load": "glyphone.catalog.loading",
    "Hypothesis": "glyphone.data.records",
    "Model": "glyphone.fst.interface.model",
    "VERSION": "glyphone.data.version",
    "distill": "glyphone.distillation.distill",
    "train": "glyphone.training.train",
}

__all__ = ["VERSION", "Hypothesis", "Model", "distill", "load", "train"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'glyphone' has no attribute {name!r}")
