"""Spoken German telephone numbers: digit by digit, in pairs, with Vorwahl and Durchwahl.

Two digits are one word ("fünfundzwanzig" is 25), so that there is little ambiguity. The marks of
area codes, extensions, country codes and corrections are those of `grammars.telephony`.

>>> from glyphone.fst.rules.interpreter import run
>>> ways = run(DIGITS, tuple("vorwahl null drei null zwölf vierunddreißig durchwahl null".split()))
>>> "".join(ways[0].output)
'(0301234x0'
"""

from __future__ import annotations

from glyphone.grammars.notation import string_set
from glyphone.grammars.telephony import Speech, number_grammar

# Written by hand. Zwo is said so that nobody hears drei; ß is often written ss.
UNITS = dict(
    zip("eins zwei drei vier fünf sechs sieben acht neun".split(), "123456789", strict=True)
)
STEMS = dict(
    zip("ein zwei drei vier fünf sechs sieben acht neun".split(), "123456789", strict=True)
)
TEENS = dict(
    zip(
        "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split(),
        [f"1 {digit}" for digit in "0123456789"],
        strict=True,
    )
)
TENS = {
    **dict(
        zip(
            "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split(),
            "23456789",
            strict=True,
        )
    ),
    "dreissig": "3",
}
PAIRS = {
    **TEENS,
    **{f"{stem}und{tens}": f"{t} {u}" for tens, t in TENS.items() for stem, u in STEMS.items()},
    **{tens: f"{t} 0" for tens, t in TENS.items()},
}
HUNDREDS = {f"{stem}hundert": f"{digit} 0 0" for stem, digit in STEMS.items()}
THOUSANDS = {f"{stem}tausend": f"{digit} 0 0 0" for stem, digit in STEMS.items()}
LONGER = {**PAIRS, **HUNDREDS, **THOUSANDS}

DIGITS = number_grammar(
    Speech(
        digits={"null": "0", **UNITS, "zwo": "2", "ein": "1"},
        numbers=[*LONGER, "hundert", "tausend"],
        rules=rf"""
    UNIT = {string_set([*UNITS, "zwo", "ein"])}
    hundert -> 0 0 / UNIT _
    hundert -> 1 0 0
    tausend -> 0 0 0 / UNIT _
    tausend -> 1 0 0 0
    {string_set(LONGER)} -> {string_set(LONGER.values())}
    """,
        fillers=(
            "äh",
            "ähm",
            "hm",
            "also",
            "ja",
            "und",
            "und dann",
            "moment mal",
            *"strich schrägstrich bindestrich pause punkt".split(),
        ),
        cues=(
            "nein",
            "nee",
            "entschuldigung",
            "sorry",
            "quatsch",
            "falsch",
            "halt",
            "ich meine",
            "korrektur",
            "stimmt nicht",
            "moment",
            "vielmehr",
        ),
        tails=("das ist", "es ist", "das heißt", "muss heißen"),
        area=("vorwahl", "die vorwahl ist", "vorwahl ist"),
        country=("plus", "ländervorwahl", "landesvorwahl"),
        extension=("durchwahl", "die durchwahl ist", "apparat", "nebenstelle"),
        repeats={"doppel": 2, "zweimal": 2, "zweimal die": 2, "dreimal": 3, "dreimal die": 3},
    )
)
