"""Gurmukhi to and from phones, one phone for each letter, for Punjabi.

The reading is that of ISO 15919:2001 with phones in place of its Latin letters, in the broad
transcription of C. Shackle, "Panjabi" (The Indo-Aryan Languages, edited by G. Cardona and D. Jain,
2003). It is a reading of the script: every inherent vowel is there, tone is not, and the letters
that carry it (ਘ ਝ ਢ ਧ ਭ, ਹ) are the consonants they once were.

Choices where there was one:

- Tippi and bindi, which ISO keeps apart, are one phone, ɴ. Which is written follows from the vowel
  (The Unicode Standard, section 12.3): tippi above a bare consonant, ਅ, ਇ and the signs ਿ ੁ ੂ, bindi
  above all others. The wrong one is read as the right one.
- Addak (ੱ) says that the consonant behind it is long. It is the phone ː, between a vowel and that
  consonant: ਪੱਕਾ is p ə ː k ɑː. Anywhere else it is refused.
- Letters with a nukta are ਸ਼ ਖ਼ ਗ਼ ਜ਼ ਫ਼ ਲ਼ and ਕ਼; NFC writes them as two code points. A nukta elsewhere
  is refused. ੜ is ɽ.
- Candrabindu is ◌̃, visarga h. Digits are 0 to 9, a space is |; danda, double danda and the hyphen
  are themselves.
- All joiners are dropped.

Left out: the vowel bearers alone (ੲ ੳ), udaat, yakash and ੴ, all of scripture.

Of the 27,500 words in the train and dev lexicons of Dakshina 8 do not come back: 7 have the wrong
one of tippi and bindi, and one, which is refused, ਢ with a nukta.

>>> from glyphone.fst.rules.interpreter import run
>>> [" ".join(run(TO_PHONES, tuple(word))[0].output) for word in ("ਪੰਜਾਬ", "ਕਿੱਥੇ")]
['p ə ɴ d͡ʒ ɑː b ə', 'k ɪ ː t̪ʰ eː']
"""

from __future__ import annotations

from glyphone.grammars.brahmic import BETWEEN, BrahmicScript, digit_table, letter_table, vowel_table

CONSONANTS = """
ਕ k     ਖ kʰ    ਗ ɡ     ਘ ɡʱ    ਙ ŋ
ਚ t͡ʃ   ਛ t͡ʃʰ  ਜ d͡ʒ   ਝ d͡ʒʱ  ਞ ɲ
ਟ ʈ     ਠ ʈʰ    ਡ ɖ     ਢ ɖʱ    ਣ ɳ
ਤ t̪    ਥ t̪ʰ   ਦ d̪    ਧ d̪ʱ   ਨ n
ਪ p     ਫ pʰ    ਬ b     ਭ bʱ    ਮ m
ਯ j     ਰ ɾ     ਲ l     ਵ ʋ     ੜ ɽ     ਸ s     ਹ ɦ
ਸ਼ ʃ     ਖ਼ x     ਗ਼ ɣ     ਜ਼ z     ਫ਼ f     ਲ਼ ɭ     ਕ਼ q
"""

VOWELS = """
ਅ ə ਕ       ਆ ɑː ਕਾ     ਇ ɪ ਕਿ      ਈ iː ਕੀ     ਉ ʊ ਕੁ      ਊ uː ਕੂ
ਏ eː ਕੇ     ਐ ɛː ਕੈ     ਓ oː ਕੋ     ਔ ɔː ਕੌ
"""

GURMUKHI = BrahmicScript(
    consonants=letter_table(CONSONANTS),
    vowels=vowel_table(VOWELS),
    virama="੍",
    nasals=letter_table("ਂ ɴ  ਁ ◌̃"),
    breaths=letter_table("ਃ h"),
    others=BETWEEN | digit_table("੦") | letter_table("। ।  ॥ ॥"),
    respelt="""
    UNDERTIPPI = {PLAIN ਼ ਿ ੁ ੂ ਅ ਇ}
    ਂ -> ੰ / UNDERTIPPI _
    ੰ -> ਂ / (INDEPENDENT | DEPENDENT) - UNDERTIPPI _
    """,
    # Behind the rules for nasals a bindi has a phone, and a tippi none: so they change places here.
    written="""
    UNDERTIPPI = {PLAIN ਼ ਿ ੁ ੂ ਅ ਇ}
    {ੰ ਂ} -> {ਂ ੰ} / UNDERTIPPI _
    ੱ -> ː / {PLAIN ਼ INDEPENDENT DEPENDENT} _ PLAIN
    """,
    letters=["ੰ", "ੱ"],
    phones=["ː"],
)

TO_PHONES = GURMUKHI.to_phones()

FROM_PHONES = GURMUKHI.from_phones()
