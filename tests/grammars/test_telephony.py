"""Laws of telephone numbers in German, French and Spanish."""

from __future__ import annotations

import random

import pytest

from glyphone.data.errors import ItemError
from tests.grammars.conftest import LoadRule

DIGITS = {
    "deu": "null eins zwei drei vier fünf sechs sieben acht neun",
    "fra": "zéro un deux trois quatre cinq six sept huit neuf",
    "spa": "cero uno dos tres cuatro cinco seis siete ocho nueve",
}


@pytest.mark.parametrize("language", DIGITS)
def test_digits_come_back(load_rule: LoadRule, language: str) -> None:
    names, draws = DIGITS[language].split(), random.Random(5)
    for _ in range(100):
        digits = "".join(str(draws.randrange(10)) for _ in range(draws.randint(1, 12)))
        words = " ".join(names[int(digit)] for digit in digits)
        assert load_rule(f"{language}.phone_numbers", "DIGITS")(words).output == digits


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("deu", "äh null drei"),
        ("deu", "null drei äh"),
        ("deu", "null drei nein"),
        ("deu", "vorwahl"),
        ("deu", "durchwahl"),
        ("deu", "doppel"),
        ("fra", "euh zéro six"),
        ("fra", "zéro six non"),
        ("fra", "et"),
        ("fra", "poste"),
        ("spa", "eh seis uno"),
        ("spa", "seis uno no"),
        ("spa", "seis y"),
        ("spa", "y seis"),
        ("spa", "prefijo"),
    ],
)
def test_refuses(load_rule: LoadRule, language: str, text: str) -> None:
    with pytest.raises(ItemError):
        load_rule(f"{language}.phone_numbers", "DIGITS")(text)


@pytest.mark.parametrize(
    ("language", "text", "readings"),
    [
        ("fra", "soixante dix", ["70", "6010"]),
        ("fra", "quatre vingt", ["80", "420"]),
        ("fra", "vingt quatre", ["24", "204"]),
        ("fra", "quatre vingt douze", ["92", "8012"]),
        ("fra", "dix sept", ["17", "107"]),
        ("fra", "vingt et un", ["21"]),
        ("spa", "novecientos doce", ["912", "90012"]),
        ("spa", "novecientos uno", ["901", "9001"]),
        ("spa", "treinta y uno", ["31"]),
        ("deu", "einundzwanzig", ["21"]),
    ],
)
def test_keeps_other_readings_with_less_weight(
    load_rule: LoadRule, language: str, text: str, readings: list[str]
) -> None:
    found = load_rule(f"{language}.phone_numbers", "DIGITS").nbest(text, n=5)
    assert [hypothesis.output for hypothesis in found] == readings
