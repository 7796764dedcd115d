"""Serbian: Cyrillic to Latin letters (gajica) and back, and the letters of names.

The two alphabets of Serbian are equal and stand letter for letter (Правопис српскога језика,
Матица српска, 2010): љ њ џ are lj nj dž, and all others one letter. So LATIN
has one output for every word, and CYRILLIC reads it back but for one thing: two letters н ј, л ј
or д ж that meet inside a word are written like one. They do so between prefix and stem and in
loanwords (инјекција, конјугација, надживети), and CYRILLIC knows the stems in which they do,
listed in digraphs.tsv; a word with another such stem comes back with the one letter. Who wants to
be sure writes the single letters of Unicode, ǆ ǉ ǌ (U+01C4 to U+01CC), for љ њ џ, or a zero width
non-joiner between two letters: both are understood.

A capital that becomes two letters is Lj at the head of a word and LJ beside capitals. Accents,
which dictionaries show (а̑ а̏ а̀ а́ а̄), fall away in CLEAN and are refused elsewhere; Latin
letters with accents are refused. đ is the only spelling of ђ: dj is дј (адјектив).

CLEAN brings a name in Cyrillic to INVENTORY. WELL_FORMED gives back names whose spaces, hyphens
and apostrophes are between letters; any sequence of letters is a word.

>>> from glyphone.fst.rules.interpreter import run
>>> "".join(run(LATIN, tuple("Љубљана"))[0].output)
'Ljubljana'
>>> ["".join(run(CYRILLIC, tuple(word))[0].output) for word in ("Njegoš", "injekcija")]
['Његош', 'инјекција']
"""

from pathlib import Path

from glyphone.data.lexicons.tsv import read_table
from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade, inventory
from glyphone.grammars.alphabets import APOSTROPHE, cleaning_rule, well_formed
from glyphone.grammars.notation import symbol_set
from glyphone.grammars.romanizing import COMMON, both_cases, latin_letters, spelling_rules

SMALL = "а б в г д ђ е ж з и ј к л љ м н њ о п р с т ћ у ф х ц ч џ ш"
GAJICA = "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š"
INVENTORY = inventory([*SMALL.split(), " ", "-", APOSTROPHE])
TABLE = dict(zip(SMALL.split(), GAJICA.split(), strict=True))
SINGLE = {letter: latin for letter, latin in TABLE.items() if len(latin) == 1}
NONJOINER = "\u200c"

LATIN = cascade(
    letters=[*both_cases(TABLE), *COMMON],
    phones=[*latin_letters(TABLE), *COMMON],
    target=Writing(),
    rules=spelling_rules(TABLE),
)

# Every stem stands at the head of a word, or behind what may come before it, and is cut once.
STEMS = [
    (stem, cut) for stem, cut in read_table(Path(__file__).with_name("digraphs.tsv"), columns=2)
]


def separation_rules() -> str:
    """A rule for each listed stem, in any case, that puts a non-joiner where it is cut."""
    lines = []
    for head, tail in STEMS:
        left, right = (
            " ".join(f"{{{letter} {letter.upper()}}}" for letter in part) for part in (head, tail)
        )
        lines.append(f"∅ -> {NONJOINER} / (# | ANY - WITHIN) {left} _ {right}")
    return "\n".join(lines)


CYRILLIC = cascade(
    letters=[*latin_letters(TABLE), *"ǆǉǌǅǈǋǄǇǊ", NONJOINER, *COMMON],
    phones=[*both_cases(TABLE), *COMMON],
    target=Writing(),
    rules=f"""
    ; 1. Where two letters meet that look like one
    WITHIN = {symbol_set(latin_letters(TABLE))}
    {separation_rules()}

    ; 2. Letters of two letters; a capital second letter alone is no digraph
    {{lj, nj, dž, Lj, Nj, Dž, LJ, NJ, DŽ}} -> {{љ њ џ Љ Њ Џ Љ Њ Џ}}
    {{ǉ ǌ ǆ ǈ ǋ ǅ Ǉ Ǌ Ǆ}} -> {{љ њ џ Љ Њ Џ Љ Њ Џ}}
    {NONJOINER} -> ∅

    ; 3. One for one
    {symbol_set(both_cases(SINGLE.values()))} -> {symbol_set(both_cases(SINGLE))}
    """,
)

# Grave, acute, macron, the long and short falling accents, as they are typed on vowels and р.
ACCENTS = "\u0300\u0301\u0302\u0304\u030f\u0311"

CLEAN = cleaning_rule(INVENTORY, variants={"ѐ": "е", "ѝ": "и", "ӣ": "и", "ӯ": "у"}, dropped=ACCENTS)

WELL_FORMED = well_formed(INVENTORY)
