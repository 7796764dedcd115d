"""Gujarati script to and from phones, one phone for each letter.

The reading is that of ISO 15919:2001 with phones in place of its Latin letters, in the broad
transcription of G. Cardona and B. Suthar, "Gujarati" (The Indo-Aryan Languages, edited by
G. Cardona and D. Jain, 2003). It is a reading of the script: every inherent vowel is there, an
anusvara is no nasal in particular, and vowels and sibilants that speakers merge (ઇ ઈ, શ ષ) stay
apart.

Choices where there was one:

- Letters with a nukta are those of words from Persian and Arabic (ક઼ ખ઼ ગ઼ જ઼ ફ઼) and ISO's ડ઼ ઢ઼; ૹ,
  of Avestan, is ʒ. A nukta elsewhere is refused.
- Anusvara is ɴ, candrabindu ◌̃, visarga h, avagraha ’.
- Digits are 0 to 9, a space is |; danda, double danda and the hyphen are themselves. ૐ is one
  phone, oːm.

Left out: the signs for Arabic (sukun, shadda, maddah), the signs of abbreviation and of rupees.

Of the 27,500 words in the train and dev lexicons of Dakshina 4 do not come back, because they are
refused: one with a virama before an independent vowel, 3 with a sign on an independent vowel.

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(TO_PHONES, tuple("ગુજરાત"))[0].output)
'ɡ u d͡ʒ ə ɾ ɑː t̪ ə'
"""

from __future__ import annotations

from glyphone.grammars.brahmic import BETWEEN, BrahmicScript, digit_table, letter_table, vowel_table

CONSONANTS = """
ક k     ખ kʰ    ગ ɡ     ઘ ɡʱ    ઙ ŋ
ચ t͡ʃ   છ t͡ʃʰ  જ d͡ʒ   ઝ d͡ʒʱ  ઞ ɲ
ટ ʈ     ઠ ʈʰ    ડ ɖ     ઢ ɖʱ    ણ ɳ
ત t̪    થ t̪ʰ   દ d̪    ધ d̪ʱ   ન n
પ p     ફ pʰ    બ b     ભ bʱ    મ m
ય j     ર ɾ     લ l     વ ʋ     ળ ɭ
શ ʃ     ષ ʂ     સ s     હ ɦ     ૹ ʒ
ક઼ q     ખ઼ x     ગ઼ ɣ     જ઼ z     ફ઼ f     ડ઼ ɽ     ઢ઼ ɽʱ
"""

VOWELS = """
અ ə ક       આ ɑː કા     ઇ i કિ      ઈ iː કી     ઉ u કુ      ઊ uː કૂ
ઋ r̩ કૃ      ૠ r̩ː કૄ     ઌ l̩ કૢ      ૡ l̩ː કૣ
એ e કે      ઐ əi̯ કૈ    ઓ o કો      ઔ əu̯ કૌ    ઍ æ કૅ      ઑ ɔ કૉ
"""

GUJARATI = BrahmicScript(
    consonants=letter_table(CONSONANTS),
    vowels=vowel_table(VOWELS),
    virama="્",
    nasals=letter_table("ં ɴ  ઁ ◌̃"),
    breaths=letter_table("ઃ h"),
    others=BETWEEN | digit_table("૦") | letter_table("। ।  ॥ ॥  ઽ ’  ૐ oːm"),
)

TO_PHONES = GUJARATI.to_phones()

FROM_PHONES = GUJARATI.from_phones()
