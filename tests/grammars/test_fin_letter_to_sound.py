"""Laws of the Finnish grammar: one output for everything, stress that never clashes."""

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from glyphone.fst.rules.interpreter import run
from glyphone.grammars.fin.letter_to_sound import FINNISH, LETTERS

VOWELS = "ɑeiouyæø"
NATIVE = dict(zip("ɑæøʋŋ", "aäövn", strict=True))

syllables = st.tuples(
    st.sampled_from(["", *"ptkdshvmnlrj"]),
    st.sampled_from([*"aeiouyäö", *"aa ee ii uu yy ää ie uo yö ai au ei öy ui".split()]),
    st.sampled_from(["", "", *"nslrtkpm"]),
).map("".join)
words = st.lists(syllables, min_size=1, max_size=6).map("".join)
texts = st.one_of(
    st.text(st.sampled_from(LETTERS), max_size=12), st.lists(words, max_size=3).map(" ".join)
)


def spoken(text):
    (way,) = run(FINNISH, tuple(text))
    return "".join(way.output)


@given(text=texts)
def test_every_text_has_one_output_and_both_ways_agree(load_rule, text):
    (way,) = run(FINNISH, tuple(text))
    assert set(way.output) <= set(FINNISH.phones)
    hypotheses = load_rule("fin.letter_to_sound", "FINNISH").nbest(text, 2)
    assert [hypothesis.output for hypothesis in hypotheses] == [" ".join(way.output)]


def test_apostrophes_do_not_hide_the_edge_of_a_word():
    assert [spoken(text) for text in ("'-a", "a-'-b", "'a", "aa'")] == [
        spoken(text) for text in ("a", "a-b", "a", "aa")
    ]


@given(text=texts)
def test_a_word_with_a_vowel_begins_with_its_only_primary_stress(text):
    for word in spoken(text).split("|"):
        # In a compound the first member has it, if there is a vowel to bear it (not in ß-a).
        has_vowel = bool(set(VOWELS) & set(word.split("ˌ")[0]))
        assert word.count("ˈ") == word.startswith("ˈ") == has_vowel


@given(text=words)
def test_stressed_syllables_never_meet_and_the_last_is_never_secondary(text):
    feet = re.split("[ˈˌ]", spoken(text))[1:]
    nuclei = [sum(map(foot.count, VOWELS)) for foot in feet]
    assert all(count >= 2 for count in nuclei[:-1])
    assert len(feet) == 1 or nuclei[-1] >= 2


@given(text=words)
def test_native_words_are_said_as_they_are_written(text):
    """Undoing the velar nasal and four letters gives the word back."""
    assume(len(text) > 1 and not re.search("[pst]h", text))
    segments = re.sub("[ˈˌ]", "", spoken(text))
    assert "".join(NATIVE.get(phone, phone) for phone in segments) == text


@given(one=words, other=words)
def test_words_do_not_act_on_each_other(one, other):
    assert spoken(f"{one} {other}") == f"{spoken(one)}|{spoken(other)}"


@given(one=words, other=words)
def test_a_hyphen_makes_the_second_member_secondary(one, other):
    assume(min(len(one), len(other)) > 1)
    assert spoken(f"{one}-{other}") == spoken(one) + spoken(other).replace("ˈ", "ˌ")


@given(word=words)
def test_case_does_not_matter(load_rule, word):
    model = load_rule("fin.letter_to_sound", "FINNISH")
    assert model(word.upper()).output == model(word).output
