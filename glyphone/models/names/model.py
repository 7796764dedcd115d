"""Names of several parts, transcribed part by part and put together as the script does it.

    P(name) = product over the parts of P(part)

A part goes through a joint model and, where the script has a grammar, through what writes it, in
one lattice: see `glyphone.fst.composed.model`. Letters that the model never saw lose their marks (ǎ
is read as a) or become what they are spelt with elsewhere (ß is ss); an answer to such a name says
which they were. What is read, and what is refused, is in `glyphone.models.names.parts`; initials
are written as `letter_names` says. Where a script has capitals, a part begins with one if it does
in Latin letters; all others are small.
"""

from __future__ import annotations

import string
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from glyphone.data.errors import ItemError
from glyphone.data.records import Alignment
from glyphone.data.writing import Writing
from glyphone.fst.composed.arrays import Prior
from glyphone.fst.composed.model import ComposedModel
from glyphone.fst.interface.answers import Answers, merge_answers
from glyphone.fst.interface.codec import Side
from glyphone.fst.interface.model import Learned, Model, Scored
from glyphone.fst.joint.model import JointModel
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.transducers.model import TransducerModel
from glyphone.models.names.assembly import Reading, Sheet, answers_of_initials, without_empty
from glyphone.models.names.languages import Language
from glyphone.models.names.latin import plain_latin
from glyphone.models.names.parts import Part, parts_of, plain_part
from glyphone.models.names.script import letter_names_of

SMALL = Writing(case="lower")
# Marks of letters of any kind, not those of one script.
MARKS = frozenset(map(chr, range(0x300, 0x370)))


