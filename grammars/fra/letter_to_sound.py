"""French: orthography to broad phonemic transcription.

Phonemes, schwa, glides and liaison follow B. Tranel, *The Sounds of French* (1987), and P. Fouché,
*Traité de prononciation française* (2nd ed., 1959); letters and their values N. Catach,
*L'orthographe française* (1980), and M. Grevisse and A. Goosse, *Le bon usage*; the idea of latent
consonants S. Schane, *French Phonology and Morphology* (1968).

What is written, and why:

- Four nasal vowels: œ̃ is kept apart from ɛ̃, as dictionaries do (brun, brin). There is one a, for
  few speakers still tell pâte from patte, and one ɛ, short in maître too.
- Schwa: [ə] is left out wherever one consonant stands on each side (samedi [s a m d i]), and kept
  in the first syllable, between three consonants, and before a liquid with a glide (nous
  aimerions). Final e is silent.
- Mid vowels. e of open syllables is é by spelling; before a double consonant it is [e] (effet), or
  [ɛ] if the next e is silent (belle). o is [ɔ] but at the end and before [z]; au is [o] but before
  r. eu is [ø] at the end and before [z t d k ʒ], else [œ]. Before a vowel of the next syllable ai
  is [ɛ] (maison), and ê [e] by harmony (bêtise). Final -ai of verbs is [e].
- A stop with l or r before i and a vowel gives [i j] (crier), and keeps u and ou syllabic (cruel).
- Final consonants are silent, latent, or sound, by rules and lists; -ent is silent in verbs.
- b is p before t and s (absent); other assimilations of voice are not written.
- Words are parted by `|`, for a space, a hyphen, a comma or a full stop; the consonant of liaison
  stands before it. Liaison is made across hyphens (est-il), and behind words that always make it
  (les amis), but not before h aspiré: see `linking.tsv` and `h_aspire.tsv`. Optional liaison is
  not. A word without vowel letters is spelt out, and so is a letter alone.

The rules are in `_letters.py`, `_endings.py`, `_consonants.py` and `_vowels.py`. On the way French
letters serve as signs for vowels: é is [e], ô [o], ù [u] and u [y].

Left out: homographs that only the sentence tells apart (ils président, le président; nous
portions, les portions; plus, fier, est, os); foreign names and words beyond `exceptions.tsv`.

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(FRENCH, tuple("les enfants chantent"))[0].output)
'l e z | ɑ̃ f ɑ̃ | ʃ ɑ̃ t'
"""

from __future__ import annotations

from pathlib import Path

from glyphone.data.lexicons.tsv import read_table
from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade
from glyphone.grammars.fra import _consonants as consonants
from glyphone.grammars.fra import _endings as endings
from glyphone.grammars.fra import _letters as letters
from glyphone.grammars.fra import _vowels as vowels
from glyphone.grammars.fra._letters import LETTERS, MARKS, PHONES
from glyphone.grammars.notation import symbol_set

HERE = Path(__file__).parent


def words_of(name: str) -> list[str]:
    """The words of a list beside this module."""
    return [word for (word,) in read_table(HERE / name, columns=1)]


EXCEPTIONS = {row[0]: row[1] for row in read_table(HERE / "exceptions.tsv", columns=2)}
RESPELLING = (
    f"{symbol_set(EXCEPTIONS)} -> {symbol_set(EXCEPTIONS.values())} / W _ s? END [right-to-left]"
)

LIAISON = rf"""
    ; 2. Liaison is made where a hyphen is, but not before h aspiré. Some words always make it.
    x -> z z / W di _ \- (huit | neuf)                    ; dix-huit
    \  -> \- / W {symbol_set(words_of("linking.tsv"))} _ (V | h V)
    \- -> \  / _ {symbol_set(words_of("h_aspire.tsv"))}
"""
NOUN = f"NOUN = {symbol_set(words_of('nouns_in_ent.tsv'))}"

FRENCH = cascade(
    letters=LETTERS,
    phones=PHONES,
    marks=MARKS,
    rules=[
        letters.CLASSES,
        letters.FOREIGN_LETTERS,
        LIAISON,
        RESPELLING,
        letters.LETTER_NAMES,
        NOUN,
        endings.ENT,
        endings.TI,
        endings.FINAL,
        consonants.GROUPS,
        vowels.ILL_AND_Y,
        vowels.NASALS,
        vowels.DIGRAPHS,
        vowels.LAWS_OF_E,
        vowels.LAWS_OF_VOWELS,
    ],
    source=Writing(case="lower"),
)
