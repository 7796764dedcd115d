"""Spoken Spanish telephone numbers: digits, pairs and hundreds.

"Novecientos doce treinta y cuatro cincuenta y seis" is 9123456: the two digits behind a hundred
take the place of its zeros, and hardly ever follow them (900 12). The marks are those of
`grammars.telephony`.

>>> from glyphone.fst.rules.interpreter import run
>>> ways = run(DIGITS, tuple("seis doce treinta y cuatro doble cero veintiuno".split()))
>>> "".join(ways[0].output)
'612340021'
"""

from __future__ import annotations

from glyphone.grammars.notation import string_set
from glyphone.grammars.telephony import Speech, number_grammar

# Written by hand; accents are often left out.
UNITS = dict(
    zip("uno dos tres cuatro cinco seis siete ocho nueve".split(), "123456789", strict=True)
)
TEENS = {
    **dict(zip("diez once doce trece catorce quince".split(), range(10, 16), strict=True)),
    **{"dieciséis": 16, "dieciseis": 16, "diecisiete": 17, "dieciocho": 18, "diecinueve": 19},
}
TWENTIES = {
    **{f"veinti{word}": 20 + int(digit) for word, digit in UNITS.items()},
    **{"veinte": 20, "veintiún": 21, "veintidós": 22, "veintitrés": 23, "veintiséis": 26},
}
TENS = dict(
    zip(
        "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split(), "3456789", strict=True
    )
)
HUNDREDS = {
    "ciento": "1", "doscientos": "2", "trescientos": "3", "cuatrocientos": "4", "quinientos": "5",
    "seiscientos": "6", "setecientos": "7", "ochocientos": "8", "novecientos": "9",
}  # fmt: skip
WHOLE = {word: " ".join(str(value)) for word, value in {**TEENS, **TWENTIES}.items()}


def hundred_rules(word: str, digit: str) -> str:
    """Rules of a hundred before two digits, before one digit, and alone."""
    return f"""
    {word} -> {digit} <0.95> | {digit} 0 0 <0.05> / _ TWO
    {word} -> {digit} 0 <0.8> | {digit} 0 0 <0.2> / _ UNIT
    {word} -> {digit} 0 0"""


DIGITS = number_grammar(
    Speech(
        digits={"cero": "0", **UNITS, "un": "1"},
        numbers=[*WHOLE, *TENS, *HUNDREDS, "cien", "mil"],
        others=["y"],
        rules=rf"""
    UNIT = {string_set(UNITS)}
    TENS = {string_set(TENS)}
    TWO = {string_set([*WHOLE, *TENS])}
    y -> {{✗}} / # _
    {chr(10).join(hundred_rules(word, digit) for word, digit in HUNDREDS.items())}
    cien -> 1 0 0
    mil -> 0 0 0 / UNIT _
    mil -> 1 0 0 0
    {string_set(TENS)} -> {string_set(TENS.values())} / _ y UNIT
    {string_set(TENS)} -> {string_set(f"{digit} 0" for digit in TENS.values())}
    y -> ∅ / {string_set(TENS.values())} _ UNIT
    {string_set(WHOLE)} -> {string_set(WHOLE.values())}
    """,
        fillers=(
            "eh",
            "em",
            "este",
            "bueno",
            "pues",
            "a ver",
            "guion",
            "guión",
            "punto",
            "pausa",
            "espacio",
        ),
        cues=(
            "no",
            "perdón",
            "perdone",
            "perdona",
            "disculpe",
            "lo siento",
            "quiero decir",
            "digo",
            "espera",
            "espere",
            "me equivoqué",
            "corrijo",
        ),
        tails=("es", "que es", "era"),
        area=("prefijo", "código de área", "el prefijo es", "lada", "clave lada"),
        country=("más", "código de país"),
        extension=("extensión", "la extensión es", "interno", "anexo"),
        repeats={"doble": 2, "dos veces": 2, "triple": 3, "tres veces": 3},
    )
)
