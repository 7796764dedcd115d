"""Pairs of names of companies: one company written twice, or two whose names are near.

A company is a pattern of words of trades, of places and of families, a number at times, and a legal
form; or a body, such as an institute, of a trade. Written again, its form is an equivalent one or
left out, its words are abbreviated, mistyped or change places. Two companies have another number,
place, trade, family or form.

>>> makers = Companies(["petrov", "smith"], ["Yunnan"])
>>> [equivalent("ltd", Random(2)), abbreviated("international", Random(1))]
['limited', 'internationale']
>>> first, second, label = next(makers.pairs(1, seed=1))
>>> isinstance(first, str) and label in (0, 1)
True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from glyphone.data.lexicons.tsv import read_table
from glyphone.data.names.lists import FOLDER
from glyphone.evaluation.pairs import NO, YES
from glyphone.matching.generator.people import MANY, Example, pick, replaced, turned
from glyphone.matching.generator.writing import mistyped_once, titled

TRADES = tuple(
    """air airlines asset auto bank banking beverages broadcasting building business capital
    cargo cement chemical chemicals clothing coal commerce communications computer consulting
    copper cosmetics credit dairy data defence design diamond distribution drilling education
    electric electronics energy engineering enterprises entertainment equipment estate exchange
    export express farming film finance fisheries flowers food foods forestry freight furniture
    gas general glass global gold grain health heating holding holdings home hotel hotels import
    industrial industries innovation insurance instruments international invest investment iron
    jewellery land leasing life logistics machinery management manufacturing marine maritime
    marketing materials media medical metal metals milk mineral mining mobile motor motors music
    national network networks news nuclear oil optical packaging paint paper partners petroleum
    pharma pharmaceuticals pipeline plastics port power precision press print production products
    property publishing radio rail railway refinery research resources retail road rubber salt
    satellite securities security services shipbuilding shipping silk silver software solar
    solutions steel storage sugar supply systems tea technology telecom textile textiles timber
    tobacco tools tourism toys trade trading transport travel trust uranium ventures water wine
    wood works""".split()
)
BODIES = tuple(
    """academy agency association authority board bureau centre chamber college commission
    committee company council department directorate federation foundation fund institute
    laboratory league ministry museum office organisation party school society syndicate union
    university""".split()
)
PLACE, TRADE, FAMILY, NUMBER, BODY = "place trade family number body".split()
FORM, ALL = "form all".split()
PATTERNS: dict[tuple[str, ...], int] = {
    (FAMILY, TRADE): 20,
    (FAMILY, TRADE, TRADE): 16,
    (PLACE, TRADE, TRADE): 14,
    (FAMILY, "&", FAMILY): 6,
    (FAMILY, FAMILY, TRADE): 8,
    (TRADE, TRADE, "of", PLACE): 6,
    (FAMILY, TRADE, PLACE): 10,
    (FAMILY, TRADE, NUMBER): 6,
    (PLACE, TRADE, "no.", NUMBER): 5,
    (FAMILY,): 5,
    (TRADE, TRADE): 4,
    (BODY, "of", TRADE): 6,
    (BODY, "of", TRADE, "of", PLACE): 6,
    (PLACE, BODY, "of", TRADE): 6,
    (FAMILY, BODY): 3,
}
# More weight on forms that are known everywhere; all others have one share together.
COMMON = (
    "ltd limited llc inc corp corporation gmbh ag sa ooo plc co pte bv srl spa oy ab as".split()
)
NUMBERS = (*map(str, range(2, 30)), "II", "III", "IV", "V")
# What differs in names of two companies.
DIFFERENCES = {PLACE: 15, TRADE: 25, FAMILY: 30, NUMBER: 15, BODY: 8, FORM: 8, ALL: 15}
Part = tuple[str, str]


@dataclass(frozen=True)
class Companies:
    """Makes pairs of companies from names of families and places in Latin letters."""

    families: Sequence[str]
    places: Sequence[str]
    # By family, names of others that are nearly its own.
    near: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def pairs(self, n: int, seed: int) -> Iterator[Example]:
        """So many pairs, about half of which are one company."""
        chooser = Random(seed)
        for k in range(n):
            parts = [(kind, self.word(kind, chooser)) for kind in pick(PATTERNS, chooser)]
            is_body = any(kind == BODY for kind, _ in parts)
            form = legal_form(chooser) if not is_body and chooser.random() < 0.8 else ""
            first = written(parts, form, chooser)
            label = YES if k % 2 else NO
            if label == YES:
                second = written(self.again(parts, chooser), again_form(form, chooser), chooser)
            else:
                how = pick(DIFFERENCES, chooser)
                other = again_form(form, chooser)
                if how == FORM and form:
                    other = other_form(form, chooser)
                else:
                    parts = self.others(parts, how, chooser)
                second = written(parts, other, chooser)
            yield *turned(first, second, chooser), label

    def word(self, kind: str, chooser: Random) -> str:
        words = {
            **{PLACE: self.places, TRADE: TRADES, FAMILY: self.families},
            **{NUMBER: NUMBERS, BODY: BODIES},
        }
        return chooser.choice(words[kind]) if kind in words else kind

    def again(self, parts: list[Part], chooser: Random) -> list[Part]:
        """The words of a company as somebody else writes them."""
        kinds = [kind for kind, _ in parts]
        words = [word for _, word in parts]
        if chooser.random() < 0.3:
            words = [abbreviated(word, chooser) for word in words]
        if chooser.random() < 0.3 and NUMBER not in kinds:
            words = mistyped_once(words, chooser)
        again = [*zip(kinds, words, strict=True)]
        if BODY in kinds and chooser.random() < 0.6:
            return without_of(again)
        if chooser.random() < 0.08 and "of" not in kinds and len(again) > 1:
            at = chooser.randrange(len(again) - 1)
            again[at : at + 2] = again[at : at + 2][::-1]
        return again

    def others(self, parts: list[Part], how: str, chooser: Random) -> list[Part]:
        """The words of another company: one differs, is added or left out, or all differ."""
        kinds, words = [kind for kind, _ in parts], [word for _, word in parts]
        if how in (ALL, FORM):
            return [(kind, self.word(kind, chooser)) for kind in pick(PATTERNS, chooser)]
        if how not in kinds:
            return [*parts, (how, self.word(how, chooser))]
        if how == NUMBER and chooser.random() < 0.3:
            return [part for part in parts if part[0] not in (NUMBER, "no.")]
        at = kinds.index(how)
        word = words[at]
        if how == FAMILY and self.near.get(word) and chooser.random() < 0.5:
            word = chooser.choice(self.near[word])
        for _ in range(MANY):
            if word != words[at]:
                break
            word = self.word(how, chooser)
        return [*zip(kinds, replaced(words, at, word), strict=True)]


def written(parts: Sequence[Part], form: str, chooser: Random) -> str:
    """A company as a text, its form behind it, or before it as in Russian."""
    words = [
        f"({word})" if kind == PLACE and len(parts) > 2 and chooser.random() < 0.2 else word
        for kind, word in parts
    ]
    text = titled(" ".join("and" if x == "&" and chooser.random() < 0.5 else x for x in words))
    if form:
        shown = form.upper() if len(form) < 5 and chooser.random() < 0.6 else titled(form)
        before = form in ("ooo", "oao", "zao", "pao", "ao") and chooser.random() < 0.8
        comma = "," if chooser.random() < 0.2 else ""
        text = f"{shown} {text}" if before else f"{text}{comma} {shown}"
    return text.upper() if chooser.random() < 0.2 else text


def without_of(parts: Sequence[Part]) -> list[Part]:
    """A body with what it is of before it: its place, its trade.

    >>> [x for _, x in without_of([(BODY, "board"), ("of", "of"), (TRADE, "tea")])]
    ['tea', 'board']
    """
    kept = {kind: word for kind, word in parts if kind != "of"}
    return [(kind, kept[kind]) for kind in (PLACE, FAMILY, TRADE, BODY) if kind in kept]


@cache
def forms() -> dict[str, tuple[str, ...]]:
    """Legal forms in plain Latin letters, and those that are equivalent to each."""
    rows = read_table(FOLDER / "forms.tsv", columns=4)
    latin = [(form, canonical) for form, canonical, _, place in rows
             if form.isascii() and place in ("any", "end")]  # fmt: skip
    same: dict[str, list[str]] = {}
    for form, canonical in latin:
        same.setdefault(canonical, []).append(form)
    return {form: tuple(same[canonical]) for form, canonical in latin}


def legal_form(chooser: Random) -> str:
    known = forms()
    common = [form for form in COMMON if form in known]
    return chooser.choice(common if chooser.random() < 0.8 else [*known])


def again_form(form: str, chooser: Random) -> str:
    """The form of a company as somebody else writes it, or none."""
    roll = chooser.random()
    if not form or roll < 0.25:
        return ""
    return equivalent(form, chooser) if roll < 0.7 else form


def other_form(form: str, chooser: Random) -> str:
    """A legal form that is not equivalent to another."""
    others = [x for x in COMMON if x in forms() and form not in forms()[x]]
    return chooser.choice(others)


def equivalent(form: str, chooser: Random) -> str:
    found = chooser.choice(forms().get(form, (form,)))
    return f"{found}." if len(found) < 5 and chooser.random() < 0.4 else found


@cache
def abbreviations() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for short, word in read_table(FOLDER / "abbreviations.tsv", columns=2):
        if short.isascii():
            found.setdefault(word, []).append(short)
    return {word: tuple(short) for word, short in found.items()}


def abbreviated(word: str, chooser: Random) -> str:
    short = abbreviations().get(word)
    return chooser.choice(short) if short else word
