"""Bengali script to and from phones, one phone for each letter.

The reading is that of ISO 15919:2001 with phones in place of its Latin letters, in the broad
transcription of S. D. Khan, "Bengali (Bangladeshi Standard)" (Journal of the International Phonetic
Association 40, 2010). It is a reading of the script: every inherent vowel is there and is ɔ, and
letters that speakers merge (ই ঈ, ণ ন, শ ষ স, য জ) stay apart, under the phones they once had.

Choices where there was one:

- Letters with a nukta are ড় ঢ় and য়; য় is e̯ and য is j. A nukta elsewhere is refused.
- Khanda ta (ৎ) is t without release, t̪̚, and stands behind another letter, with no vowel.
- অ্যা is one vowel, æ, at the beginning of a syllable. Older এ্যা is read as অ্যা. Behind a consonant
  ্যা is j a, as in বিদ্যা, where it is no æ.
- র‍্য, which a joiner tells from র্য (র‍্যাম, কার্য: The Unicode Standard, section 12.2), is
  ɾ ‿ j. All other joiners are dropped.
- Anusvara is ɴ, candrabindu ◌̃, visarga h, avagraha ’.
- Digits are 0 to 9, a space is |; danda, double danda and the hyphen are themselves.

Left out: the letters of Assamese, the Vedic signs, and those of currencies and fractions.

Of the 27,500 words in the train and dev lexicons of Dakshina 10 do not come back: 4 with এ্যা come
back with অ্যা; refused are another এ্য and 5 typed in the wrong order or with a sign on an
independent vowel.

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(TO_PHONES, tuple("বাংলা"))[0].output)
'b a ɴ l a'
"""

from __future__ import annotations

from glyphone.grammars.brahmic import (
    BETWEEN,
    JOINER,
    LINK,
    BrahmicScript,
    digit_table,
    letter_table,
    vowel_table,
)

CONSONANTS = """
ক k     খ kʰ    গ ɡ     ঘ ɡʱ    ঙ ŋ
চ t͡ʃ   ছ t͡ʃʰ  জ d͡ʒ   ঝ d͡ʒʱ  ঞ ɲ
ট ʈ     ঠ ʈʰ    ড ɖ     ঢ ɖʱ    ণ ɳ
ত t̪    থ t̪ʰ   দ d̪    ধ d̪ʱ   ন n
প p     ফ pʰ    ব b     ভ bʱ    ম m
য j     র ɾ     ল l     শ ʃ     ষ ʂ     স s     হ ɦ
ড় ɽ     ঢ় ɽʱ    য় e̯
"""

VOWELS = """
অ ɔ ক       আ a কা      ই i কি      ঈ iː কী     উ u কু      ঊ uː কূ
ঋ r̩ কৃ      ৠ r̩ː কৄ     ঌ l̩ কৢ      ৡ l̩ː কৣ
এ e কে      ঐ oi̯ কৈ    ও o কো      ঔ ou̯ কৌ    - æ -
"""

KHANDA_TA = "t̪̚"

BENGALI = BrahmicScript(
    consonants=letter_table(CONSONANTS),
    vowels=vowel_table(VOWELS),
    virama="্",
    nasals=letter_table("ং ɴ  ঁ ◌̃"),
    breaths=letter_table("ঃ h"),
    others=BETWEEN | digit_table("০") | letter_table("। ।  ॥ ॥  ঽ ’"),
    respelt="""
    এ -> অ / _ ্ য া  ; the older spelling of æ
    """,
    links=f"""
    {JOINER} ্ -> ্ {LINK} / র _ য  ; no reph
    """,
    written=f"""
    ৎ -> {KHANDA_TA} / SYLLABIC _
    অ ্ য া -> æ
    """,
    letters=[JOINER, "ৎ"],
    phones=[LINK, KHANDA_TA],
)

TO_PHONES = BENGALI.to_phones()

FROM_PHONES = BENGALI.from_phones()
