"""The verb `glyphone match`: two names, a file of pairs, a list, or two lists, by any model that
compares names.

Words that name files, `-` among them, are files; others are names. A model of Japanese names
compares names by their readings alone, and writes rows of its own
(`glyphone.models.kanji.matching.files`); it is asked for by name, or serves for two Japanese names
if it is there and no model was asked for.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Final

from glyphone.batch.job import Files
from glyphone.catalog import names as catalog_names
from glyphone.catalog.defaults import KANJI, MATCHER
from glyphone.data.errors import GlyphoneError
from glyphone.io.formats import PARQUET, TEXT_FORMATS, result_format
from glyphone.matching import file as matcher_file
from glyphone.matching.comparer import Comparer, is_japanese
from glyphone.matching.lists import THRESHOLD, ListJob, match_lists
from glyphone.matching.pair_files import PairJob, match_names, match_pairs
from glyphone.matching.tables import Column
from glyphone.models.kanji.matching.files import MatchJob, match_file
from glyphone.models.kanji.matching.matcher import READINGS

ENDINGS: Final = (".csv", ".txt", ".gz", *(f".{ending}" for ending in (*TEXT_FORMATS, PARQUET)))


@dataclass(frozen=True, kw_only=True)
class MatchRequest:
    """Names or files to compare, and where results go.

    `first` and `second` are names or files; `format` is the one that was asked for. Without `top`
    and `clusters` a single file has pairs. A threshold that is None is the default.
    """

    first: str
    second: str | None = None
    model: str | None = None
    output: str = "-"
    errors: str | None = None
    format: str | None = None
    column: Column | None = None
    first_column: Column | None = None
    second_column: Column | None = None
    threshold: float | None = None
    top: int | None = None
    clusters: bool = False
    readings: int = READINGS

    @property
    def names(self) -> tuple[str, str] | None:
        """Both names, if these are to be compared."""
        if self.second is None or (is_file(self.first) and is_file(self.second)):
            return None
        for word in (self.first, self.second):
            if is_file(word):
                other = self.second if word == self.first else self.first
                message = f"{word} is a file, and {other!r} is none"
                raise GlyphoneError(message, remedy="give two files, two names, or one file")
        return self.first, self.second

    @property
    def of_lists(self) -> bool:
        return self.second is not None or self.clusters or self.top is not None

    @property
    def columns(self) -> tuple[Column | None, Column | None]:
        return self.first_column or self.column, self.second_column or self.column

    def files(self, source: str, *, of_lists: bool = False) -> dict[str, Any]:
        """The files and the format of a job; lists may be of another form than results."""
        known = result_format(self.format, "-" if of_lists else source, self.output)
        found = {"source": source, "output": self.output, "errors": self.errors}
        return {**found, "format": known, "model": self.model or MATCHER}


def is_file(word: str) -> bool:
    """
    >>> is_file("-"), is_file("customers.csv"), is_file("Ana Paz")
    (True, True, False)
    """
    return word == "-" or word.lower().endswith(ENDINGS) or os.path.isfile(word)


def match(request: MatchRequest, *, jobs: int | None = None, resume: bool = False) -> int:
    """Compare what is asked for, and return how many items failed."""
    names = request.names
    kind = kind_for(request)
    if names is None and request.of_lists:
        if kind == "channel":
            remedy = "leave out --model: it has a part where names are Japanese"
            raise GlyphoneError("a model of Japanese names compares pairs", remedy=remedy)
        job = list_job(request)
        return match_lists(*comparer_of(job), job, jobs=jobs, resume=resume)
    if request.of_lists and (request.clusters or request.top is not None):
        raise GlyphoneError("two names are no list", remedy="leave out --top and --clusters")
    if kind == "channel":
        return match_japanese(request, jobs=jobs, resume=resume)
    if names is not None:
        files = Files(**request.files("-"))
        match_names(comparer_of(files)[0], *names, files)
        return 0
    if request.column is not None:
        remedy = "add --top or --clusters; columns of pairs are --first-column, --second-column"
        raise GlyphoneError("--column is that of a list", remedy=remedy)
    pair_job = pair_job_of(request)
    return match_pairs(*comparer_of(pair_job), pair_job, jobs=jobs, resume=resume)


def kind_for(request: MatchRequest) -> str:
    """The kind of the model that compares: that of the one asked for, or the one for the names."""
    if request.model is not None:
        kind = catalog_names.kind_of(catalog_names.find_model(request.model).path)
        if not kind.compares:
            remedy = f"name a matcher, or a model of Japanese names such as {KANJI}"
            raise GlyphoneError(f"{request.model} does not compare names", remedy=remedy)
        return kind.name
    names = request.names
    if names and is_japanese(*names) and catalog_names.model_of(KANJI) is not None:
        return "channel"
    return "matcher"


def comparer_of(job: Files) -> tuple[Comparer, str]:
    """The comparer of a job by its matcher, and a checksum of what it consists of."""
    comparer = matcher_file.make_comparer(matcher_file.load_named(job.model))
    return comparer, matcher_file.fingerprint_of(comparer)


def list_job(request: MatchRequest) -> ListJob:
    return ListJob(
        **request.files(request.first, of_lists=True),
        other=request.second,
        columns=request.columns,
        top=request.top or 1,
        clusters=request.clusters,
        least=THRESHOLD if request.threshold is None else request.threshold,
    )


def pair_job_of(request: MatchRequest) -> PairJob:
    return PairJob(
        **request.files(request.first),
        columns=(request.first_column or 1, request.second_column or 2),
        least=request.threshold or 0.0,
    )


def match_japanese(request: MatchRequest, *, jobs: int | None, resume: bool) -> int:
    """Compare Japanese names, a pair or a file of pairs, by their readings."""
    names, model = request.names, request.model or KANJI
    files = request.files("-" if names else request.first)
    job = MatchJob(
        **{**files, "model": model},
        names=names,
        first_column=request.first_column or 1,
        second_column=request.second_column or 2,
        readings=request.readings,
        least=request.threshold or 0.0,
    )
    return match_file(catalog_names.load(model), job, jobs=jobs, resume=resume)
