"""A model of Japanese names from names with readings, and names without.

Each pair is a name in kanji and its reading in kana or romaji, the one or the other first. Kinds
are those of `glyphone.data.sources.japanese`; a pair of two parts on both sides is a surname and a
given name. Names that are not of kanji alone are refused, unless `with_kana`: there, kana is read
as itself.

>>> names = {"山田": "やまだ", "山川": "やまかわ", "田山": "たやま", "大川": "おおかわ"}
>>> pairs = [Pair(tuple(kana), tuple(kanji)) for kanji, kana in names.items()]
>>> model = fit_kanji(pairs).model
>>> model("Ôyama").output, model("大山").output, model("Ohkawa, Yamada").output
('大山', 'おおやま', '大川 山田')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace

from glyphone.data import progress
from glyphone.data.errors import FormatError, GlyphoneError, ItemError, UnknownName
from glyphone.data.lexicons.tsv import read_lexicon
from glyphone.data.lines import read_lines
from glyphone.data.records import Pair, Symbols
from glyphone.data.scripts.romaji import romaji_objection, split_romaji
from glyphone.data.sources.japanese import KANJI, KINDS
from glyphone.data.writing import LETTERS
from glyphone.fst.alignment.refusals import NothingLearnt
from glyphone.fst.alignment.training import Refusal
from glyphone.fst.interface.learning import LearningResult, LearningSettings
from glyphone.fst.transducers.model import TransducerModel
from glyphone.grammar_tools.archives import load_rule
from glyphone.models.kanji.mixtures import (
    GIVEN,
    KANA_SHARE,
    NAME,
    SURNAME,
    Examples,
    KanjiOptions,
    fit_mixture,
)
from glyphone.models.kanji.model import KanjiModel
from glyphone.models.kanji.request import parse_request, pieces_of_kana
from glyphone.models.kanji.unseen import modern_forms

KEY = "jpn.name_keys:KEY"
# What a name of each kind is learnt as; places are no names of people.
LEARNT_AS = {
    "": NAME,
    "surname": SURNAME,
    "given": GIVEN,
    "male": GIVEN,
    "female": GIVEN,
    "unclassified": NAME,
    "full": NAME,
}
_KANJI = re.compile(f"[{KANJI}]")
_NAME = re.compile(f"[{KANJI}々]+")
_WITH_KANA = re.compile(f"(?=.*[{KANJI}])[{KANJI}々〆ヶヵぁ-ゖァ-ヺー]+")


@dataclass(frozen=True, eq=False)
class FittedChannel:
    """A model, and the pairs that it could not be trained on."""

    model: KanjiModel
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True)
class Reading:
    """A name of one part with its reading and the key of that, and the pair that it is from."""

    index: int
    kind: str
    kanji: str
    reading: str
    weight: float
    in_kana: bool
    key: str = ""


def fit_kanji(
    pairs: Sequence[Pair],
    *,
    names: Iterable[Pair] = (),
    options: KanjiOptions | None = None,
    with_kana: bool = False,
    modern_forms: bool = False,
    jobs: int = 1,
    name: str = "",
) -> FittedChannel:
    """The model of pairs, and of `names` whose source is not read; they may have kinds, too.

    With `modern_forms` kanji in old forms are learnt as those of today: 澤 is 沢.
    """
    options, sources = options or KanjiOptions(), list(names)
    if modern_forms:
        pairs = [
            replace(one, source=modern_side(one.source), target=modern_side(one.target))
            for one in pairs
        ]
        sources = [replace(one, source=modern_side(one.source)) for one in sources]
    keys = load_rule(KEY)
    readings, refused = readings_of(pairs, keys, with_kana=with_kana)
    if not pairs:
        raise NothingLearnt("there is nothing to train on")
    if not readings:
        raise NothingLearnt.of(tuple(refused.values()))
    by_key = examples_of([(one, split_romaji(one.key)) for one in readings], sources)
    romaji = fit_mixture([one for one, _ in by_key], options, jobs=jobs)
    for (_, used), failed in zip(by_key, romaji.refusals, strict=True):
        for refusal in failed:
            index = used[refusal.index].index
            refused.setdefault(index, Refusal(index, pairs[index], refusal.reason))
    kana, kinds = None, {"romaji": romaji.kinds}
    in_kana = [one for one in readings if one.in_kana]
    if in_kana:
        by_kana = examples_of([(one, pieces_of_kana(one.reading)) for one in in_kana], sources)
        by_ear = fit_mixture([one for one, _ in by_kana], options, share=KANA_SHARE, jobs=jobs)
        kana, kinds["kana"] = by_ear.model, by_ear.kinds
    model = KanjiModel(romaji.model, keys, kana, name or "kanji", kinds=kinds)
    return FittedChannel(model, tuple(refused[index] for index in sorted(refused)))


def learn_channel(pairs: Sequence[Pair], settings: LearningSettings) -> LearningResult:
    """Of the options, `names` is a list of names without readings, and `promote` a dictionary that
    the model has for its own; `with_kana` lets kana in, and `modern_forms` no old kanji."""
    rest = dict(settings.chosen)
    rest.pop("best_form", None)
    listed, with_kana = rest.pop("names", None), rest.pop("with_kana", False)
    promoted, modern_forms = rest.pop("promote", None), rest.pop("modern_forms", False)
    own = {field.name for field in fields(KanjiOptions)}
    for name in rest:
        if name not in own:
            known = own | {"names", "promote", "with_kana", "modern_forms"}
            raise UnknownName("option of a channel", name, known)
    options = KanjiOptions(**rest)
    dictionary = tuple(read_dictionary(promoted)) if promoted else ()
    fitted = fit_kanji(
        pairs,
        names=read_names(listed) if listed else (),
        options=options,
        with_kana=with_kana,
        modern_forms=modern_forms,
        jobs=settings.jobs,
        name=settings.name,
    )
    model = replace(fitted.model, dictionary=dictionary)
    joint = model.romaji
    sizes = {"units": len(joint.units), "n-grams": len(joint.ngrams.tokens)}
    report = {**asdict(options), "names": listed, "promote": promoted, "with_kana": with_kana}
    report["modern_forms"] = modern_forms
    return LearningResult(model, fitted.refusals, report, sizes)


def modern_side(side: Symbols) -> Symbols:
    """One side of a pair in the forms of today; there are none of kana and romaji."""
    return tuple(modern_forms("".join(side))) if _KANJI.search("".join(side)) else side


@progress.step("reading the parts of names")
def readings_of(
    pairs: Sequence[Pair], keys: TransducerModel, *, with_kana: bool
) -> tuple[list[Reading], dict[int, Refusal]]:
    """The parts of all pairs with their keys, and the pairs that are refused."""
    refused: dict[int, Refusal] = {}
    readings = list[Reading]()
    for index, pair in enumerate(pairs):
        try:
            readings += readings_of_parts(index, pair, with_kana=with_kana)
        except ItemError as error:
            refused[index] = Refusal(index, pair, error.message)
    found = keys.answer([one.reading for one in readings])
    for number, failure in found.failures.items():
        index = readings[number].index
        refused.setdefault(index, Refusal(index, pairs[index], failure.message))
    spelt = [
        replace(one, key=found.outputs[found.firsts[number]])
        for number, one in enumerate(readings)
        if one.index not in refused
    ]
    return spelt, refused


def read_names(path: str) -> list[Pair]:
    """Names without readings: KANJI, and then, if anything, KIND and WEIGHT between TABs."""
    names = []
    for number, line in read_lines(path):
        if not line:
            continue
        kanji, kind, weight = [*line.split("\t"), "", ""][:3]
        try:
            learnt_as(kind)
            names.append(Pair(tuple(kanji), (), float(weight or 1), kind))
        except (GlyphoneError, ValueError) as error:
            remedy = "write KANJI, or KANJI<TAB>KIND, or KANJI<TAB>KIND<TAB>WEIGHT"
            raise FormatError(
                str(error), path=path, line=number, item=line, remedy=remedy
            ) from None
    return names


def read_dictionary(path: str) -> list[Pair]:
    """Names and answers to them, READING<TAB>KANJI or KANJI<TAB>READING."""
    return list(read_lexicon(path, source=LETTERS, target=LETTERS))


def readings_of_parts(index: int, pair: Pair, *, with_kana: bool) -> list[Reading]:
    """The parts of a name with their readings; ItemError for what cannot be learnt from."""
    sides = ["".join(side) for side in (pair.source, pair.target)]
    first, second = map(parse_request, sides)
    if first.route == "kanji":
        first, second, sides = second, first, sides[::-1]
    kanji, reading = second.text, first.text
    if second.route != "kanji" or first.route == "kanji":
        raise ItemError("one side has to be in kanji, and only one", item=sides[1])
    if len(first.parts) != len(second.parts):
        message = f"is of {len(second.parts)} parts, and {reading} of {len(first.parts)}"
        raise ItemError(message, item=kanji)
    foreign = romaji_objection(reading) if first.route == "romaji" else None
    if foreign is not None:
        raise ItemError(f"{foreign.symbol} {foreign.message}", item=reading)
    kinds = kinds_of(pair, len(second.parts))
    found = []
    for kind, name, read in zip(kinds, second.parts, first.parts, strict=True):
        if not (_WITH_KANA if with_kana else _NAME).fullmatch(name.text):
            raise ItemError("is not of kanji alone", item=name.text)
        in_kana = first.route == "kana"
        found.append(Reading(index, kind, name.text, read.text, pair.weight, in_kana))
    return found


def kinds_of(pair: Pair, n_parts: int) -> list[str]:
    """The kind of each part of a name."""
    if n_parts == 2:
        return [SURNAME, GIVEN]
    if n_parts > 2:
        raise ItemError(f"is of {n_parts} parts", item="".join(pair.target))
    return [learnt_as(pair.kind)]


def learnt_as(kind: str) -> str:
    try:
        return LEARNT_AS[kind]
    except KeyError:
        raise UnknownName("kind of Japanese name", kind, KINDS) from None


def examples_of(
    rows: Sequence[tuple[Reading, Symbols]], names: Sequence[Pair]
) -> list[tuple[Examples, list[Reading]]]:
    """Examples of each kind, and the readings that they were made of.

    Names without a kind are of every kind.
    """
    found = []
    for kind in (SURNAME, GIVEN, NAME):
        used = [(one, cut) for one, cut in rows if one.kind == kind]
        if used:
            sources = [
                (one.source, one.weight) for one in names if learnt_as(one.kind) in (kind, NAME)
            ]
            pairs = [Pair(tuple(one.kanji), cut, one.weight) for one, cut in used]
            found.append((Examples.of(kind, pairs, sources=sources), [one for one, _ in used]))
    return found
