"""Turkish: the list mixes transcribers, so it and the output are brought to phonemes.

Of some hundred symbols in the list most tell how one transcriber heard an allophone that the others
do not write, for the same letter in the same place. What is made one, and why that is no error:

- [ɑ a̟ ä ɐ ʌ] a, [ɛ æ] e, [ɔ] o, [œ] ø, [ɪ] i, [ʊ] u, [ʏ] y, [ɨ] ɯ: places of one vowel, as written.
- [ɫ lʲ] l: clear and dark l; the orthography does not part them, nor do most rows.
- [r ɹ ɾ̥] ɾ, [β ʋ w] v, [ç x] h, [ŋ ɲ] n: allophones beside certain sounds.
- [c] k and [ɟ] ɡ: the grammar tells them apart, but about a fifth of the rows write k g before
  e i ö ü.
- Aspiration; [t ʃ] and [d ʒ] in two symbols, which are the affricates; long consonants, of which
  some rows write two; [ɰ ɣ] for ğ between vowels, where other rows write nothing.

The length of vowels is compared.
"""

from __future__ import annotations

import re

from conventions import Phones, Task

PLACES = {
    **dict.fromkeys("ɑ ä ɐ ʌ a̟ ɑ̯".split(), "a"),
    **dict.fromkeys("ɛ æ e̞ æ̯ e̯".split(), "e"),
    **dict.fromkeys("ɔ ɔ̯".split(), "o"),
    **dict.fromkeys("œ ø̞".split(), "ø"),
    **dict.fromkeys("ɪ i̯".split(), "i"),
    **dict.fromkeys("ʊ u̯".split(), "u"),
    **dict.fromkeys("ɨ ɯ̯".split(), "ɯ"),
    "ʏ": "y",
    **dict.fromkeys("ɫ lʲ".split(), "l"),
    **dict.fromkeys("r ɹ ɾ̥ ɾ̝̊".split(), "ɾ"),
    **dict.fromkeys("β ʋ w".split(), "v"),
    **dict.fromkeys("ç x χ ħ ɦ".split(), "h"),
    **dict.fromkeys("ŋ ɲ".split(), "n"),
    **dict.fromkeys("c kʲ k̟".split(), "k"),
    "ɟ": "ɡ",
    "tʲ": "t",
    **dict.fromkeys("ɰ ɣ ‿".split(), ""),
}

VOWELS = "aeiouyøɯ"


def phonemes(text: str) -> Phones:
    """One symbol for each phoneme, whoever transcribed it."""
    text = re.sub("[ʰˈˌ]", "", text)
    text = text.replace("d ʒ", "d͡ʒ").replace("t ʃ", "t͡ʃ")
    phones: list[str] = []
    for phone in text.split():
        base = phone.removesuffix("ː")
        place = PLACES.get(base, base)
        if place and place != "|":
            if base == phone:
                phones.append(place)
            elif place in VOWELS:
                phones.append(place + "ː")
            else:
                phones += [place, place]
    return tuple(phones)


TASKS = (
    Task(
        "tur.letter_to_sound:TURKISH",
        "wikipron/tur_latn_broad.tsv.gz",
        phonemes,
        phonemes,
        note="allophones merged",
    ),
)
