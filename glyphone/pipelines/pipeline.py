"""Pipelines: stages one after the other, over streams of texts.

A pipeline is made of stages in Python, or read from a TOML file, see `glyphone.pipelines.toml`, or
from the one file that `save` makes of it with all its models, see `glyphone.pipelines.file`.

>>> from glyphone.pipelines.stages.transducing import Transduce
>>> import glyphone
>>> pipeline = Pipeline((Transduce(model=glyphone.load("spa.letter_to_sound:CASTILIAN")),))
>>> pipeline("hola").candidates[0].value
'ˈ o l a'
>>> [str(item.error and item.error.symbol) for item in pipeline.apply(["hola", "ho€la"])]
['None', '€']
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.parallel import map_in_order
from glyphone.fst.storage.container import FilePath, is_model_file
from glyphone.pipelines import settings
from glyphone.pipelines.profile import Counts
from glyphone.pipelines.reading import Reading
from glyphone.pipelines.registry import Item, Stage, name_of, split_documents

BLOCK = 1024


@dataclass(frozen=True)
class Pipeline:
    """Stages, and where in its input a pipeline looks for texts."""

    stages: tuple[Stage, ...]
    reading: Reading = field(default_factory=Reading)

    def __post_init__(self) -> None:
        for stage in self.stages:
            settings.check_settings(stage)

    def __call__(self, text: str) -> Item:
        """The item of one text after all stages; ItemError if a stage fails."""
        ((item,), _) = self.run_stages([Item(text)])
        if item.error is not None:
            raise item.error
        return item

    def apply(self, texts: Iterable[str], *, jobs: int | None = None) -> Iterator[Item]:
        """The items of texts after all stages, lazily and in order; failed items have an error."""
        items = (Item(text, line=number) for number, text in enumerate(texts, 1))
        blocks = iter(lambda: list(islice(items, BLOCK)), [])
        return chain.from_iterable(block for block, _ in self.blocks(blocks, jobs=jobs))

    def blocks(
        self, blocks: Iterator[Sequence[Item]], *, jobs: int | None = None
    ) -> Iterator[tuple[list[Item], list[Counts]]]:
        """The items of blocks of whole documents after all stages, and the counts of each stage."""
        return (found for _, found in map_in_order(self.run_stages, blocks, jobs=jobs))

    def run_stages(self, items: Sequence[Item]) -> tuple[list[Item], list[Counts]]:
        """A block after all stages; those behind the one at which an item fails do not see it."""
        results, counts = list(items), []
        for stage in self.stages:
            places = [k for k, item in enumerate(results) if item.error is None]
            given = [results[k] for k in places]
            begun = time.perf_counter()
            done = run_stage(stage, list(split_documents(given)))
            counts.append(Counts.of(given, done, time.perf_counter() - begun))
            for k, item in zip(places, done, strict=True):
                results[k] = item
        return results, counts

    @property
    def names(self) -> list[str]:
        """The names of the stages."""
        return [name_of(stage) for stage in self.stages]

    def fingerprint(self) -> str:
        """A checksum of everything that the candidates depend on."""
        crc = zlib.crc32(repr(self.reading).encode())
        for stage in self.stages:
            crc = zlib.crc32(
                repr((name_of(stage), settings.settings_fingerprints(stage))).encode(), crc
            )
        return f"{crc:08x}"

    def save(self, path: FilePath) -> None:
        """Writes one file with all models; a stage without a versioned name cannot be saved."""
        from glyphone.pipelines import file as pipeline_file

        pipeline_file.save(self, path)


def run_stage(stage: Stage, parts: Sequence[Sequence[Item]]) -> list[Item]:
    """The items of documents after a stage; if it fails, the documents are tried one by one."""
    items = list(chain.from_iterable(parts))
    if not items:
        return []
    try:
        answered = list(stage(items))
    except Exception as error:
        if isinstance(error, GlyphoneError) and not isinstance(error, ItemError):
            raise
        if len(parts) > 1:
            middle = len(parts) // 2
            return run_stage(stage, parts[:middle]) + run_stage(stage, parts[middle:])
        return [item.with_error(stage_failure(error, stage)) for item in items]
    if [item.line for item in answered] != [item.line for item in items]:
        message = f"was given {len(items)} items and gave back {len(answered)}, or others"
        remedy = "a stage gives back every item, in order"
        raise GlyphoneError(message, stage=name_of(stage), remedy=remedy)
    return answered


def stage_failure(error: Exception, stage: Stage) -> ItemError:
    """An error of a stage as that of an item."""
    if isinstance(error, ItemError):
        error.stage = error.stage or name_of(stage)
        return error
    return ItemError(f"{type(error).__name__}: {error}", stage=name_of(stage))


def load(path: FilePath) -> Pipeline:
    """The pipeline of a TOML file, or of one that `save` has written."""
    from glyphone.pipelines import file as pipeline_file
    from glyphone.pipelines import toml

    return pipeline_file.load(path) if is_model_file(path) else toml.load(path)
