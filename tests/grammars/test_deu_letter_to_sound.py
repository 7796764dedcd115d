"""Laws of the German grammar: one output for everything, devoicing, members that keep apart."""

import re

from hypothesis import assume, example, given
from hypothesis import strategies as st

from glyphone.fst.rules.interpreter import run
from glyphone.grammars.deu.letter_to_sound import GERMAN, LETTERS, RESPELLING

VOICED = "bdɡz"
VOICELESS = "pkfsʃçxt"
EXCEPTIONS = {"".join(found) for found, _ in RESPELLING.pairs}

onsets = st.sampled_from([*"bdfghjklmnprstvwz", *"sch st sp kn tr bl pf qu gr schl".split()])
nuclei = st.sampled_from([*"aeiouäöü", *"ei au eu äu ie ah eh oo ee".split()])
codas = st.sampled_from(["", "", *"nslrtkpmdgbz", *"nd rt st lt ch ck ss tz ng rz ß".split()])
syllables = st.tuples(onsets, nuclei, codas).map("".join)
words = st.lists(syllables, min_size=1, max_size=4).map("".join)
texts = st.one_of(
    st.text(st.sampled_from(LETTERS), max_size=12), st.lists(words, max_size=3).map(" ".join)
)
# Syllables whose vowel is a, so that no prefix, ending or schwa can be found in them.
plain = st.tuples(st.sampled_from("fglm"), st.just("a")).map("".join)


def spoken(text):
    (way,) = run(GERMAN, tuple(text))
    return "".join(way.output)


@given(text=texts)
def test_every_text_has_one_output_and_both_ways_agree(load_rule, text):
    (way,) = run(GERMAN, tuple(text))
    assert set(way.output) <= set(GERMAN.phones)
    hypotheses = load_rule("deu.letter_to_sound", "GERMAN").nbest(text, 2)
    assert [hypothesis.output for hypothesis in hypotheses] == [" ".join(way.output)]


@given(text=words)
def test_no_word_ends_in_a_voiced_obstruent(text):
    assume(text not in EXCEPTIONS)
    assert spoken(text)[-1] not in VOICED


@given(text=words)
def test_voiced_stops_do_not_stand_before_voiceless_sounds(text):
    assert not re.search(f"[bdɡ][{VOICELESS}]", spoken(text))


@given(text=words)
def test_ach_stands_behind_back_vowels_only(text):
    phones = spoken(text)
    assert not re.search("(?<![aɔoʊuː\u032f])x", phones)
    assert not re.search("[aɔoʊu]ç", phones)


@given(stem=st.lists(plain, min_size=1, max_size=2).map("".join))
def test_r_is_a_vowel_behind_long_vowels_unless_a_vowel_follows(stem):
    assert spoken(stem + "tehr").endswith("teːɐ̯")
    assert spoken(stem + "tehren").endswith("teːʁən")
    assert spoken(stem + "ter").endswith("tɐ")


@given(stem=st.lists(plain, min_size=2, max_size=3).map("".join))
def test_suffixes_devoice_the_end_of_the_stem(stem):
    assert spoken(stem + "dlich").endswith("tlɪç")
    assert spoken(stem + "gkeit").endswith("kkaɪ̯t")
    assert spoken(stem + "bung").endswith("bʊŋ")


@given(stem=st.lists(plain, min_size=1, max_size=2).map("".join))
def test_ig_is_a_fricative_at_the_end_and_a_stop_before_vowels(stem):
    assert spoken(stem + "tig").endswith("tɪç")
    assert spoken(stem + "tige").endswith("tɪɡə")


@given(one=words, other=words)
def test_words_do_not_act_on_each_other(one, other):
    assume(not EXCEPTIONS & {one, other})
    assert spoken(f"{one} {other}") == f"{spoken(one)}|{spoken(other)}"


@given(one=words, other=words)
@example(one="beer", other="ba")  # be- and er- are prefixes before members, not before a hyphen
@example(one="be", other="ba")
def test_a_hyphen_parts_members_like_words(one, other):
    assume(not EXCEPTIONS & {one, other})
    assert spoken(f"{one}-{other}") == spoken(one) + spoken(other)


@given(word=words)
def test_case_does_not_matter(load_rule, word):
    model = load_rule("deu.letter_to_sound", "GERMAN")
    assert model(word.upper()).output == model(word).output or "ß" in word
