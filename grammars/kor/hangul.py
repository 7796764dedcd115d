"""Korean: Hangul syllables to and from their letters (jamo), each written as a phone.

This is a systematic transcription of the spelling, letter by letter, and not a pronunciation: no
liaison, no assimilation, no neutralisation of finals (밟는다 is "p a l p n ɯ n t a", where people
say [pamnɯnda]). What it gives up in sound it gains in safety: it is one-to-one for all 11,172
syllables, and a learner that works on the phones can only write well-formed Hangul.

A syllable block is arithmetic (The Unicode Standard, section 3.12): s = U+AC00 + (i*21 + v)*28 + f
with the initial i, the vowel v and the final f, where f = 0 is no final. Each jamo is one phone,
and a final cluster is the two phones of its two letters (ㄳ is "k s"); the doubled letters ㄲ ㅆ
are one phone each, for they are single tense consonants. The silent initial ㅇ is the phone 0, so
that every syllable begins with exactly one consonant phone:

    syllable = initial vowel (final (second final)?)?

Of the consonant phones between two vowels the last is thus the initial of the second syllable and
the others are the final of the first, and the phones can be cut into syllables in one way only:
"k a k s a" is 각사 (k a k, s a), "k a k s 0 a" is 갃아, "k a k͈ a" is 가까.

The phones are those of the standard pronunciation in isolation (National Institute of Korean
Language, Standard Pronunciation, 표준 발음법, articles 2 to 5; ㅚ and ㅟ are monophthongs there),
in the International Phonetic Alphabet; ㄹ is l, and ◌͈ marks the tense series.

NAMES_FROM_PHONES writes only the syllables that foreign names are transliterated with, and so
keeps a learner to them. By the Loanword Orthography (외래어 표기법, Ministry of Education notice
85-11, 1986, chapter 1, article 3) finals are ㄱ ㄴ ㄹ ㅁ ㅂ ㅅ ㅇ and no clusters. Sino-Korean
syllables have no others, so Korean names that come back from Latin letters (육국, 박) are written
too, but for the few of native words (밝은, 빛나). ㅈ ㅉ ㅊ are not followed by a vowel with j, for
쟈 sounds like 자 (Standard Pronunciation, article 5). Tense initials stay: article 4 keeps them
out of stops in principle only, and the tables for Chinese, Japanese, Thai and Vietnamese have them.

A space is the phone | and a hyphen is -. Conjoining jamo become syllables by NFC before the table
sees them. Everything else is refused because it is not in the alphabet: jamo that stand alone (ㅋ,
ㄱ of the compatibility block, leads without a vowel, obsolete letters), half-width forms, hanja,
Latin letters, digits and punctuation.

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(TO_PHONES, tuple("안녕"))[0].output)
'0 a n n jʌ ŋ'
"""

from __future__ import annotations

from itertools import product

from glyphone.data.records import Symbols
from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import Cascade, Table, cascade

FIRST_SYLLABLE = 0xAC00

# In the order of the code points: ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ
INITIALS = "k k͈ n t t͈ l m p p͈ s s͈ 0 t͡ɕ t͡ɕ͈ t͡ɕʰ kʰ tʰ pʰ h".split()

# ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ
VOWELS = "a ɛ ja jɛ ʌ e jʌ je o wa wɛ ø jo u wʌ we y ju ɯ ɰi i".split()

# None, then ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ
FINALS: list[Symbols] = [
    tuple(final.split())
    for final in (
        ",k,k͈,k s,n,n t͡ɕ,n h,t,l,l k,l m,l p,l s,l tʰ,l pʰ,l h,m,p,p s,s,s͈,ŋ,t͡ɕ,t͡ɕʰ,kʰ,tʰ,pʰ,h"
    ).split(",")
]

BETWEEN = {" ": "|", "-": "-"}

SYLLABLES: dict[str, Symbols] = {
    chr(FIRST_SYLLABLE + number): (initial, vowel, *final)
    for number, (initial, vowel, final) in enumerate(product(INITIALS, VOWELS, FINALS))
}

NAME_FINALS = {tuple(final.split()) for final in ",k,n,l,m,p,s,ŋ".split(",")}
AFFRICATES = {"t͡ɕ", "t͡ɕ͈", "t͡ɕʰ"}

NAME_SYLLABLES: dict[str, Symbols] = {
    syllable: phones
    for syllable, phones in SYLLABLES.items()
    if phones[2:] in NAME_FINALS and not (phones[0] in AFFRICATES and phones[1][0] == "j")
}


def syllable_cascade(syllables: dict[str, Symbols]) -> Cascade:
    """Texts of these syllables, with spaces and hyphens, to phones."""
    return cascade(
        letters=[*syllables, *BETWEEN],
        phones=[*INITIALS, "ŋ", *VOWELS, *BETWEEN.values()],
        rules=Table(
            tuple(((syllable,), phones) for syllable, phones in syllables.items())
            + tuple(((sign,), (phone,)) for sign, phone in BETWEEN.items())
        ),
    )


TO_PHONES = syllable_cascade(SYLLABLES)

FROM_PHONES = TO_PHONES.inverse(partial=True)

NAMES_FROM_PHONES = syllable_cascade(NAME_SYLLABLES).inverse(partial=True)

# The letters of which NFC makes syllables, in the order of the phones.
LEADS = [chr(0x1100 + number) for number in range(len(INITIALS))]
MEDIALS = {vowel: chr(0x1161 + number) for number, vowel in enumerate(VOWELS)}
TAILS = dict(zip("k n l m p s ŋ".split(), "ᆨᆫᆯᆷᆸᆺᆼ", strict=True))
GLIDED = [vowel for vowel in VOWELS if vowel[0] == "j"]
PLAIN = [vowel for vowel in VOWELS if vowel[0] != "j"]

# The syllables of NAMES_FROM_PHONES, letter by letter, so that none must be guessed from its first
# phone, which takes a search ten times as long.
NAMES_TO_JAMO = cascade(
    letters=[*INITIALS, "ŋ", *VOWELS],
    phones=[*LEADS, *MEDIALS.values(), *TAILS.values()],
    source=Writing("token"),
    target=Writing(normal_form="NFD"),
    partial=True,
    rules=f"""
    LEAD = {{{" ".join(LEADS)}}}
    AFFRICATE = {{{" ".join(LEADS[INITIALS.index(phone)] for phone in sorted(AFFRICATES))}}}
    VOWEL = {{{" ".join(VOWELS)}}}
    GLIDED = {{{" ".join(GLIDED)}}}
    PLAIN = {{{" ".join(PLAIN)}}}

    ; 1. A consonant before a vowel begins a syllable
    {{{" ".join(INITIALS)}}} -> LEAD / _ VOWEL

    ; 2. One of seven behind a vowel ends it
    {{{" ".join(TAILS)}}} -> {{{" ".join(TAILS.values())}}} / VOWEL _

    ; 3. Before each vowel is a consonant, if only the silent one, and before one with j no ㅈ
    PLAIN -> {{{" ".join(MEDIALS[vowel] for vowel in PLAIN)}}} / LEAD _
    GLIDED -> {{{" ".join(MEDIALS[vowel] for vowel in GLIDED)}}} / LEAD - AFFRICATE _
    """,
)
