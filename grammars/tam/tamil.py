"""Tamil script to and from phones, one phone for each letter.

The reading is that of ISO 15919:2001 with the phones of E. Keane, "Tamil" (Journal of the
International Phonetic Association 34, 2004) in place of its Latin letters. It is a reading of the
script: a stop letter is one phone, however it is voiced or weakened where it stands (க is k, and
never ɡ or x), and letters that speakers merge (ந ன, ர ற) stay apart.

Choices where there was one:

- The letters for words from other languages (ஜ ஶ ஷ ஸ ஹ) are consonants like others; க்ஷ and ஸ்ரீ are
  the letters they are made of.
- Aytam (ஃ, ISO ḵ) is x behind a vowel. Before ப and ஜ it makes another letter of them, f and z (The
  Unicode Standard, section 12.6), and so stands at the beginning of words too. As ஃப is always f,
  the phones x p have no spelling.
- Digits are 0 to 9, a space is |, the hyphen itself; ௐ is one phone, oːm.

Left out: anusvara, nukta and the letters of Tamil Brahmi, fractions and signs of the calendar.

Of the 27,500 words in the train and dev lexicons of Dakshina 12 do not come back, because they are
refused: 5 abbreviations and loans with a virama before an independent vowel, 7 with a vowel sign
typed for something that looks like it.

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(TO_PHONES, tuple("தமிழ்"))[0].output)
't̪ a m i ɻ'
"""

from __future__ import annotations

from glyphone.grammars.brahmic import BETWEEN, BrahmicScript, digit_table, letter_table, vowel_table

CONSONANTS = """
க k     ங ŋ     ச t͡ʃ   ஞ ɲ     ட ʈ     ண ɳ
த t̪    ந n̪    ப p     ம m     ற r     ன n
ய j     ர ɾ     ல l     வ ʋ     ழ ɻ     ள ɭ
ஜ d͡ʒ   ஶ ʃ     ஷ ʂ     ஸ s     ஹ h     ஃப f    ஃஜ z
"""

VOWELS = """
அ a க       ஆ aː கா     இ i கி      ஈ iː கீ     உ u கு      ஊ uː கூ
எ e கெ      ஏ eː கே     ஐ ai̯ கை    ஒ o கொ      ஓ oː கோ     ஔ au̯ கௌ
"""

TAMIL = BrahmicScript(
    consonants=letter_table(CONSONANTS),
    vowels=vowel_table(VOWELS),
    virama="்",
    breaths=letter_table("ஃ x"),
    others=BETWEEN | digit_table("௦") | letter_table("ௐ oːm"),
)

TO_PHONES = TAMIL.to_phones()

FROM_PHONES = TAMIL.from_phones()
