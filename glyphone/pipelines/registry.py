"""Stages: their items, and their names.

A stage is a frozen dataclass. Its fields are its settings; called with a block of items, it gives
as many back, in order, with more in them. It must not change its items, nor remember them.
Items of one document are always in one block, and where a block fails, its documents are tried one
by one. A stage may be called by several threads.

Stages have versioned names: what a name does never changes, and what does something else has
another. Those of other packages are found under the entry points of the group
`glyphone.stages`:

    [project.entry-points."glyphone.stages"]
    "acme.longest.v1" = "acme.stages:Longest"

>>> @dataclass(frozen=True)
... class Longest:
...     most: int = 1
...     def __call__(self, items):
...         longest = [sorted(item.candidates, key=lambda c: -len(c.text)) for item in items]
...         return [item.with_candidates(row[: self.most]) for item, row in zip(items, longest)]
>>> item = Item("a bc", candidates=(Candidate((0, 1), "a", "A"), Candidate((2, 4), "bc", "BC")))
>>> [candidate.value for candidate in Longest()([item])[0].candidates]
['BC']
>>> find_stage("glyphone.keep.v1").__name__
'Keep'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from glyphone.data.errors import GlyphoneError, ItemError, UnknownName
from glyphone.data.records import Candidate

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "glyphone.stages"
NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)+\.v[1-9][0-9]*")

_HOMES = {
    "glyphone.classify.v1": "glyphone.pipelines.stages.classifying:Classify",
    "glyphone.decode-f.v1": "glyphone.pipelines.stages.deciding:DecodeF",
    "glyphone.entities.v1": "glyphone.pipelines.stages.entities:Entities",
    "glyphone.find.v1": "glyphone.pipelines.stages.transducing:Find",
    "glyphone.keep.v1": "glyphone.pipelines.stages.deciding:Keep",
    "glyphone.match.v1": "glyphone.pipelines.stages.matching:Match",
    "glyphone.rerank.v1": "glyphone.pipelines.stages.reranking:Rerank",
    "glyphone.score.v1": "glyphone.pipelines.stages.transducing:Score",
    "glyphone.sentences.v1": "glyphone.pipelines.stages.texts:Sentences",
    "glyphone.tokens.v1": "glyphone.pipelines.stages.texts:Tokens",
    "glyphone.transduce.v1": "glyphone.pipelines.stages.transducing:Transduce",
    "glyphone.voicemail-callers.v1": "glyphone.pipelines.stages.voicemail:Callers",
    "glyphone.voicemail-numbers.v1": "glyphone.pipelines.stages.voicemail:Numbers",
}


@dataclass(frozen=True)
class Item:
    """A text on its way through a pipeline, with its candidates.

    Answers of a transducer, classes of a text and finds in a document are all candidates; a stage
    that decides moves candidates to `rejected`. Items that follow each other and have the
    same `document`, if it is not empty, are decided about together. `fields` came with the text;
    an item with an error is passed by the stages that follow.
    """

    text: str
    candidates: tuple[Candidate, ...] = ()
    rejected: tuple[Candidate, ...] = ()
    document: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    line: int = 0
    error: ItemError | None = None

    def with_candidates(self, candidates: Iterable[Candidate]) -> Item:
        """The item with other candidates."""
        return replace(self, candidates=tuple(candidates))

    def keep_candidates(self, keep: Sequence[bool]) -> Item:
        """The item with some of its candidates; the others are rejected."""
        chosen = list(zip(self.candidates, keep, strict=True))
        kept = tuple(candidate for candidate, kept in chosen if kept)
        others = tuple(candidate for candidate, kept in chosen if not kept)
        return replace(self, candidates=kept, rejected=self.rejected + others)

    def with_error(self, error: ItemError) -> Item:
        """The item with an error, which later stages pass by."""
        return replace(self, error=error)


class Stage(Protocol):
    def __call__(self, items: Sequence[Item], /) -> Sequence[Item]: ...


def add_score(candidate: Candidate, name: str, feature: float, score: float) -> Candidate:
    """A candidate with a new score, and with a further feature of this name."""
    return replace(candidate, score=score, features={**candidate.features, name: feature})


def split_documents(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Items that are decided about together.

    >>> [len(part) for part in split_documents([Item("a", document="1"), Item("b", document="1"),
    ...                                   Item("c"), Item("d")])]
    [2, 1, 1]
    """
    together: list[Item] = []
    for item in items:
        if together and (not item.document or item.document != together[-1].document):
            yield together
            together = []
        together.append(item)
    if together:
        yield together


@cache
def entry_points() -> Mapping[str, EntryPoint]:
    """The stages of other packages, under their names."""
    from importlib import metadata

    by_name: dict[str, EntryPoint] = {}
    for point in metadata.entry_points(group=GROUP):
        other = _HOMES.get(point.name) or (
            by_name[point.name].value if point.name in by_name else ""
        )
        if other not in ("", point.value):
            remedy = "uninstall one of the two packages"
            raise GlyphoneError(
                f"is both {other} and {point.value}", stage=point.name, remedy=remedy
            )
        by_name[point.name] = point
    return by_name


def stage_names() -> list[str]:
    """All stages that are installed."""
    return sorted({*_HOMES, *entry_points()})


def find_stage(name: str) -> type:
    """The class of a stage, imported when it is asked for."""
    if name not in _HOMES and name not in entry_points():
        raise UnknownName("stage", name, stage_names())
    home = _HOMES.get(name) or entry_points()[name].value
    if not NAME.fullmatch(name):
        remedy = "such as acme.longest.v1"
        raise GlyphoneError(f"stage {name!r} of {home} has no versioned name", remedy=remedy)
    module, _, attribute = home.partition(":")
    try:
        kind = getattr(import_module(module), attribute)
    except Exception as error:
        message = f"{home} cannot be imported: {type(error).__name__}: {error}"
        raise GlyphoneError(message, stage=name, remedy="mend or uninstall its package") from error
    if not isinstance(kind, type) or not is_dataclass(kind) or "__call__" not in dir(kind):
        message = f"{home} is no stage"
        raise GlyphoneError(message, stage=name, remedy="make it a dataclass that can be called")
    return kind


def name_of(stage: Stage) -> str:
    """The versioned name of a stage, or that of its class if it has none."""
    home = f"{type(stage).__module__}:{type(stage).__qualname__}"
    homes = {**{name: point.value for name, point in entry_points().items()}, **_HOMES}
    return next((name for name, known in homes.items() if known == home), type(stage).__qualname__)
