"""Matchers of names on disk: learners (`glyphone.models.learners.file`) with a description.

The speller of a matcher is never saved: it consists of models that have files of their own.

>>> import tempfile
>>> one, two = [("Ana Paz", "Paz, Ana"), ("Bo Li", "Bo Li")], [("Ana Paz", "Bo Li")]
>>> matcher = NameMatcher(strength=9.0).fit(one + two, [1, 1, 0])
>>> path = tempfile.mkdtemp() + "/x.glyphone"
>>> save(matcher, path)
>>> load(path).similarity("Bo Li", "Li, Bo") == matcher.similarity("Bo Li", "Li, Bo")
True
"""

from __future__ import annotations

import copy
from typing import Any

from glyphone.catalog import names as catalog_names
from glyphone.catalog.defaults import KANJI
from glyphone.fst.storage import container as storage_container
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import Packing
from glyphone.learners.matching.matcher import NameMatcher
from glyphone.matching.comparer import Comparer
from glyphone.matching.spellings import NameSpeller, default_models
from glyphone.models.kanji.matching.matcher import Matcher
from glyphone.models.learners import file as learner_file

KIND = "matcher"


def pack_matcher(matcher: NameMatcher, prefix: str) -> Contents:
    """The contents of a file; arrays stand under the prefix."""
    packed = copy.copy(matcher)
    packed.speller, packed.description_ = None, {}
    description = getattr(matcher, "description_", {})
    contents = learner_file.to_contents(packed, prefix)
    return Contents(KIND, {**contents.manifest, "description": description}, contents.arrays)


def unpack_matcher(contents: Contents, prefix: str, path: FilePath | None) -> NameMatcher:
    matcher = learner_file.unpack_learner(contents, prefix, path)
    if isinstance(matcher, NameMatcher):
        matcher.description_ = contents.manifest["description"]
    return matcher  # type: ignore[no-any-return]


def problem_of(matcher: Any) -> str | None:
    """The first fault of a matcher, whose parts have been checked."""
    if not isinstance(matcher, NameMatcher):
        return f"it is a {type(matcher).__name__}"
    if not hasattr(matcher, "weights_"):
        return "it has learnt nothing"
    return None if isinstance(matcher.description_, dict) else "it has no description"


PACKING = Packing(
    kind=KIND,
    what="matcher of names",
    pack=pack_matcher,
    unpack=unpack_matcher,
    problem_of=problem_of,
)
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents
to_contents = PACKING.pack


def load_named(name: str) -> NameMatcher:
    """The matcher of a name or file, with the spellings of the models of names that are there."""
    return with_speller(load(catalog_names.find_model(name).path))


def with_speller(matcher: NameMatcher) -> NameMatcher:
    matcher.speller = NameSpeller(default_models())
    return matcher


def make_comparer(matcher: NameMatcher) -> Comparer:
    """A matcher, and the model of Japanese names beside it if that is there."""
    if catalog_names.model_of(KANJI) is None:
        return Comparer(matcher)
    kanji: Any = catalog_names.load(KANJI)
    return Comparer(matcher, Matcher(kanji))


def fingerprint_of(comparer: Comparer) -> str:
    """A checksum of a matcher, and the models beside it."""
    contents = storage_container.checksum(to_contents(comparer.matcher, ""))
    if spelling := default_models():
        contents = f"{contents} {spelling}"
    return (
        contents if comparer.kanji is None else f"{contents} {comparer.kanji.model.fingerprint()}"
    )
