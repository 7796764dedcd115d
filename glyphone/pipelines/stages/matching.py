"""A stage that links candidates to the names of a list.

    [[stages]]
    use = "glyphone.match.v1"
    model = "matcher"                 # tells which names are one
    names = "customers.csv"           # a list as `glyphone match` takes it
    column = "name"
    of = "name"                       # callers, of glyphone.voicemail-callers.v1
    sounds = "eng.letter_to_sound"    # names are misheard; without it they are only misspelt
    least = 0.1

Names of the list are candidates with the place and the text of the one that they are linked to, and
the line in the list as a feature; their score is the probability that they were said
(`glyphone.matching.partners`), given that of the candidate.

>>> from glyphone.data.records import Candidate
>>> from glyphone.learners.matching.matcher import NameMatcher
>>> one, two = [("Ana Paz", "Paz, Ana"), ("Bo Li", "Bo Li")], [("Ana Paz", "Bo Li")]
>>> matcher = make_comparer(NameMatcher(strength=99.0).fit(one + two, [1, 1, 0]))
>>> stage = Match(model=matcher, names=NameList(["Paz, Ana", "Bo Li"], [(1,), (2, 3)], []))
>>> item = Item("it's ana paz", candidates=(Candidate((5, 12), "ana paz", "ana paz", score=0.9),))
>>> [(one.value, round(one.score, 2)) for one in stage([item])[0].candidates]
[('ana paz', 0.9), ('Paz, Ana', 0.9)]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from glyphone.data.errors import FormatError, GlyphoneError, ItemError, UnknownName
from glyphone.data.fields import Between, check_settings
from glyphone.data.records import Candidate
from glyphone.fst.storage.container import REMEDY, Contents, FilePath
from glyphone.matching import file as matcher_file
from glyphone.matching.comparer import Comparer
from glyphone.matching.file import make_comparer
from glyphone.matching.name_lists import NameList, read_list
from glyphone.matching.partners import LEAST, MOST, HeardNames, Partner, PartnerFinder
from glyphone.matching.phones import Phones
from glyphone.pipelines.registry import Item
from glyphone.pipelines.resources import Transducer, file_of
from glyphone.pipelines.settings import Resource

KIND = "names"


class MatcherResource(Resource):
    """A model of `glyphone train --kind matcher`, or the default one; models of names in other
    scripts are beside it where they are trained."""

    def find(self, name: str, folder: Path) -> str:
        from glyphone.catalog import names as catalog_names

        found = file_of(name, folder)
        catalog_names.find_model(found)
        return found

    def load(self, name: str) -> Comparer:
        return make_comparer(matcher_file.load_named(name))

    def fingerprint(self, value: Comparer) -> str:
        return matcher_file.fingerprint_of(value)

    def pack(self, value: Comparer, prefix: str) -> Contents:
        return matcher_file.to_contents(value.matcher, prefix)

    def unpack(self, contents: Contents, prefix: str, path: FilePath | None) -> Comparer:
        matcher = matcher_file.from_contents(contents, prefix, path=path)
        return make_comparer(matcher_file.with_speller(matcher))


class NamesResource(Resource):
    """A file of names, which the stage reads, as it knows the column."""

    def find(self, name: str, folder: Path) -> str:
        beside = folder / name
        if not beside.is_file() and not Path(name).is_file():
            near = [path.name for path in folder.iterdir() if path.is_file()]
            raise UnknownName("file of names", name, near)
        return str(beside if beside.is_file() else name)

    def load(self, name: str) -> str:
        return name

    def pack(self, value: NameList, prefix: str) -> Contents:
        return Contents(KIND, {"names": value.names, "lines": [*map(list, value.lines)]})

    def unpack(self, contents: Contents, prefix: str, path: FilePath | None) -> NameList:
        try:
            rows = check_settings(ListedNames, contents.manifest)
        except GlyphoneError as error:
            raise FormatError(str(error), path=path, remedy=REMEDY) from None
        lines = [*map(tuple, rows["lines"])]
        if len(lines) != len(rows["names"]) or not all(lines):
            raise FormatError("holds names without lines", path=path, remedy=REMEDY)
        return NameList([*rows["names"]], lines, [])


@dataclass(frozen=True)
class ListedNames:
    """The manifest of a list of names."""

    names: tuple[str, ...]
    lines: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Match:
    """Adds the names of a list that candidates may be, the likeliest `most` of each; only to
    candidates that have `of` as a feature or a value, if it is given.

    `names` is a file or a list, `column` the name of a column of the file, or its number in quotes.
    """

    model: Annotated[Any, MatcherResource()]
    names: Annotated[Any, NamesResource()]
    column: str | None = None
    of: str | None = None
    sounds: Transducer | None = None
    least: Annotated[float, Between(0, 1)] = LEAST
    most: Annotated[int, Between(1)] = MOST

    def __post_init__(self) -> None:
        if isinstance(self.names, str):
            number = self.column is not None and self.column.isdecimal()
            column = int(self.column or 0) if number else self.column
            object.__setattr__(self, "names", read_list(self.names, column, "column"))

    @cached_property
    def finder(self) -> PartnerFinder:
        phones = None if self.sounds is None else Phones(self.sounds)
        return PartnerFinder(
            self.model, self.names, phones=phones, least=self.least, most=self.most
        )

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        heard = [self.heard(item, one) for item in items for one in self.chosen(item)]
        found = iter(self.finder.find(heard))
        return [
            item.with_candidates([*item.candidates, *self.partners(item, found)]) for item in items
        ]

    def chosen(self, item: Item) -> list[Candidate]:
        of = self.of
        return [one for one in item.candidates if of in (None, one.value, *one.features)]

    def heard(self, item: Item, candidate: Candidate) -> HeardNames:
        if not 0 <= candidate.score <= 1:
            message = f"{candidate.text!r} has the score {candidate.score:g}, no probability"
            remedy = "put a stage before this one that gives probabilities"
            raise ItemError(message, item=item.text, remedy=remedy)
        return [(" ".join(candidate.text.split()), candidate.score)]

    def partners(self, item: Item, found: Iterator[Sequence[Partner]]) -> Iterator[Candidate]:
        for one in self.chosen(item):
            for partner in next(found):
                line = {"line": float(partner.lines[0])}
                yield Candidate(one.span, one.text, partner.name, line, partner.probability)
