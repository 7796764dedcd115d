"""Readings of number words other than a telephone number: patterns over words, by label.

A pattern includes the words around that are evidence of it ("at", "dollars", "flight"). Words may
fit several patterns and a telephone number as well; weights (reading_weights.tsv) and a classifier
of candidates decide between these. `~` is any word that no pattern names.

>>> from glyphone.fst.rules.glushkov import Matcher
>>> matcher = Matcher(parse_patterns()["time"])
>>> matcher.accepting[matcher.run(matcher.start, "at ten thirty".split())]
True
"""

from __future__ import annotations

from glyphone.fst.rules.expression_parser import ExpressionNotation
from glyphone.fst.rules.expressions import Expression
from glyphone.fst.rules.parser import Notation
from glyphone.grammars.eng.numbers.words import DEFINITIONS, NUMBER_WORDS
from glyphone.grammars.notation import string_set

OTHER = "~"

MONTHS = (
    "january february march april may june july august september october november december"
).split()
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth"
    " st nd rd th"
).split()
THINGS = (
    "minute minutes hour hours day days week weeks month months year years people persons guests"
    " copies pages boxes items pieces times miles feet inches pounds degrees percent % units"
    " questions messages calls meetings tickets employees bedrooms kids children guys things"
    " orders samples chairs seats points"
).split()
STREETS = "street avenue road drive lane boulevard court place way st. ave. rd. dr.".split()
PLACES = "flight room suite apartment floor gate building exit highway route unit page box".split()
REFERENCES = (
    "confirmation account order invoice reference part policy case ticket tracking serial pin id"
    " purchase claim model item check reservation"
).split()

NAMES = f"""{DEFINITIONS}
    TWO = UNIT | TEEN | TENS UNIT? | WRITTEN WRITTEN?
    THREE = UNIT hundred (and? TWO)? | TWO | WRITTEN WRITTEN WRITTEN
    CARDINAL = THREE (thousand (and? THREE)?)? | WRITTEN+ thousand? | a (hundred | thousand)
    MONTH = {string_set(MONTHS)}
    ORDINAL = TENS? {string_set(ORDINALS)} | WRITTEN WRITTEN? {{st, nd, rd, th}}
    CENTURY = nineteen (hundred? and? TWO | hundred) | twenty TWO | two thousand (and? TWO)?
    YEAR = CENTURY | WRITTEN WRITTEN WRITTEN WRITTEN
    HOUR = UNIT | {{ten, eleven, twelve}} | WRITTEN WRITTEN?
    MINUTES = {{oh, o}} UNIT | {{ten, fifteen}} | TENS UNIT? | : WRITTEN WRITTEN
    HALF = {{am, pm, a.m., p.m., a m, p m}}
    DAY = {{today, tonight, tomorrow, noon, sharp, ish}} | in the {{morning, afternoon, evening}}
    BEFORE = {{at, by, about, around, until, till, before, after, from, between}} about?
    PAST = {{half, quarter}} {{past, to, after}} | {{ten, twenty, five}} {{past, to, after, till}}
    CURRENCY = {{dollars, dollar, bucks, grand}}
    THING = {string_set(THINGS)}
    STREET = {string_set(STREETS)}
    SAID = DIGIT+ | TEEN | TENS | UNIT hundred | TWO TWO
"""

PATTERNS = {
    "time": "BEFORE PAST? HOUR MINUTES? (o'clock | HALF)? DAY? | HOUR : WRITTEN WRITTEN HALF? DAY?"
    " | PAST? HOUR MINUTES? (o'clock DAY? | HALF DAY? | DAY)",
    "date": "{on, in, of, until, by}? MONTH (the? (ORDINAL | TWO) YEAR? | YEAR)"
    " | {on, by}? the ORDINAL (of MONTH)? | TWO MONTH YEAR?"
    " | {in, since, from, by, of, late, early}? the year YEAR | {in, since, from, late, early} YEAR"
    r" | WRITTEN WRITTEN? \/ WRITTEN WRITTEN? (\/ WRITTEN+)?",
    "money": "CARDINAL CURRENCY (and? TWO {cents, cent}?)? | TWO {cents, cent}"
    r" | $ CARDINAL | {for, was, is, it's, costs, cost, about, around} TWO TENS UNIT"
    " | {paid, pay, owe, owes, spent, charged, charge} {me, us, you, him, her, them}? CARDINAL",
    "quantity": "{in, for, about, another}? CARDINAL ({to, or} CARDINAL)? THING",
    "place": f"{string_set(PLACES)} number? SAID | (SAID | TWO TWO TWO) ~ ~? STREET",
    "reference": f"{string_set(REFERENCES)} {{number, code, no.}}? is? NUMBER+",
    "social security": f"social security? number? is? NUMBER+ | {' '.join(['DIGIT'] * 9)}",
    "word": "{this, that, which, another, each, any, every, the, other, no, these, those} one"
    " | one more? {thing, more, of} | the two of | {the, you, us, them} two | one",
}

OTHERS = """
    a am an and about after afternoon another any around at before between bucks by cent cents
    charge charged code cost costs dollar dollars each early evening every for from grand half her
    him in is it's late m me more morning no no. noon number o'clock of on or one other owe owes p
    past paid pay pm a.m. p.m. quarter security sharp ish since social spent that the these thing
    this those till to today tomorrow tonight two until us them was which year you $ : /
""".split()
WORDS = tuple(
    dict.fromkeys(
        [*NUMBER_WORDS, OTHER, *MONTHS, *ORDINALS, *THINGS, *STREETS, *PLACES, *REFERENCES, *OTHERS]
    )
)


def parse_patterns() -> dict[str, Expression]:
    """The pattern of each label as an expression."""
    notation = Notation(WORDS)
    notation.read(NAMES)
    return {label: parse_expression(notation, text) for label, text in PATTERNS.items()}


def parse_expression(notation: ExpressionNotation, text: str) -> Expression:
    notation.text = text
    return notation.parse_whole(notation.split_lexemes(text))