@dataclass(frozen=True, eq=False)
class NameModel(Learned):
    """Names of one language; `script` writes what `joint` writes, if it is given.

    `prior` is a model of the language's words beside pairs, `letter_names` how initials are
    written: as in the language's own table, unless another is given.
    """

    kind: ClassVar[str] = "names"

    language: Language
    joint: JointModel
    script: TransducerModel | None = None
    name: str = "names"
    temperature: float = 1.0
    description: Mapping[str, Any] = field(default_factory=dict)
    prior: Prior | None = None
    letter_names: Mapping[str, str] | None = None

    @cached_property
    def letters(self) -> Mapping[str, str]:
        """How an initial is written, by its letter."""
        given = self.letter_names
        return letter_names_of(self.language) if given is None else given

    @cached_property
    def words(self) -> Model:
        """The model that transcribes a part of a name."""
        joint = replace(self.joint, temperature=self.temperature, name=self.name)
        if self.script is None and self.prior is None:
            return joint
        return ComposedModel(joint, self.script, self.name, self.prior)

    @property
    def source(self) -> Side:  # type: ignore[override]
        return self.words.source

    @cached_property
    def target(self) -> Side:  # type: ignore[override]
        """The target side of the parts, which are compared as small letters."""
        side = self.words.target
        if not self.language.cased:
            return side
        return replace(side, writing=replace(side.writing, case="lower"))

    @cached_property
    def plain(self) -> frozenset[str]:
        """Letters of ASCII that the model knows: they never change those beside them."""
        known, convert = self.source.symbols, self.source.writing.convert
        return frozenset(one for one in string.ascii_letters if convert(one) in known)

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        """Answers for a block of names at once; `failures` has the items that fail."""
        failures: dict[int, ItemError] = {}
        readings: list[Reading | None] = []
        places: dict[str, int] = {}
        for item, text in enumerate(texts):
            try:
                reading = self.read(text)
            except ItemError as error:
                failures[item] = error
                readings.append(None)
            else:
                readings.append(reading)
                for part in reading.parts:
                    places.setdefault(part.word, len(places))
        found = self.transcribe(list(places), n=n, spans=spans)
        sheet = Sheet(self.language, found)
        for item, read in enumerate(readings):
            if read is not None:
                numbers = [places[part.word] for part in read.parts]
                if found.failures.keys().isdisjoint(numbers):
                    sheet.add(item, read, numbers, n)
                else:
                    failed = next(k for k, number in enumerate(numbers) if number in found.failures)
                    cause, part = found.failures[numbers[failed]], read.parts[failed]
                    failures[item] = in_name(cause, texts[item], part)
            sheet.firsts.append(len(sheet.outputs))
        return sheet.answers(failures)

    def transcribe(self, words: Sequence[str], *, n: int, spans: bool) -> Answers:
        """Answers for parts of names, none of them empty."""
        initials = [item for item, word in enumerate(words) if word.endswith(".")]
        if initials:
            others = [item for item, word in enumerate(words) if not word.endswith(".")]
            rows = [
                (others, self.transcribe([words[item] for item in others], n=n, spans=spans)),
                (
                    initials,
                    answers_of_initials([self.letters[words[item][0]] for item in initials]),
                ),
            ]
            return merge_answers(len(words), rows)
        found = self.words.answer(words, n=n, spans=spans)
        if all(found.outputs):
            return found
        items = [
            item
            for item in range(len(words))
            if not all(found.outputs[found.firsts[item] : found.firsts[item + 1]])
        ]
        some = [words[item] for item in items]
        again = without_empty(self.words.answer(some, n=n + 1, spans=spans), some, stage=self.name)
        return merge_answers(len(words), [(range(len(words)), found), (items, again)])

    def read(self, text: str) -> Reading:
        """The parts of a name in letters that the model knows, as far as they can be had."""
        if text and self.plain.issuperset(text):
            return Reading((plain_part(text, 0, len(text)),), ())
        unknown: dict[str, None] = {}
        parts = tuple(self.respelt(text, part, unknown) for part in parts_of(text, self.letters))
        return Reading(parts, tuple(unknown))

    def respelt(self, text: str, part: Part, unknown: dict[str, None]) -> Part:
        """A part with other letters in place of those that the model does not know."""
        if part.initial or self.plain.issuperset(part.word):
            return part
        known = self.source.symbols
        try:
            split = self.source.writing.split(part.word)
        except ItemError as error:
            raise in_name(error, text, part) from None
        if all(symbol in known for symbol in split.symbols):
            return part
        letters, begins, ends = list[str](), list[int](), list[int]()
        strange: dict[str, None] = {}
        for symbol, start, stop in zip(split.symbols, split.starts, split.ends, strict=True):
            begin, end = part.begins[start], part.ends[stop - 1]
            spelt = symbol
            if symbol not in known:
                other = plain_latin(symbol)
                silent = symbol == "'" or symbol in MARKS
                if silent or (other and all(letter in known for letter in other)):
                    spelt = "" if silent else other
                    strange[text[begin:end]] = None
            letters += spelt
            begins += [begin] * len(spelt)
            ends += [end] * len(spelt)
        if not letters:
            return part
        unknown |= strange
        return part._replace(word="".join(letters), begins=begins, ends=ends)

    def lattice(self, text: str) -> Lattice:
        """All outputs for a name of one part; ItemError for one of several."""
        return self.words.lattice(self.only(text).word)

    def spelt(self, text: str) -> Sequence[Part]:
        """The parts of a name that the model writes: all of them, or ItemError."""
        parts = self.read(text).parts
        if any(part.initial for part in parts):
            remedy = "leave them out: how they are written is in a table, and is not weighed"
            raise ItemError("has initials", item=text, stage=self.name, remedy=remedy)
        return parts

    def only(self, text: str) -> Part:
        parts = self.spelt(text)
        if len(parts) > 1:
            remedy = f"ask for each part: {', '.join(part.word for part in parts)}"
            raise ItemError("has several parts", item=text, stage=self.name, remedy=remedy)
        return parts[0]

    def score(self, source: str, target: str) -> Scored:
        """ln P of a pair, over its parts: those of the target are cut as the script joins them."""
        parts = self.spelt(source)
        written = self.cut(target, len(parts))
        scores = [
            self.words.score(part.word, other) for part, other in zip(parts, written, strict=True)
        ]
        units = tuple(unit for scored in scores for unit in scored.alignment.units)
        posterior = 1.0
        for scored in scores:
            posterior *= scored.posterior
        rank = scores[0].rank if len(scores) == 1 else None
        return Scored(sum(s.log_probability for s in scores), posterior, Alignment(units), rank)

    def cut(self, target: str, n: int) -> list[str]:
        """A target in as many parts as its source; ItemError if it has another number."""
        written = [part.word for part in parts_of(self.language.latin_separators(target))]
        if len(written) != n:
            message = f"is of {len(written)} parts, and its source of {n}"
            raise ItemError(message, item=target, stage=self.name)
        # What the model writes is small, and gets its capitals from the source.
        return [SMALL.convert(word) for word in written] if self.language.cased else written

    def invert(self) -> Model:
        return self.words.invert()

    def exact(self) -> NameModel:
        return replace(self, joint=self.joint.exact())

    def failure(self, text: str, status: int) -> ItemError:
        return self.words.failure(text, status)

    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""
        language = self.language
        settings: tuple[object, ...] = (
            language.separators, language.cased, self.words.fingerprint()
        )  # fmt: skip
        if self.letters:
            settings += (sorted(self.letters.items()),)
        return f"{zlib.crc32(repr(settings).encode()):08x}"


def in_name(error: ItemError, text: str, part: Part) -> ItemError:
    """An error of a part as one of the whole name."""
    offset = None if error.offset is None else part.begins[error.offset]
    return type(error)(
        error.message,
        item=text,
        stage=error.stage,
        symbol=error.symbol,
        offset=offset,
        remedy=error.remedy,
    )
