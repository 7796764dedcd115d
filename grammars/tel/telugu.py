"""Telugu script to and from phones, one phone for each letter.

The reading is that of ISO 15919:2001 with the phones of P. Bhaskararao and A. Ray, "Telugu"
(Journal of the International Phonetic Association 47, 2017) in place of its Latin letters. It is a
reading of the script: చ and జ are postalveolar before every vowel, an anusvara is no nasal in
particular, and ఋ is not ɾ u.

Choices where there was one:

- ౘ and ౙ, of dictionaries, are t͡s and d͡z; ఱ and ఴ, of old texts, are r and ɻ.
- Anusvara is ɴ, candrabindu (arasunna, ISO n̆) ◌̃, visarga h, avagraha ’.
- Digits are 0 to 9, a space is |, the hyphen itself.
- All joiners are dropped: the one in words like ఫేస్‌బుక్ keeps letters apart on paper only.

Left out: nukta, nakaara pollu and fractions.

Of the 27,500 words in the train and dev lexicons of Dakshina 4 do not come back: 2 lose a joiner;
refused are an abbreviation with a virama before an independent vowel and a word with two signs on
one consonant.

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(TO_PHONES, tuple("తెలుగు"))[0].output)
't̪ e l u ɡ u'
"""

from __future__ import annotations

from glyphone.grammars.brahmic import BETWEEN, BrahmicScript, digit_table, letter_table, vowel_table

CONSONANTS = """
క k     ఖ kʰ    గ ɡ     ఘ ɡʱ    ఙ ŋ
చ t͡ʃ   ఛ t͡ʃʰ  జ d͡ʒ   ఝ d͡ʒʱ  ఞ ɲ
ట ʈ     ఠ ʈʰ    డ ɖ     ఢ ɖʱ    ణ ɳ
త t̪    థ t̪ʰ   ద d̪    ధ d̪ʱ   న n
ప p     ఫ pʰ    బ b     భ bʱ    మ m
య j     ర ɾ     ల l     వ ʋ     ళ ɭ     ఱ r     ఴ ɻ
శ ʃ     ష ʂ     స s     హ ɦ     ౘ t͡s   ౙ d͡z
"""

VOWELS = """
అ a క       ఆ aː కా     ఇ i కి      ఈ iː కీ     ఉ u కు      ఊ uː కూ
ఋ r̩ కృ      ౠ r̩ː కౄ     ఌ l̩ కౢ      ౡ l̩ː కౣ
ఎ e కె      ఏ eː కే     ఐ ai̯ కై    ఒ o కొ      ఓ oː కో     ఔ au̯ కౌ
"""

TELUGU = BrahmicScript(
    consonants=letter_table(CONSONANTS),
    vowels=vowel_table(VOWELS),
    virama="్",
    nasals=letter_table("ం ɴ  ఁ ◌̃"),
    breaths=letter_table("ః h"),
    others=BETWEEN | digit_table("౦") | letter_table("ఽ ’"),
)

TO_PHONES = TELUGU.to_phones()

FROM_PHONES = TELUGU.from_phones()
