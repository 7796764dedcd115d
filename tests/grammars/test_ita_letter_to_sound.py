"""Laws of the Italian grammar: one output for everything, open vowels where they can be."""

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from glyphone.fst.rules.interpreter import run
from glyphone.grammars.ita.letter_to_sound import ITALIAN, LETTERS, RESPELLING

EXCEPTIONS = {"".join(found) for found, _ in RESPELLING.pairs}

SUFFIXES = {
    **{"enza": "ɛnt͡sa", "iere": "jɛre", "orio": "ɔrjo", "etico": "ɛtiko", "logico": "lɔd͡ʒiko"},
    **{"etto": "etto", "one": "one", "oso": "ozo", "ese": "eze", "mente": "mente", "ore": "ore"},
}

# Letters as they come, and words that look more like Italian.
onsets = st.sampled_from(
    [*"bcdfglmnpqrstvz", *"ch gh sc sch gn gli qu cc zz ss st sb sm tr pr bl ll nz".split()]
)
nuclei = st.sampled_from([*"aeiou", *"ia io ie ua uo ai au ei oi ee".split()])
syllables = st.tuples(onsets, nuclei).map("".join)
codas = st.sampled_from(["", "", *"nrlm"])
words = st.lists(st.tuples(syllables, codas).map("".join), min_size=1, max_size=4).map("".join)
texts = st.one_of(
    st.text(st.sampled_from(LETTERS), max_size=12), st.lists(words, max_size=3).map(" ".join)
)


def spoken(text):
    (way,) = run(ITALIAN, tuple(text))
    return "".join(way.output)


@given(text=texts)
def test_every_text_has_one_output_and_both_ways_agree(load_rule, text):
    (way,) = run(ITALIAN, tuple(text))
    assert set(way.output) <= set(ITALIAN.phones)
    hypotheses = load_rule("ita.letter_to_sound", "ITALIAN").nbest(text, 2)
    assert [hypothesis.output for hypothesis in hypotheses] == [" ".join(way.output)]


@given(text=texts)
def test_bars_stand_between_words_only(text):
    assert not re.search(r"^\||\|$|\|\|", spoken(text))


@given(word=words)
def test_s_is_voiced_before_voiced_consonants(word):
    assert not re.search("s[bdɡvmnlr]", spoken(word))


@given(word=words)
def test_palatals_are_long_between_vowels(word):
    assert not re.search("[aeɛioɔu][ʃɲʎ][aeɛioɔu]", spoken(word))


@given(word=words)
def test_n_does_not_stand_before_labials(word):
    assert not re.search("n[pbm]", spoken(word))


@given(start=words, end=st.sampled_from(sorted(SUFFIXES)))
def test_suffixes_sound_alike_behind_every_stem(start, end):
    assume(start[-1] in "bdlmnprtv")
    assert spoken(start + end).endswith(SUFFIXES[end])


@given(vowel=st.sampled_from("àèéìòù"), word=words)
def test_a_written_accent_says_which_vowel_it_is(vowel, word):
    stem = word.rstrip("aeiou")
    assume(stem and stem[-1] in "bdlmnprtv")
    expected = dict(zip("àèéìòù", "aɛeiɔu", strict=True))[vowel]
    assert spoken(stem + vowel).endswith(expected)


@given(one=words, other=words)
def test_words_do_not_act_on_each_other(one, other):
    assume(not EXCEPTIONS & {one, other})
    assert spoken(f"{one} {other}") == spoken(f"{one}-{other}") == f"{spoken(one)}|{spoken(other)}"


@given(word=words)
def test_case_does_not_matter(load_rule, word):
    model = load_rule("ita.letter_to_sound", "ITALIAN")
    assert model(word.upper()).output == model(word).output
