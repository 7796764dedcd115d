"""Kannada script to and from phones, one phone for each letter.

The reading is that of ISO 15919:2001 with phones in place of its Latin letters, in the broad
transcription of S. N. Sridhar, Kannada (Descriptive Grammars, 1990). It is a reading of the script:
an anusvara is no nasal in particular, and ಋ is not ɾ u.

Choices where there was one:

- ಫ಼ and ಜ಼, of words from other languages, are f and z; a nukta elsewhere is refused.
- ಱ and ೞ, of old texts, are r and ɻ.
- Anusvara is ɴ, candrabindu ◌̃, visarga h, avagraha ’.
- Digits are 0 to 9, a space is |, the hyphen itself.
- All joiners are dropped: that of ರ‍್ಯ tells how to draw an r and no more.

Left out: jihvamuliya and upadhmaniya, and the letters for other languages.

Of the 27,500 words in the train and dev lexicons of Dakshina 2 do not come back: abbreviations with
a virama before an independent vowel, which are refused.

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(TO_PHONES, tuple("ಕನ್ನಡ"))[0].output)
'k a n n a ɖ a'
"""

from __future__ import annotations

from glyphone.grammars.brahmic import BETWEEN, BrahmicScript, digit_table, letter_table, vowel_table

CONSONANTS = """
ಕ k     ಖ kʰ    ಗ ɡ     ಘ ɡʱ    ಙ ŋ
ಚ t͡ʃ   ಛ t͡ʃʰ  ಜ d͡ʒ   ಝ d͡ʒʱ  ಞ ɲ
ಟ ʈ     ಠ ʈʰ    ಡ ɖ     ಢ ɖʱ    ಣ ɳ
ತ t̪    ಥ t̪ʰ   ದ d̪    ಧ d̪ʱ   ನ n
ಪ p     ಫ pʰ    ಬ b     ಭ bʱ    ಮ m
ಯ j     ರ ɾ     ಲ l     ವ ʋ     ಳ ɭ     ಱ r     ೞ ɻ
ಶ ʃ     ಷ ʂ     ಸ s     ಹ ɦ     ಫ಼ f    ಜ಼ z
"""

VOWELS = """
ಅ a ಕ       ಆ aː ಕಾ     ಇ i ಕಿ      ಈ iː ಕೀ     ಉ u ಕು      ಊ uː ಕೂ
ಋ r̩ ಕೃ      ೠ r̩ː ಕೄ     ಌ l̩ ಕೢ      ೡ l̩ː ಕೣ
ಎ e ಕೆ      ಏ eː ಕೇ     ಐ ai̯ ಕೈ    ಒ o ಕೊ      ಓ oː ಕೋ     ಔ au̯ ಕೌ
"""

KANNADA = BrahmicScript(
    consonants=letter_table(CONSONANTS),
    vowels=vowel_table(VOWELS),
    virama="್",
    nasals=letter_table("ಂ ɴ  ಁ ◌̃"),
    breaths=letter_table("ಃ h"),
    others=BETWEEN | digit_table("೦") | letter_table("ಽ ’"),
)

TO_PHONES = KANNADA.to_phones()

FROM_PHONES = KANNADA.from_phones()
