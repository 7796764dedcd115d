"""Russian Cyrillic to Latin letters: one standard for scholars, one for passports.

SCIENTIFIC is ISO 9:1995 (Information and documentation: Transliteration of Cyrillic characters
into Latin characters), which is also system A of GOST 7.79-2000: one Latin letter, marked where
needed, for each Cyrillic one, whatever the language. The older "scientific" transliteration of
Slavists (ISO/R 9:1968: щ šč, э ė, ю ju, я ja) is not meant here, as it cannot be read back letter
by letter. The letters і ѣ ѳ ѵ, which the reform of 1918 abolished, are in.

SCIENTIFIC_INVERSE reads ISO 9 back into Cyrillic. Only the case of ъ and ь is lost on the way,
since ʺ and ʹ have no capitals; it is restored from the neighbours, so that words written in small
letters, with a capital in front, or in capitals from end to end come back as they were. Two-letter
words in capitals (old ВЪ) are the exception: they come back as Въ, like a word at the head of a
sentence. The primes ′ ″, often typed instead of ʹ ʺ, are understood as well.

PASSPORT is the table for Cyrillic in ICAO Doc 9303, Machine Readable Travel Documents (part 3,
section 6 of the seventh edition; appendix 9 to section IV of part 1 in the sixth), with the values
for Russian. Russian international passports have followed it since 2013. Stress marks fall away. A
capital that becomes several letters is written in capitals throughout beside another capital of
its word, else only with the first one capital: ЩУКИН is SHCHUKIN, but Щукин is Shchukin and
Ю. Iu. The standard gives capitals only; this is the usual way to print them small.

Both rules take Russian letters, digits and common punctuation, and no Latin letter: a Latin с or о
typed by mistake in a name is then reported with the Cyrillic letter that it looks like, instead
of passing unseen into a document, and ISO 9 stays reversible. Mixed text is to be cut by script
first. A stress mark may stand on vowels only: both an acute and a grave in PASSPORT, an acute in
SCIENTIFIC, because there a grave would make э, і and ѵ of the letters е, и and ы.

>>> from glyphone.fst.rules.interpreter import run
>>> [way] = run(PASSPORT, tuple("Юрьев"))
>>> "".join(way.output)
'Iurev'
"""

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade, inventory
from glyphone.grammars.cyrillic import COMMON, ISO_SMALL, ISO_SMALL_OLD, SMALL, SMALL_OLD

# ---------------------------------------------------------------------------------------------
# Inventories. A letter and its stress mark are one symbol, a grapheme cluster.

TEXT = Writing(unit="grapheme")

CAPITAL = "А Б В Г Д Е Ё Ж З И Й К Л М Н О П Р С Т У Ф Х Ц Ч Ш Щ Ъ Ы Ь Э Ю Я"
CAPITAL_OLD = "І Ѣ Ѳ Ѵ"

SMALL_ACUTE = "а́ е́ ё́ и́ о́ у́ ы́ э́ ю́ я́"
CAPITAL_ACUTE = "А́ Е́ Ё́ И́ О́ У́ Ы́ Э́ Ю́ Я́"
SMALL_GRAVE = "а̀ ѐ ё̀ ѝ о̀ у̀ ы̀ э̀ ю̀ я̀"
CAPITAL_GRAVE = "А̀ Ѐ Ё̀ Ѝ О̀ У̀ Ы̀ Э̀ Ю̀ Я̀"
SMALL_OLD_ACUTE = "і́ ѣ́ ѵ́"
CAPITAL_OLD_ACUTE = "І́ Ѣ́ Ѵ́"

# ISO 9 in the same order; ъ and ь have no capitals in Latin.
ISO_CAPITAL = "A B V G D E Ë Ž Z I J K L M N O P R S T U F H C Č Š Ŝ ʺ Y ʹ È Û Â"
ISO_CAPITAL_OLD = "Ì Ě F̀ Ỳ"
ISO_SMALL_ACUTE = "á é ë́ í ó ú ý è́ û́ ấ"
ISO_CAPITAL_ACUTE = "Á É Ë́ Í Ó Ú Ý È́ Û́ Ấ"
ISO_SMALL_OLD_ACUTE = "ì́ ě́ ỳ́"
ISO_CAPITAL_OLD_ACUTE = "Ì́ Ě́ Ỳ́"


CYRILLIC = inventory(
    f"{SMALL} {CAPITAL} {SMALL_OLD} {CAPITAL_OLD}"
    f" {SMALL_ACUTE} {CAPITAL_ACUTE} {SMALL_OLD_ACUTE} {CAPITAL_OLD_ACUTE}"
)
ISO = inventory(
    f"{ISO_SMALL} {ISO_CAPITAL.replace('ʺ Y ʹ', 'Y')} {ISO_SMALL_OLD} {ISO_CAPITAL_OLD}"
    f" {ISO_SMALL_ACUTE} {ISO_CAPITAL_ACUTE} {ISO_SMALL_OLD_ACUTE} {ISO_CAPITAL_OLD_ACUTE}"
)

# ---------------------------------------------------------------------------------------------
# ISO 9:1995: letter by letter, without any context.

