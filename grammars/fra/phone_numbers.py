"""Spoken French telephone numbers: in pairs, as in "zéro six douze trente-quatre".

Words with hyphens are written apart. Where two numbers meet, they may be one: "soixante dix" is 70
and hardly ever 60 10, "vingt quatre" 24 and hardly ever 20 4; both readings are kept. Belgian and
Swiss septante, huitante, octante and nonante are known. Marks are those of `grammars.telephony`.

>>> from glyphone.fst.rules.interpreter import run
>>> words = "zéro six quatre vingt dix sept vingt et un soixante douze dix".split()
>>> ways = run(DIGITS, tuple(words))
>>> "".join(ways[0].output)
'0697217210'
"""

from __future__ import annotations

from glyphone.grammars.notation import string_set
from glyphone.grammars.telephony import Speech, number_grammar

# Written by hand.
UNITS = dict(zip("un deux trois quatre cinq six sept huit neuf".split(), "123456789", strict=True))
TEENS = dict(zip("dix onze douze treize quatorze quinze seize".split(), range(10, 17), strict=True))
TENS = {
    **dict(zip("vingt trente quarante cinquante soixante".split(), "23456", strict=True)),
    **{"septante": "7", "huitante": "8", "octante": "8", "nonante": "9"},
}
# How likely words that can be one number are meant to be.
ONE, TWO = "0.95", "0.05"


def compound_rules() -> dict[str, tuple[str, str]]:
    """Numbers of several words, longest first: as one number, and as two that follow each other."""
    below = {**{word: f"0{digit}" for word, digit in UNITS.items()}}
    below |= {word: str(value) for word, value in TEENS.items()}
    below |= {f"dix {word}": f"1{digit}" for word, digit in list(UNITS.items())[6:]}
    found: dict[str, tuple[str, str]] = {}
    for word, value in below.items():
        unit = value[1] if value[0] == "0" else value
        for tens, digit in TENS.items():
            joined = f"{tens} et {word}" if word == "un" else f"{tens} {word}"
            if value[0] == "0":
                found[joined] = (digit + value[1], "" if word == "un" else f"{digit}0{unit}")
        if value[0] == "1":
            for join in ("soixante", "soixante et") if word == "onze" else ("soixante",):
                found[f"{join} {word}"] = (
                    f"7{value[1]}",
                    "" if "et" in join.split() else f"60{value}",
                )
            found[f"quatre vingt {word}"] = (f"9{value[1]}", f"80{value}")
        else:
            found[f"quatre vingt {word}"] = (f"8{value[1]}", f"80{unit}")
    found |= {"quatre vingt": ("80", "420"), "quatre vingts": ("80", "")}
    found |= {f"dix {word}": (f"1{digit}", f"10{digit}") for word, digit in list(UNITS.items())[6:]}
    return dict(sorted(found.items(), key=lambda pair: -len(pair[0].split())))


def compound_rule(words: str, one: str, two: str) -> str:
    if not two:
        return f"    {words} -> {' '.join(one)}"
    return f"    {words} -> {' '.join(one)} <{ONE}> | {' '.join(two)} <{TWO}>"


DIGITS = number_grammar(
    Speech(
        digits={"zéro": "0", "zero": "0", **UNITS},
        numbers=[*TEENS, *TENS, "vingts", "cent", "cents", "mille"],
        others=["et"],
        rules=rf"""
    UNIT = {string_set(UNITS)}
{chr(10).join(compound_rule(words, *readings) for words, readings in compound_rules().items())}
    {{cent, cents}} -> 0 0 / (UNIT - {{un}}) _
    cent -> 1 0 0
    mille -> 0 0 0 / (UNIT - {{un}}) _
    mille -> 1 0 0 0
    {string_set(TEENS)} -> {string_set(" ".join(str(value)) for value in TEENS.values())}
    {string_set(TENS)} -> {string_set(f"{digit} 0" for digit in TENS.values())}
    """,
        fillers=(
            "euh",
            "heu",
            "hum",
            "ben",
            "alors",
            "donc",
            "puis",
            "et puis",
            "attendez voir",
            "tiret",
            "point",
            "pause",
            "espace",
        ),
        cues=(
            "non",
            "pardon",
            "excusez moi",
            "je veux dire",
            "désolé",
            "désolée",
            "attendez",
            "plutôt",
            "enfin",
            "erreur",
            "je recommence",
        ),
        tails=("c'est", "non", "plutôt"),
        area=("indicatif", "l'indicatif est", "préfixe"),
        country=("plus", "indicatif du pays"),
        extension=("poste", "extension", "le poste"),
        repeats={"double": 2, "deux fois": 2, "triple": 3, "trois fois": 3},
    )
)
