"""Learning a model of any kind from pairs: its settings, its options, and the outcome.

>>> from glyphone.fst.joint.training import JointOptions
>>> options = with_alignment(JointOptions(), {"order": 4, "max_target": 3}, 7, kind="a joint model")
>>> options.order, options.alignment.max_target, options.alignment.seed, options.widen
(4, 3, 7, False)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Protocol, TypeVar

from glyphone.data.errors import UnknownName
from glyphone.data.records import Alignment, Pair
from glyphone.data.writing import LETTERS, PHONES, Writing
from glyphone.fst.alignment.training import AlignmentOptions, Refusal
from glyphone.fst.alignment.widening import align_widening
from glyphone.fst.interface import normal_form
from glyphone.fst.interface.model import Learned
from glyphone.fst.interface.normal_form import Learn


@dataclass(frozen=True, kw_only=True)
class LearningSettings:
    """Settings of every kind of model; `chosen` are the options of one kind."""

    source: Writing = LETTERS
    target: Writing = PHONES
    seed: int = 0
    jobs: int = 1
    name: str = ""
    chosen: Mapping[str, Any]

    def fit_arguments(self, name: str) -> dict[str, Any]:
        """The arguments of a function that fits a model; `name` is the name if none was chosen."""
        return {
            "source": self.source,
            "target": self.target,
            "jobs": self.jobs,
            "name": self.name or name,
        }


@dataclass(frozen=True, eq=False)
class LearningResult:
    """A trained model, the pairs that it could not use, its options and its size in numbers."""

    model: Learned
    refusals: tuple[Refusal, ...]
    options: dict[str, Any]
    sizes: dict[str, int]


class AlignedOptions(Protocol):
    """A dataclass with the options of a model that is learnt from aligned pairs."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def alignment(self) -> AlignmentOptions: ...

    @property
    def widen(self) -> bool: ...

    @property
    def best_form(self) -> bool: ...


Options = TypeVar("Options", bound=AlignedOptions)


def with_alignment(
    options: Options,
    chosen: Mapping[str, Any],
    seed: int,
    *,
    kind: str,
    known: Iterable[str] = (),
) -> Options:
    """Options with the chosen values; options of alignment go to the aligner.

    `known` are names of further options, for the error that lists them.
    """
    own = {field.name for field in fields(options)} - {"alignment"}
    aligner = {field.name for field in fields(AlignmentOptions)} - own
    for name in chosen:
        if name not in own | aligner:
            raise UnknownName(f"option of {kind}", name, own | aligner | {*known})
    cut = {name: value for name, value in chosen.items() if name in aligner}
    alignment = replace(options.alignment, **{"seed": seed, **cut})
    rest = {name: value for name, value in chosen.items() if name in own}
    # A user who sets the length of targets does not want them longer.
    rest = {"seed": seed, "widen": "max_target" not in chosen, **rest}
    return replace(options, alignment=alignment, **rest)


@dataclass(frozen=True, eq=False)
class AlignedLexicon:
    """Alignments and weights of the pairs that can be aligned, and the other pairs.

    `source` is the writing of the words, in the normal form in which they are learnt best.
    """

    source: Writing
    alignments: list[Alignment]
    weights: list[float]
    refusals: tuple[Refusal, ...]


def align_lexicon(
    pairs: Sequence[Pair],
    options: AlignedOptions,
    learn: Learn,
    *,
    source: Writing,
    target: Writing,
    jobs: int,
) -> AlignedLexicon:
    """The pairs aligned; with `options.best_form` in the normal form that suits `learn` best."""
    words: Sequence[Pair] = pairs
    if options.best_form:
        source, words = normal_form.choose_normal_form(pairs, learn, source=source, target=target)
    alignments, refusals = align_widening(words, options.alignment, widen=options.widen, jobs=jobs)
    kept = [
        (alignment, pair.weight)
        for alignment, pair in zip(alignments, words, strict=True)
        if alignment is not None
    ]
    return AlignedLexicon(
        source,
        [alignment for alignment, _ in kept],
        [weight for _, weight in kept],
        tuple(replace(refusal, pair=pairs[refusal.index]) for refusal in refusals),
    )
