"""Sinhala script to and from phones, one phone for each letter.

The reading is that of ISO 15919:2001 with phones in place of its Latin letters, in the broad
transcription of J. W. Gair, "Sinhala" (The Indo-Aryan Languages, edited by G. Cardona and D. Jain,
2003). It is a reading of the script: the inherent vowel is a where it is weakened to ə too, and
letters that speakers merge (න ණ, ල ළ, ශ ෂ, all with aspiration) stay apart.

Choices where there was one:

- A zero width joiner behind a virama joins two consonants in one shape: rakaransaya (ක්‍ර), yansaya
  (ක්‍ය), repaya (ර්‍ක) and older conjuncts. Without it there is a visible virama, and both are in
  use (ප්‍රකාශ, අප්රිකා), so the joiner is the phone ‿ between the two. All other joiners are dropped.
- Prenasalised consonants (සඤ්ඤක) are one phone each, and so is ඥ, ɡɲ.
- Anusvara is ɴ, candrabindu ◌̃, visarga h.
- Digits (the old lith illakkam) are 0 to 9, a space is |, the hyphen itself.

Left out: the older numbers, and kunddaliya.

Of the 27,500 words in the train and dev lexicons of Dakshina 29 do not come back, because they are
refused: 17 abbreviations and compounds with a virama before an independent vowel, and 12 with a
sign on a vowel, or on nothing.

>>> from glyphone.fst.rules.interpreter import run
>>> [" ".join(run(TO_PHONES, tuple(word))[0].output) for word in ("ලංකා", "ශ්‍රී")]
['l a ɴ k aː', 'ʃ ‿ ɾ iː']
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
ක k     ඛ kʰ    ග ɡ     ඝ ɡʱ    ඞ ŋ     ඟ ᵑɡ
ච t͡ʃ   ඡ t͡ʃʰ  ජ d͡ʒ   ඣ d͡ʒʱ  ඤ ɲ     ඥ ɡɲ    ඦ ᶮd͡ʒ
ට ʈ     ඨ ʈʰ    ඩ ɖ     ඪ ɖʱ    ණ ɳ     ඬ ᶯɖ
ත t̪    ථ t̪ʰ   ද d̪    ධ d̪ʱ   න n     ඳ ⁿd̪
ප p     ඵ pʰ    බ b     භ bʱ    ම m     ඹ ᵐb
ය j     ර ɾ     ල l     ව ʋ     ළ ɭ
ශ ʃ     ෂ ʂ     ස s     හ ɦ     ෆ f
"""

VOWELS = """
අ a ක       ආ aː කා     ඇ æ කැ      ඈ æː කෑ     ඉ i කි      ඊ iː කී     උ u කු      ඌ uː කූ
ඍ r̩ කෘ      ඎ r̩ː කෲ     ඏ l̩ කෟ      ඐ l̩ː කෳ
එ e කෙ      ඒ eː කේ     ඓ ai̯ කෛ    ඔ o කො      ඕ oː කෝ     ඖ au̯ කෞ
"""

SINHALA = BrahmicScript(
    consonants=letter_table(CONSONANTS),
    vowels=vowel_table(VOWELS),
    virama="්",
    nasals=letter_table("ං ɴ  ඁ ◌̃"),
    breaths=letter_table("ඃ h"),
    others=BETWEEN | digit_table("෦"),
    links=f"""
    {JOINER} -> {LINK} / PLAIN ් _ PLAIN
    """,
    letters=[JOINER],
    phones=[LINK],
)

TO_PHONES = SINHALA.to_phones()

FROM_PHONES = SINHALA.from_phones()
