"""Devanagari to and from phones, one phone for each letter, for Hindi, Marathi and Sanskrit.

The reading is that of ISO 15919:2001 (Transliteration of Devanagari and related Indic scripts into
Latin characters), with phones of Hindi in the broad transcription of M. Ohala, "Hindi" (Handbook
of the International Phonetic Association, 1999), in place of its Latin letters. It is a reading of
the script and not of a language: every inherent vowel is there (राम is ɾ ɑː m ə; no schwa is
deleted), an anusvara is no nasal in particular, and letters that Hindi speakers merge (श ष, ऋ रि)
stay apart. So it can be undone: FROM_PHONES writes the one well-formed spelling of every legal
sequence of phones. What is well-formed is said in `glyphone.grammars.brahmic`.

Choices where there was one:

- Letters with a nukta are those of Hindi and Urdu words (क़ ख़ ग़ ज़ झ़ ड़ ढ़ फ़) and य़. NFC writes
  all of them as two code points, U+0958 to U+095F too; ऩ ऱ ऴ are one. A nukta elsewhere is refused.
- ऱ is the letter of ऱ्य in Marathi. The older spelling of it, र with virama and zero width joiner,
  is read as ऱ (The Unicode Standard, section 12.1, rule R5a: the eyelash form of ra). All other
  joiners are dropped.
- र्ऋ (नैर्ऋत) is read as the equivalent रृ, and so is written. Any other virama before an independent
  vowel is refused (क़ुर्आन; most people write क़ुरआन).
- ऍ is the independent letter of the sign ॅ, as in Hindi. The Marathi letter ॲ for the same vowel
  has a phone of its own, ɛ, and no sign.
- Anusvara is ɴ, candrabindu ◌̃ (a dotted circle and a tilde), visarga h, avagraha ’.
- Digits are 0 to 9, a space is |; danda, double danda, the sign of abbreviation and the hyphen are
  themselves. ॐ is one phone, oːm.

Left out: the Vedic accents, the letters for Kashmiri, Sindhi and Bihari languages, and Latin
letters, digits and punctuation.

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(TO_PHONES, tuple("हिन्दी"))[0].output)
'ɦ ɪ n d̪ iː'
"""

from __future__ import annotations

from glyphone.grammars.brahmic import JOINER, BrahmicScript, letter_table, vowel_table

CONSONANTS = """
क k     ख kʰ    ग ɡ     घ ɡʱ    ङ ŋ
च t͡ʃ   छ t͡ʃʰ  ज d͡ʒ   झ d͡ʒʱ  ञ ɲ
ट ʈ     ठ ʈʰ    ड ɖ     ढ ɖʱ    ण ɳ
त t̪    थ t̪ʰ   द d̪    ध d̪ʱ   न n
प p     फ pʰ    ब b     भ bʱ    म m
य j     र ɾ     ल l     व ʋ
श ʃ     ष ʂ     स s     ह ɦ
"""

NUKTA_CONSONANTS = """
क़ q     ख़ x     ग़ ɣ     ज़ z    झ़ ʒ    ड़ ɽ    ढ़ ɽʱ    फ़ f    य़ e̯
"""

MARATHI_AND_DRAVIDIAN_CONSONANTS = """
ळ ɭ     ऱ r     ऴ ɻ     ऩ n̠
"""

VOWELS = """
अ ə क       आ ɑː का     इ ɪ कि      ई iː की     उ ʊ कु      ऊ uː कू
ऋ r̩ कृ      ॠ r̩ː कॄ     ऌ l̩ कॢ      ॡ l̩ː कॣ
ए eː के     ऐ ɛː कै     ओ oː को     औ ɔː कौ
ऎ e कॆ      ऒ o कॊ      ऍ æ कॅ      ऑ ɒ कॉ      ॲ ɛ -
"""

OTHERS = """
० 0   १ 1   २ 2   ३ 3   ४ 4   ५ 5   ६ 6   ७ 7   ८ 8   ९ 9
। ।   ॥ ॥   ॰ ॰   - -   ऽ ’   ॐ oːm
"""

DEVANAGARI = BrahmicScript(
    consonants=letter_table(CONSONANTS + NUKTA_CONSONANTS + MARATHI_AND_DRAVIDIAN_CONSONANTS),
    vowels=vowel_table(VOWELS),
    virama="्",
    nasals=letter_table("ं ɴ  ँ ◌̃"),
    breaths=letter_table("ः h"),
    others={" ": "|"} | letter_table(OTHERS),
    respelt=f"""
    र -> ऱ / _ ् {JOINER}  ; eyelash ra
    ् ऋ -> ृ / र _  ; ऋ under a reph
    """,
)

TO_PHONES = DEVANAGARI.to_phones()

FROM_PHONES = DEVANAGARI.from_phones()
