"""English: orthography to broad phonemic transcription of General American, without stress.

Letter-to-sound rules in the tradition of H. S. Elovitz et al., *Automatic Translation of English
Text to Phonetics by Means of Letter-to-Sound Rules* (1976), and S. Hunnicutt, *Phonological Rules
for a Text-to-Speech System* (1976), which adds affixes and stress to them. The correspondences
follow R. L. Venezky, *The Structure of English Orthography* (1970), and E. Carney, *A Survey of
English Spelling* (1994); the stress N. Chomsky and M. Halle, *The Sound Pattern of English* (1968),
L. Burzio, *Principles of English Stress* (1994), and for suffixes E. Fudge, *English Word-Stress*
(1984); doubtful words J. S. Kenyon and T. A. Knott, *A Pronouncing Dictionary of American English*
(1953). In this order:

1. `_letters`: soft c and g; inflection, compounds and neutral suffixes, parted from stems by `·`.
2. `_suffixes`: learned suffixes, said as they stand; the stress and the vowel before them.
3. `_consonants`, then `_vowels`: digraphs, r, and the final e that makes a vowel long.
4. `_stress`: one stress in each member, then long, short and weak vowels by stress and syllable.

What is written, and why:

- Vowels in stressed syllables are iː ɪ ɛ æ ɑ ɔ ʊ uː ʌ ɝ, and e ɪ, a ɪ, o ʊ, a ʊ, ɔ ɪ as two phones
  each; *cot* and *caught* differ. Final y is i (happy), and so is i before a weak vowel (radio).
  Weak vowels are ə, ɪ in some prefixes and suffixes (return, wanted, -ing, -ic), and ɚ.
- ə ɹ stands before vowels (camera), ɚ elsewhere (letter). Before ɹ and a consonant or the end there
  are ɑ ɔ ɛ ɪ ʊ only (star, more, care, near, pure). l m n are never syllables (bottle [b ɑ t ə l]).
- No j after t d n s z l ɹ (tune, new, suit), as most Americans have it. wh is w.
- Words are parted by `|`, for a space, a hyphen, a comma or a full stop. A letter alone is read by
  its name.

Left out: stress in the output, which the rules guess well enough for vowels but not for itself;
compounds whose members are not among the frequent ones; foreign words, whose letters follow other
rules; homographs, which have the sound of the commoner word (lead, live).

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(ENGLISH, tuple("community"))[0].output)
'k ə m j uː n ɪ t i'
"""

from __future__ import annotations

from pathlib import Path

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade, respelling
from glyphone.grammars.eng._consonants import CONSONANTS
from glyphone.grammars.eng._letters import (
    CLASSES,
    FOREIGN_LETTERS,
    INFLECTION,
    NEUTRAL_SUFFIXES,
    SOFT_LETTERS,
)
from glyphone.grammars.eng._stress import QUALITY, SOUND, STRESS
from glyphone.grammars.eng._suffixes import LEARNED_SUFFIXES
from glyphone.grammars.eng._vowels import NUCLEI, VOWELS

WRITING = Writing(case="lower")

# The alphabet, and the accents that names and loanwords bring along.
LETTERS = [*"abcdefghijklmnopqrstuvwxyz", *"áéíóúýàèìòùâêîôûãõäëïöüåæøœñçß", *"'’ -.,"]
PHONES = "iː i ɪ e ɛ æ a ɑ ɔ o ʊ uː u ʌ ə ɝ ɚ p b t d k ɡ t͡ʃ d͡ʒ f v θ ð s z ʃ ʒ h m n ŋ l ɹ j w |"
# ṡ ġ: soft c and g; ā ē ī ō ū ȣ ȯ: long vowels and diphthongs; ɨ ĭ ŭ: weak vowels; ·: the edge of a
# member or a neutral suffix; ´ `: stress before, on a long or a short vowel; ˈ ˌ: stress.
MARKS = "ṡ ġ ā ē ī ō ū ȣ ȯ ɨ ĭ ŭ · ´ ` ˈ ˌ"

RESPELLING = respelling(Path(__file__).with_name("respelling.tsv"), source=WRITING)

ENGLISH = cascade(
    letters=LETTERS,
    phones=PHONES,
    marks=MARKS,
    rules=[
        CLASSES,
        FOREIGN_LETTERS,
        RESPELLING,
        SOFT_LETTERS,
        INFLECTION,
        NEUTRAL_SUFFIXES,
        LEARNED_SUFFIXES,
        CONSONANTS,
        NUCLEI,
        VOWELS,
        STRESS,
        QUALITY,
        SOUND,
    ],
    source=WRITING,
)