SCIENTIFIC = cascade(
    letters=[*CYRILLIC, *COMMON],
    phones=[*ISO, *COMMON],
    source=TEXT,
    target=TEXT,
    rules=f"""
    ; 1. The alphabet of today
    {{{SMALL}}} -> {{{ISO_SMALL}}}
    {{{CAPITAL}}} -> {{{ISO_CAPITAL}}}

    ; 2. The letters of the old orthography
    {{{SMALL_OLD}}} -> {{{ISO_SMALL_OLD}}}
    {{{CAPITAL_OLD}}} -> {{{ISO_CAPITAL_OLD}}}

    ; 3. A vowel keeps its stress mark
    {{{SMALL_ACUTE}}} -> {{{ISO_SMALL_ACUTE}}}
    {{{CAPITAL_ACUTE}}} -> {{{ISO_CAPITAL_ACUTE}}}
    {{{SMALL_OLD_ACUTE}}} -> {{{ISO_SMALL_OLD_ACUTE}}}
    {{{CAPITAL_OLD_ACUTE}}} -> {{{ISO_CAPITAL_OLD_ACUTE}}}
    """,
)

SCIENTIFIC_INVERSE = cascade(
    letters=[*ISO, "′", "″", *COMMON],
    phones=[*CYRILLIC, *COMMON],
    source=TEXT,
    target=TEXT,
    rules=f"""
    ; 1. Signs are small at first; primes are understood for them
    {{ʺ ″}} -> ъ
    {{ʹ ′}} -> ь

    ; 2. The alphabet of today
    {{{ISO_SMALL}}} - {{ʺ ʹ}} -> {{{SMALL}}} - {{ъ ь}}
    {{{ISO_CAPITAL}}} - {{ʺ ʹ}} -> {{{CAPITAL}}} - {{Ъ Ь}}

    ; 3. The letters of the old orthography
    {{{ISO_SMALL_OLD}}} -> {{{SMALL_OLD}}}
    {{{ISO_CAPITAL_OLD}}} -> {{{CAPITAL_OLD}}}

    ; 4. Stressed vowels
    {{{ISO_SMALL_ACUTE}}} -> {{{SMALL_ACUTE}}}
    {{{ISO_CAPITAL_ACUTE}}} -> {{{CAPITAL_ACUTE}}}
    {{{ISO_SMALL_OLD_ACUTE}}} -> {{{SMALL_OLD_ACUTE}}}
    {{{ISO_CAPITAL_OLD_ACUTE}}} -> {{{CAPITAL_OLD_ACUTE}}}

    ; 5. A sign is a capital between capitals (ОБЪЕЗД), and behind two of them where the word
    ;    ends (СОЛЬ). Behind one it stays small: a word at the head of an old sentence (Въ).
    UPPER = {{{CAPITAL} {CAPITAL_OLD} {CAPITAL_ACUTE} {CAPITAL_OLD_ACUTE}}}
    LOWER = {{{SMALL} {SMALL_OLD} {SMALL_ACUTE} {SMALL_OLD_ACUTE}}}
    {{ъ ь}} -> {{Ъ Ь}} / UPPER _ UPPER
    {{ъ ь}} -> {{Ъ Ь}} / UPPER UPPER _ (# | PHONE - UPPER - LOWER)
    """,
)

# ---------------------------------------------------------------------------------------------
# ICAO Doc 9303: a letter may become up to four, and its case depends on its neighbours.

PASSPORT = cascade(
    letters=inventory(
        f"{SMALL} {CAPITAL} {SMALL_ACUTE} {CAPITAL_ACUTE} {SMALL_GRAVE} {CAPITAL_GRAVE}"
    )
    + tuple(COMMON),
    phones=[*"abcdefghiklmnoprstuvyz", *"ABCDEFGHIKLMNOPRSTUVYZ", *COMMON],
    source=TEXT,
    target=TEXT,
    rules=f"""
    ; 1. Stress is not shown
    VOWEL = {{а е ё и о у ы э ю я}}
    GREAT = {{А Е Ё И О У Ы Э Ю Я}}
    {{{SMALL_ACUTE}}} -> VOWEL
    {{{SMALL_GRAVE}}} -> VOWEL
    {{{CAPITAL_ACUTE}}} -> GREAT
    {{{CAPITAL_GRAVE}}} -> GREAT

    ; 2. Nothing tells ё and э from е, й from и
    {{ё э}} -> е
    {{Ё Э}} -> Е
    й -> и
    Й -> И

    ; 3. Capitals that become several letters: ЩУКИН, then the last letter of МГЮ, then Щукин.
    ;    Ъ and Ь count as neighbours, so they are still there; a capital before may be Latin now.
    UPPER = {{{CAPITAL}}}
    LOWER = {{{SMALL}}}
    LARGE = {{Ж Х Ц Ч Ш Щ Ъ Ю Я}}
    LARGE -> {{ZH, KH, TS, CH, SH, SHCH, IE, IU, IA}} / _ UPPER
    BEHIND = {{UPPER H S E U A}}
    ASIDE = LETTER - UPPER - LOWER
    LARGE -> {{ZH, KH, TS, CH, SH, SHCH, IE, IU, IA}} / BEHIND _ (# | ASIDE)
    LARGE -> {{Zh, Kh, Ts, Ch, Sh, Shch, Ie, Iu, Ia}}
    {{ж х ц ч ш щ ъ ю я}} -> {{zh, kh, ts, ch, sh, shch, ie, iu, ia}}

    ; 4. One letter for one
    {{А Б В Г Д Е З И К Л М Н О П Р С Т У Ф Ы}} -> {{A B V G D E Z I K L M N O P R S T U F Y}}
    {{а б в г д е з и к л м н о п р с т у ф ы}} -> {{a b v g d e z i k l m n o p r s t u f y}}

    ; 5. The soft sign falls away
    {{Ь ь}} -> ∅
    """,
)
