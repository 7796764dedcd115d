"""Options of models of callers.

>>> CallerOptions(form="crf").places
24
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from glyphone.data.errors import UnknownName

CallerForm = Literal["cuts", "crf", "both"]
# Features with smaller weights are left out of a model.
LEAST_WEIGHT = 0.05


@dataclass(frozen=True, kw_only=True)
class CallerOptions:
    """The first `places` words are searched for a caller; features see `beyond` words more.

    Messages without a caller there are searched up to `most` words; training uses `places` words.
    `form` is "cuts", a chain of events between words (`chain_kernels`), "crf", labels of words
    (`crf_training`), or "both", each with half of the weight.
    A feature has weights if it occurs at `min_count` places. A phrase is reported if the
    probability of any phrase is at least `least`, a name if its own is at least `least_name`.
    """

    form: CallerForm = "both"
    most: int = 200
    beyond: int = 8
    places: int = 24
    least: float = 0.5
    least_name: float = 0.3
    min_count: int = 3
    rho: float = 2.0
    max_iter: int = 60

    def __post_init__(self) -> None:
        if self.form not in get_args(CallerForm):
            raise UnknownName("form of a model of callers", self.form, get_args(CallerForm))
