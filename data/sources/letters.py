"""The languages that a name may be in, among those that share a script, by its letters.

>>> languages_of("Київ"), languages_of("Њујорк"), languages_of("Лондон")
(('ukr',), ('mkd', 'srp'), ('bel', 'bul', 'mkd', 'rus', 'srp', 'ukr'))
>>> languages_of("کراچی"), languages_of("لاہور"), languages_of("القاهرة")
(('fas', 'urd'), ('urd',), ('ara',))

A letter can only exclude a language: "Лондон" has no letter foreign to Russian, and need not be
Russian. Where one language is left, the name is in that one or in one that is not in the table,
such as Kazakh or Pashto, whose own letters exclude all of these.

The letters are those of the national alphabets, in lower case, and for Devanagari and Bengali
letters and signs in use today: Marathi has ळ, ॲ and ऱ, Hindi the dot of क़ and फ़, Assamese ৰ and
ৱ, Nepali none of its own. Vowel points of Hebrew and Arabic and joiners exclude no language.
Serbian is that in Cyrillic.
"""

from __future__ import annotations

import unicodedata

_HINDI = "अआइईउऊऋएऐओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहािीुूृेैोौंःँ्"
_BENGALI = "অআইঈউঊঋএঐওঔকখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযলশষসহৎািীুূৃেৈোৌংঃঁ়্"
_ARABIC = "ءآأؤئابتثجحخدذرزسشصضطظعغفقلمنو"

ALPHABETS = {
    language: frozenset(unicodedata.normalize("NFC", letters))
    for language, letters in {
        "bel": "абвгдеёжзійклмнопрстуўфхцчшыьэюяʼ",
        "bul": "абвгдежзийклмнопрстуфхцчшщъьюя",
        "mkd": "абвгдѓежзѕијклљмнњопрстќуфхцчџш",
        "rus": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "srp": "абвгдђежзијклљмнњопрстћуфхцчџш",
        "ukr": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяʼ",
        "ara": _ARABIC + "إةكهىي",
        "fas": _ARABIC + "پچژکگهی",
        "urd": _ARABIC + "پچژکگہھیےۓۂۃںٹڈڑ",
        "hin": _HINDI + "ऑॉ़",
        "mar": _HINDI + "ऑॉॲॅळऱ",
        "nep": _HINDI,
        "asm": _BENGALI + "ৰৱ",
        "ben": _BENGALI + "র",
        "heb": "אבגדהוזחטיכךלמםנןסעפףצץקרשת",
        "yid": "אבגדהוזחטיכךלמםנןסעפףצץקרשתװױײ",
    }.items()
}
_POINTED = ("ARABIC", "HEBREW")


def languages_of(name: str) -> tuple[str, ...]:
    """The languages of the table that have all of its letters (ISO 639-3)."""
    letters = {
        letter for letter in unicodedata.normalize("NFC", name.lower()) if _distinguishes(letter)
    }
    if not letters:
        return ()
    return tuple(language for language in sorted(ALPHABETS) if letters <= ALPHABETS[language])


def _distinguishes(character: str) -> bool:
    category = unicodedata.category(character)
    if category == "Mn":
        return not unicodedata.name(character).startswith(_POINTED)
    return category[0] in "LM"
