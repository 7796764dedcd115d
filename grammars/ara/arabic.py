"""Arabic: names without vowel signs, and ISO 233 with its inverse.

INVENTORY holds the 28 letters, hamza alone and on its seats (أ إ آ ؤ ئ), ta marbuta ة and alif
maqsura ى, the space and the hyphen. CLEAN brings a name, however typed, to it: vowel signs,
Quranic marks and tatweel fall away; presentation forms and ligatures are their letters (NFKC), a
hamza or madda typed behind its seat joins it, alif wasla is alif; kaf, yeh and heh of Persian and
Urdu keyboards are the Arabic letters. Letters that other languages add are read as those that
they are made from (پ ب, چ ج, ژ ز, ڤ ف, ڨ ق, گ ك, ٹ ت), as print without them writes them. A ى
inside a word is ي, for so ي was written in Egypt and the Sudan. Nothing is done about a missing
hamza, nor about ه for ة: no rule can tell. WELL_FORMED gives back words in which ة and ى are at
the end only and ء ؤ ئ not at the head.

ISO_233 is ISO 233:1984 (Transliteration of Arabic characters into Latin characters), of which ISO
233-2:1993 is the simplification for vocalised text: one sign for each letter. Hamza alone is ˌ;
above its seat it is ˈ behind the letter of the seat (أ ʾˈ, ؤ wˈ, ئ yˈ); madda is â behind alif.
For hamza below alif, where tables of the standard differ, it is ˌ behind it (إ ʾˌ).
ISO_233_INVERSE reads all back: ʾˌ is إ at the head of a word, also behind و ف ب ك ل and the
article, but not where the word ends (ماء, باء), and اء elsewhere. So إ inside a transcribed word
(بونإيتشي) comes back as اء, and اء behind a particle (لاءم) as إ.

Digits, punctuation and letters of other scripts are refused.

>>> from glyphone.fst.rules.interpreter import run
>>> "".join(run(CLEAN, tuple("مُحَمَّـد"))[0].output)
'محمد'
>>> ["".join(run(ISO_233, tuple(word))[0].output) for word in ("القاهرة", "الإسكندرية")]
['ʾlqʾhrẗ', 'ʾlʾˌskndryẗ']
"""

from glyphone.fst.rules.cascade import cascade, inventory
from glyphone.grammars.alphabets import LETTERS, cleaning_rule, well_formed
from glyphone.grammars.notation import symbol_set

PLAIN = "ا ب ت ث ج ح خ د ذ ر ز س ش ص ض ط ظ ع غ ف ق ك ل م ن ه و ي ء ة ى"
SEATED = "أ إ آ ؤ ئ"
INVENTORY = inventory([*PLAIN.split(), *SEATED.split(), " ", "-"])

TATWEEL = "\u0640"
# Honorifics, vowel signs with the superscript alif, Quranic marks.
MARKS = tuple(map(chr, (*range(0x0610, 0x061B), *range(0x064B, 0x0660), 0x0670)))
QURANIC = tuple("\u06e7\u06e8") + tuple(
    chr(code)
    for first, last in ((0x06D6, 0x06DD), (0x06DF, 0x06E5), (0x06EA, 0x06EE))
    for code in range(first, last)
)

KEYBOARDS = "ٱ ا  ی ي  ے ي  ک ك  ڪ ك  ہ ه  ھ ه  ە ه  ۂ ه  ۀ ه  ۓ ي  ۃ ة  ں ن"
BORROWED = "پ ب  چ ج  ژ ز  ڤ ف  ڥ ف  ڢ ف  ڨ ق  گ ك  ڭ ك  ݣ ك  ٹ ت  ڈ د  ڑ ر"
VARIANTS = dict(zip(*(f"{KEYBOARDS} {BORROWED}".split()[side::2] for side in (0, 1)), strict=True))

CLEAN = cleaning_rule(
    INVENTORY,
    variants=VARIANTS,
    dropped=[TATWEEL, *MARKS, *QURANIC],
    rules=f"ى -> ي / _ {{{PLAIN} {SEATED}}}",
)

WELL_FORMED = well_formed(
    INVENTORY,
    illegal=f"""
    WITHIN = {{{PLAIN} {SEATED}}}
    {{ة ى}} _ WITHIN
    (# | PART) _ {{ء ؤ ئ ة ى}}
    """,
)

# ---------------------------------------------------------------------------------------------
# ISO 233:1984.

LATIN = "ʾ b t ṯ ǧ ḥ ẖ d ḏ r z s š ṣ ḍ ṭ ẓ ʿ ġ f q k l m n h w y ˌ ẗ ỳ"
SEATED_LATIN = "ʾˈ, ʾˌ, ʾâ, wˈ, yˈ"
LATIN_LETTERS = [*LATIN.split(), "ˈ", "â", " ", "-"]

ISO_233 = cascade(
    letters=INVENTORY,
    phones=LATIN_LETTERS,
    source=LETTERS,
    target=LETTERS,
    rules=f"""
    {{{SEATED}}} -> {{{SEATED_LATIN}}}
    {{{PLAIN}}} -> {{{LATIN}}}
    """,
)

ISO_233_INVERSE = cascade(
    letters=LATIN_LETTERS,
    phones=INVENTORY,
    source=LETTERS,
    target=LETTERS,
    partial=True,
    rules=f"""
    ; 1. Hamza below alif: at the head of a word, behind particles and the article
    WITHIN = {symbol_set(LATIN_LETTERS[:-2])}
    HEAD = (# | \\  | \\-) {{w f}}? {{b k l}}? (ʾ l | l)?
    ʾ ˌ -> إ / HEAD _ WITHIN

    ; 2. Other seats
    {{ʾˈ, ʾâ, wˈ, yˈ}} -> {{أ آ ؤ ئ}}

    ; 3. One for one
    {{{LATIN}}} -> {{{PLAIN}}}
    """,
)
