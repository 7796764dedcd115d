"""Japanese names, from romaji or kana to kanji, and from kanji to their readings.

    P(K, r) = sum over kinds of names and their parts of P(kind) share(part) P(K, r | part)

where r is the key of what is typed in romaji, or kana. Two joint models compute it, each a mixture
of names of all kinds: one over keys, one over hiragana. Readings of kanji are those of the second,
read the other way round, so that they mark long vowels. The script of the input decides the
output: a name with a kanji in it is read, other names are restored. Answers in a model's own
dictionary go to the top, see `glyphone.fst.interface.promotion`.

See `glyphone.models.kanji.training` for an example.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from glyphone.data.errors import ItemError, NoOutput, UnknownName
from glyphone.data.records import Hypothesis, Pair, Symbols
from glyphone.data.scripts.romaji import romaji_objection
from glyphone.fst.interface.answers import Answers, Origins, merge_answers
from glyphone.fst.interface.codec import Side
from glyphone.fst.interface.lexicon import LexiconFirst
from glyphone.fst.interface.model import Learned, Scored
from glyphone.fst.interface.promotion import Promotion
from glyphone.fst.interface.reasons import Reasons
from glyphone.fst.joint.model import JointModel
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.block_kernels import NO_PATH
from glyphone.fst.transducers.model import TransducerModel
from glyphone.models.kanji.mixtures import GIVEN, SURNAME, of_one_kind, reversed_mixture
from glyphone.models.kanji.request import (
    CodePointSide,
    Part,
    Request,
    Route,
    join_parts,
    parse_request,
)
from glyphone.models.kanji.unseen import UNSEEN, respell_unknown, with_unseen_kanji

# What can be said of all names at once.
KINDS = (SURNAME, GIVEN)
# Two names may stand together with nothing between them.
UNDIVIDED = 1


@dataclass(frozen=True, eq=False)
class KanjiModel(Learned):
    """`romaji` reads the keys that `keys` makes, `kana` hiragana; both write kanji.

    Without `kana`, as where all readings were in romaji, kanji are read as keys. `kinds` are those
    of names that both know, each in its order; `names_are` is the kind of all names, where it is
    known, as in a column of surnames.
    """

    kind: ClassVar[str] = "channel"

    romaji: JointModel
    keys: TransducerModel
    kana: JointModel | None = None
    name: str = "kanji"
    temperature: float = 1.0
    description: Mapping[str, Any] = field(default_factory=dict)
    dictionary: tuple[Pair, ...] = ()
    kinds: Mapping[str, Symbols] = field(default_factory=dict)
    names_are: str | None = None

    @cached_property
    def source(self) -> Side:  # type: ignore[override]
        """Any text; its route depends on its letters."""
        return CodePointSide(self.name)

    @cached_property
    def target(self) -> Side:  # type: ignore[override]
        return CodePointSide(self.name)

    def route(self, route: Route) -> JointModel:
        """The model for requests of one route."""
        if route == "kanji":
            return self.from_kanji
        return self.from_kana if route == "kana" else self.from_romaji

    @cached_property
    def from_romaji(self) -> JointModel:
        return self.with_settings(self.romaji, "romaji")

    @cached_property
    def from_kana(self) -> JointModel:
        return self.with_settings(*self.sound_route)

    @cached_property
    def from_kanji(self) -> JointModel:
        model, route = self.sound_route
        return self.with_settings(with_unseen_kanji(reversed_mixture(model)), route)

    @property
    def sound_route(self) -> tuple[JointModel, str]:
        """The model of kana, if there is one."""
        return (self.romaji, "romaji") if self.kana is None else (self.kana, "kana")

    def asked_of(self, asked: Request) -> JointModel:
        """The model for a request: where the user has parted names, none stand together."""
        model = self.route(asked.route)
        return self.with_separators(asked.route, model) if len(asked.parts) > 1 else model

    def with_separators(self, route: Route, model: JointModel) -> JointModel:
        """A model of names with separators between them; it shares the arrays of the other one."""
        if route not in self.parting:
            found = replace(model, insertions=0)
            known = {"joint": model.joint, "warm": model.warm_joint}
            shared = {name: joint._replace(layers=1) for name, joint in known.items()}
            found.__dict__.update(shared, lists=model.sum_lists)
            self.parting[route] = found
        return self.parting[route]

    @cached_property
    def parting(self) -> dict[Route, JointModel]:
        return {}

    def with_settings(self, model: JointModel, route: str) -> JointModel:
        """A model of a route with the name, temperature and kind of names of this one."""
        model = replace(model, name=self.name, temperature=self.temperature, insertions=UNDIVIDED)
        if self.names_are is None:
            return model
        return of_one_kind(model, self.kinds[route].index(self.names_are))

    def of_kind(self, kind: str) -> KanjiModel:
        """The model for names that are all of one kind, surname or given."""
        known = [name for name in KINDS if all(name in row for row in self.kinds.values())]
        if kind not in known or not self.kinds:
            raise UnknownName("kind of names", kind, known)
        return replace(self, names_are=kind)

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        """Answers for a block of names at once; `failures` has the items that fail."""
        if self.dictionary:
            return self.promoting.answer(texts, n=n, spans=spans)
        failures: dict[int, ItemError] = {}
        asked: dict[tuple[Route, bool], tuple[JointModel, list[tuple[int, Part]]]] = {}
        unknown: dict[int, Symbols] = {}
        for item, one in enumerate(self.read(texts)):
            if isinstance(one, ItemError):
                failures[item] = one
                continue
            part = self.readable(one)
            place = one.route, len(one.parts) > 1
            asked.setdefault(place, (self.asked_of(one), []))[1].append((item, part))
            if UNSEEN in part.text:
                unknown[item] = unknown_kanji(texts[item], part)
        nothing = empty_answers(len(texts), failures, spans=spans)
        parts: list[tuple[Sequence[int], Answers]] = [(range(len(texts)), nothing)]
        for model, rows in asked.values():
            found = model.answer([part.text for _, part in rows], n=n, spans=spans)
            parts.append(([item for item, _ in rows], self.translate_answers(found, rows, texts)))
        return replace(merge_answers(len(texts), parts), unknown=unknown)

    def reasons(self, text: str, hypothesis: Hypothesis) -> Reasons:
        """The units of the best path to a name, with the letters as they were typed."""
        joint, part = self.model_and_part(text)
        place, used = 0, []
        for unit in joint.reasons(part.text, hypothesis).units:
            end = place + len(unit.letters)
            letters = text[part.begins[place] : part.ends[end - 1]] if unit.letters else ""
            used.append(replace(unit, letters=letters))
            place = end
        return Reasons(tuple(used))

    @cached_property
    def promoting(self) -> Promotion:
        """The model without its dictionary, and the dictionary around it."""
        bare = replace(self, dictionary=())
        return Promotion(LexiconFirst.of(bare, self.dictionary))

    def forms(self, texts: Sequence[str]) -> list[str]:
        """Names as they stand in dictionaries: their keys, or kanji as it is; "" for a text that is
        no name.

        Kana is found by its key, too.
        """
        by_keys = replace(self, kana=None)
        return ["" if isinstance(one, ItemError) else one.text for one in by_keys.read(texts)]

    def read(self, texts: Sequence[str]) -> list[Request | ItemError]:
        """The requests of texts, those in romaji as their keys."""
        asked: list[Request | ItemError] = []
        for text in texts:
            try:
                asked.append(parse_request(text))
            except ItemError as error:
                asked.append(error)
        spelt = [
            (item, one.route, part)
            for item, one in enumerate(asked)
            if isinstance(one, Request) and self.by_keys(one.route)
            for part in one.parts
        ]
        found = self.keys.answer([part.text for *_, part in spelt], spans=True)
        parts: dict[int, list[Part]] = {}
        for number, (item, route, part) in enumerate(spelt):
            reason = romaji_objection(part.text) if route == "romaji" else None
            reason = reason or found.failures.get(number)
            if reason is None:
                parts.setdefault(item, []).append(key_of(part, found, number))
            else:
                asked[item] = in_name(reason, texts[item], part)
        return [
            one._replace(parts=tuple(parts[item]))
            if isinstance(one, Request) and item in parts
            else one
            for item, one in enumerate(asked)
        ]

    def by_keys(self, route: Route) -> bool:
        """Whether requests of a route become keys: kana, too, where there is no model of it."""
        return route == "romaji" or (route == "kana" and self.kana is None)

    def translate_answers(
        self, found: Answers, rows: Sequence[tuple[int, Part]], texts: Sequence[str]
    ) -> Answers:
        """Answers and failures in terms of the user's strings."""
        failures = {
            row: self.failure(texts[rows[row][0]], NO_PATH)
            if isinstance(error, NoOutput)
            else in_name(error, texts[rows[row][0]], rows[row][1])
            for row, error in found.failures.items()
        }
        origins = found.origins
        if origins is not None:
            spans = list[tuple[tuple[int, int], ...]]()
            for row, (_, part) in enumerate(rows):
                for places in origins.spans[found.firsts[row] : found.firsts[row + 1]]:
                    spans.append(
                        tuple((part.begins[a], part.ends[max(a, b - 1)]) for a, b in places)
                    )
            origins = Origins(origins.symbols, spans)
        return replace(found, failures=failures, origins=origins)

    def lattice(self, text: str) -> Lattice:
        model, part = self.model_and_part(text)
        return model.lattice(part.text)

    def model_and_part(self, text: str) -> tuple[JointModel, Part]:
        """The model for a name, and the name as this model reads it."""
        (asked,) = self.read([text])
        if isinstance(asked, ItemError):
            raise asked
        return self.asked_of(asked), self.readable(asked)

    def reader_of(self, text: str) -> tuple[JointModel, str]:
        model, part = self.model_and_part(text)
        return model, part.text

    def readable(self, asked: Request) -> Part:
        """A request as one part, its unknown kanji replaced by kanji that the model knows."""
        part = join_parts(asked.parts)
        if asked.route != "kanji":
            return part
        return part._replace(text=respell_unknown(part.text, self.from_kanji.source.symbols))

    def score(self, source: str, target: str) -> Scored:
        """ln P of a pair and its best alignment; the side in kanji may be the one or the other."""
        model, part = self.model_and_part(source)
        written = join_parts(parse_request(target).parts)
        return model.score(part.text, respell_unknown(written.text, model.target.symbols))

    def invert(self) -> KanjiModel:
        """The model itself, which works in both directions."""
        return self

    def exact(self) -> KanjiModel:
        kana = None if self.kana is None else self.kana.exact()
        return replace(self, romaji=self.romaji.exact(), kana=kana)

    def failure(self, text: str, status: int) -> ItemError:
        remedy = "no names that the model knows parts of are read or written like this"
        return NoOutput("no output", item=text, stage=self.name, remedy=remedy)

    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""
        parts = [part.fingerprint() for part in (self.romaji, self.keys, self.kana) if part]
        parts += [repr(self.dictionary)] if self.dictionary else []
        parts += [self.names_are] if self.names_are else []
        return f"{zlib.crc32(repr((parts, self.temperature)).encode()):08x}"


def empty_answers(size: int, failures: dict[int, ItemError], *, spans: bool) -> Answers:
    """No answers yet, and what failed before anything could be asked."""
    return Answers(
        [], [], [], [0] * (size + 1), frozenset(), failures, Origins([], []) if spans else None
    )


def unknown_kanji(text: str, part: Part) -> Symbols:
    """The kanji of a name that the model does not know."""
    places = zip(part.text, part.begins, strict=True)
    return tuple(dict.fromkeys(text[begin] for one, begin in places if one == UNSEEN))


def key_of(part: Part, found: Answers, number: int) -> Part:
    """The key that was found for a part, its letters traced to the user's string."""
    (best,) = found.hypotheses(number)
    begins = [part.begins[begin] for begin, _ in best.spans]
    ends = [part.ends[max(begin, end - 1)] for begin, end in best.spans]
    return Part(best.output, begins, ends)


def in_name(error: ItemError, text: str, part: Part) -> ItemError:
    """An error of a part as one of the whole name."""
    place = error.offset
    offset = None if place is None or place >= len(part.begins) else part.begins[place]
    return type(error)(
        error.message,
        item=text,
        stage=error.stage,
        symbol=error.symbol,
        offset=offset,
        remedy=error.remedy,
    )
