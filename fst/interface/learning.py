"""Learning a model of any kind from pairs: its settings, its options, and the outcome.

>>> from glyphone.fst.joint.training import JointOptions
>>> options = with_alignment(JointOptions(), {"order": 4, "max_target": 3}, 7, kind="a joint model")
>>> options.order, options.alignment.max_target, options.alignment.seed, options.widen
(4, 3, 7, False)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Protocol, TypeVar

from glyphone.data.errors import UnknownName
from glyphone.data.writing import LETTERS, PHONES, Writing
from glyphone.fst.alignment.training import AlignmentOptions, Refusal
from glyphone.fst.interface.model import Learned

Stage = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of every kind of model; `chosen` are the options of one kind."""

    source: Writing = LETTERS
    target: Writing = PHONES
    seed: int = 0
    jobs: int = 1
    name: str = ""
    on_stage: Stage | None = None
    chosen: Mapping[str, Any]

    def fitting(self, name: str) -> dict[str, Any]:
        """Arguments of a function that fits a model, which has this name if it has no other."""
        return {
            "source": self.source,
            "target": self.target,
            "jobs": self.jobs,
            "name": self.name or name,
        }


@dataclass(frozen=True, eq=False)
class Learnt:
    """A model, the pairs that it could not learn from, its options and its size in numbers."""

    model: Learned
    refusals: tuple[Refusal, ...]
    options: dict[str, Any]
    sizes: dict[str, int]


class Aligning(Protocol):
    """A dataclass of options of a model that is learnt from aligned pairs."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def alignment(self) -> AlignmentOptions: ...


Options = TypeVar("Options", bound=Aligning)


def with_alignment(
    options: Options,
    chosen: Mapping[str, Any],
    seed: int,
    *,
    kind: str,
    known: Iterable[str] = (),
) -> Options:
    """Options with those that are chosen; those of alignments go to the aligner.

    `known` are names for errors, of options that are dealt with elsewhere.
    """
    own = {field.name for field in fields(options)} - {"alignment"}
    aligner = {field.name for field in fields(AlignmentOptions)} - own
    for name in chosen:
        if name not in own | aligner:
            raise UnknownName(f"option of {kind}", name, own | aligner | {*known})
    cut = {name: value for name, value in chosen.items() if name in aligner}
    alignment = replace(options.alignment, **{"seed": seed, **cut})
    rest = {name: value for name, value in chosen.items() if name in own}
    # Who says how long the target of a unit may be does not want it longer.
    rest = {"seed": seed, "widen": "max_target" not in chosen, **rest}
    return replace(options, alignment=alignment, **rest)
