"""Malayalam script to and from phones, one phone for each letter.

The reading is that of ISO 15919:2001 with the phones of S. Namboodiripad and M. Garellek,
"Malayalam (Kozhikode)" (Journal of the International Phonetic Association 47, 2017) in place of its
Latin letters. It is a reading of the script: a stop letter is one phone, however it is voiced, ന is
n where it is dental too, and റ്റ and ന്റ are r r and n r.

Choices where there was one:

- A virama at the end of a word is the half u of speech (samvruthokaram, ISO ŭ). It has no phone
  here, as a model that reads names was no better for one (word error 41.2 % with it, 40.5 %
  without, on the dev lexicon of Dakshina): അത് is a t̪. The older spelling ു് is read as it.
- Chillus (ൺ ൻ ർ ൽ ൾ ൿ), consonants with neither a vowel nor the half u, are phones of their own,
  without release (ൻ is n̚); they stand behind another letter. Their older spelling, of consonant,
  virama and zero width joiner, is read as them.
- ൻ്റ is read as ന്റ, which is what most people write for it (The Unicode Standard, section 12.9).
- ൌ, of old texts, is read as the sign of today, ൗ.
- Anusvara is ɴ, candrabindu ◌̃, visarga h, avagraha ’.
- Digits are 0 to 9, a space is |, the hyphen itself.
- All other joiners are dropped: that of അക്‌ബർ keeps letters apart on paper only.

Left out: the chillus of m, y and ḻ, the dot above for r, numbers above nine, fractions and dates.

Of the 27,500 words in the train and dev lexicons of Dakshina 150 do not come back: 122 lose a
joiner, 22 come back with the modern half u, one with ന്റ; 5 are refused, for a vowel sign on a
chillu or an independent vowel, and a virama behind or before an independent vowel.

>>> from glyphone.fst.rules.interpreter import run
>>> [" ".join(run(TO_PHONES, tuple(word))[0].output) for word in ("അവൻ", "അവന്")]
['a ʋ a n̚', 'a ʋ a n']
"""

from __future__ import annotations

from glyphone.grammars.brahmic import (
    BETWEEN,
    JOINER,
    BrahmicScript,
    digit_table,
    letter_table,
    vowel_table,
)
from glyphone.grammars.notation import symbol_set

CONSONANTS = """
ക k     ഖ kʰ    ഗ ɡ     ഘ ɡʱ    ങ ŋ
ച t͡ʃ   ഛ t͡ʃʰ  ജ d͡ʒ   ഝ d͡ʒʱ  ഞ ɲ
ട ʈ     ഠ ʈʰ    ഡ ɖ     ഢ ɖʱ    ണ ɳ
ത t̪    ഥ t̪ʰ   ദ d̪    ധ d̪ʱ   ന n
പ p     ഫ pʰ    ബ b     ഭ bʱ    മ m
യ j     ര ɾ     ല l     വ ʋ     ള ɭ     ഴ ɻ     റ r     ഩ n̠    ഺ t
ശ ʃ     ഷ ʂ     സ s     ഹ ɦ
"""

CHILLUS = letter_table("ൺ ɳ̚  ൻ n̚  ർ ɾ̚  ൽ l̚  ൾ ɭ̚  ൿ k̚")

VOWELS = """
അ a ക       ആ aː കാ     ഇ i കി      ഈ iː കീ     ഉ u കു      ഊ uː കൂ
ഋ r̩ കൃ      ൠ r̩ː കൄ     ഌ l̩ കൢ      ൡ l̩ː കൣ
എ e കെ      ഏ eː കേ     ഐ ai̯ കൈ    ഒ o കൊ      ഓ oː കോ     ഔ au̯ കൗ
"""

MALAYALAM = BrahmicScript(
    consonants=letter_table(CONSONANTS),
    vowels=vowel_table(VOWELS),
    virama="്",
    nasals=letter_table("ം ɴ  ഁ ◌̃"),
    breaths=letter_table("ഃ h"),
    others=BETWEEN | digit_table("൦") | letter_table("ഽ ’"),
    respelt=f"""
    ന ് {JOINER} -> ൻ
    ണ ് {JOINER} -> ൺ
    ര ് {JOINER} -> ർ
    ല ് {JOINER} -> ൽ
    ള ് {JOINER} -> ൾ
    ക ് {JOINER} -> ൿ
    ൻ -> ന / _ ് റ
    ൌ -> ൗ
    ു -> ∅ / _ ്
    """,
    written=f"""
    {symbol_set(CHILLUS)} -> {symbol_set((phone,) for phone in CHILLUS.values())} / SYLLABIC _
    """,
    letters=list(CHILLUS),
    phones=list(CHILLUS.values()),
    older=["ൌ"],
)

TO_PHONES = MALAYALAM.to_phones()

FROM_PHONES = MALAYALAM.from_phones()
