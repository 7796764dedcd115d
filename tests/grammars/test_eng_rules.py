"""Laws of the English grammar: one output for everything, and the markers of the orthography."""

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from glyphone.fst.rules.interpreter import run
from glyphone.grammars.eng.rules import ENGLISH, LETTERS, RESPELLING

EXCEPTIONS = {"".join(found) for found, _ in RESPELLING.pairs}
NUCLEUS = re.compile("[iɪeɛæaɑɔoʊuʌəɝɚ]")
LONG = dict(zip("aio", ["e ɪ", "a ɪ", "o ʊ"], strict=True))
SHORT = dict(zip("aio", "æɪɑ", strict=True))

# Letters as they come, and words that look more like English.
onsets = st.sampled_from([*"bcdfghjklmnpqrstvwyz", *"ch sh th wh kn wr str pl qu tr".split(), ""])
nuclei = st.sampled_from([*"aeiouy", *"ai ea ee oo ou ow ie igh au oa".split()])
codas = st.sampled_from(["", "", *"bdgklmnprstx", *"ng ck sh tch nd st mb ll rt ge ce".split()])
endings = st.sampled_from(["", "", *"e s ed ing er ly ness tion ity ous able ate's".split()])
syllables = st.tuples(onsets, nuclei, codas).map("".join)
words = st.tuples(st.lists(syllables, min_size=1, max_size=3).map("".join), endings).map("".join)
texts = st.one_of(
    st.text(st.sampled_from(LETTERS), max_size=12), st.lists(words, max_size=3).map(" ".join)
)


def spoken(text):
    (way,) = run(ENGLISH, tuple(text))
    return " ".join(way.output)


@given(text=texts)
def test_every_text_has_one_output_and_both_ways_agree(load_rule, text):
    output = spoken(text)
    assert set(output.split()) <= set(ENGLISH.phones)
    hypotheses = load_rule("eng.rules", "ENGLISH").nbest(text, 2)
    assert [hypothesis.output for hypothesis in hypotheses] == [output]


@given(text=texts)
def test_bars_stand_between_words_only(text):
    assert not re.search(r"^\||\|$|\| \|", spoken(text))


@given(one=words, other=words)
def test_words_do_not_act_on_each_other(one, other):
    assume(not EXCEPTIONS & {one, other})  # these are whole texts
    apart = f"{spoken(one)} | {spoken(other)}"
    assert spoken(f"{one} {other}") == spoken(f"{one}-{other}") == apart


@given(word=words)
def test_a_word_with_a_vowel_letter_has_a_vowel(word):
    assert NUCLEUS.search(spoken(word))


@given(word=words)
def test_consonants_are_never_double_within_a_word(word):
    assert not re.search(r"\b([bdfɡkmpstz]) \1\b", spoken(word))


@given(
    onset=st.sampled_from(["b", "d", "f", "p", "t", "st", "pl", "br"]),
    vowel=st.sampled_from("aio"),
    coda=st.sampled_from("bdkpt"),
)
def test_final_e_and_single_consonants_mark_long_vowels(onset, vowel, coda):
    """Venezky's markers: tap, tape, taping, tapping."""
    stem = onset + vowel + coda
    assume(not EXCEPTIONS & {stem, stem + "e", stem + "ing"})
    end = f" {coda}"
    assert spoken(stem).endswith(SHORT[vowel] + end)
    assert spoken(stem + "e").endswith(LONG[vowel] + end)
    assert spoken(stem + "ing").endswith(LONG[vowel] + end + " ɪ ŋ")
    assert spoken(stem + coda + "ing").endswith(SHORT[vowel] + end + " ɪ ŋ")


@given(
    onset=st.sampled_from(["b", "d", "p", "t", "st", "pl"]),
    coda=st.sampled_from(["p", "k", "ck", "f", "b", "g", "m", "n", "ll", "t", "d", "sh", "ss"]),
)
def test_plurals_and_past_tenses_agree_in_voice(onset, coda):
    stem = f"{onset}u{coda}"
    assume(stem not in EXCEPTIONS)
    last = spoken(stem).split()[-1]
    plural = spoken(stem + ("es" if coda in ("sh", "ss") else "s"))
    past = spoken(stem + "ed")
    assert plural.endswith("ɪ z" if last in "sʃ" else "s" if last in "pkft" else "z")
    assert past.endswith("ɪ d" if last in "td" else "t" if last in "pkfsʃ" else "d")


@given(word=words)
def test_case_does_not_matter(load_rule, word):
    model = load_rule("eng.rules", "ENGLISH")
    assert model(word.upper()).output == model(word).output
