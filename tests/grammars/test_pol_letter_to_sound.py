"""Laws of the Polish grammar: one output for everything, stress in its place, voice that agrees."""

import re
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from glyphone.fst.rules.interpreter import run
from glyphone.grammars.pol.letter_to_sound import LETTERS, POLISH, RESPELLING

VOWELS = "aɛiɔuɨ"
VOICED = {*"bdɡvzʐʑ", "d͡z", "d͡ʐ", "d͡ʑ"}
VOICELESS = {*"ptkfsʂɕ", "t͡s", "t͡ʂ", "t͡ɕ"}
CLITICS = set("do na o po u za we ze ku przy bez dla przez od pod nad przed".split())
CLITICS |= set("i a że się mi ci go mu".split())
EXCEPTIONS = {"".join(found) for found, _ in RESPELLING.pairs}

# Letters as they come, and words that look more like Polish.
onsets = st.sampled_from(
    [
        *"bcćdfghjklłmnńprsśtwzźż",
        *"ch cz dz dź dż rz sz trz drz krz prz szcz żdż św kw wz zb".split(),
    ]
)
nuclei = st.sampled_from([*"aąeęioóuy", *"ia ią ie ię io ió iu au eu ii".split()])
codas = st.sampled_from(["", "", *"bdgkłmnńrszżź", *"rz sz ść st zd ng nk rt lk bł".split()])
syllables = st.tuples(onsets, nuclei, codas).map("".join)
words = st.lists(syllables, min_size=1, max_size=4).map("".join)
texts = st.one_of(
    st.text(st.sampled_from(LETTERS), max_size=12), st.lists(words, max_size=3).map(" ".join)
)


def spoken(text):
    (way,) = run(POLISH, tuple(text))
    return way.output


def vowels(phones):
    return sum(phone in VOWELS for phone in phones)


@given(text=texts)
def test_every_text_has_one_output_and_both_ways_agree(load_rule, text):
    output = spoken(text)
    assert set(output) <= set(POLISH.phones)
    hypotheses = load_rule("pol.letter_to_sound", "POLISH").nbest(text, 2)
    assert [hypothesis.output for hypothesis in hypotheses] == [" ".join(output)]


@given(text=texts)
def test_a_word_has_one_stress_before_a_syllable(text):
    for word in " ".join(spoken(text)).split("|"):
        phones = word.split()
        assert phones.count("ˈ") <= 1
        assert vowels(phones) < 3 or "ˈ" in phones
        assert "ˈ" not in phones or vowels(phones[phones.index("ˈ") :]) >= 1


@given(text=texts)
def test_bars_stand_between_words_only(text):
    assert not re.search(r"^\||\|$|\| \|", " ".join(spoken(text)))


@given(one=words, other=words)
def test_words_do_not_act_on_each_other(one, other):
    assume(not EXCEPTIONS & {one, other})
    apart = (*spoken(one), "|", *spoken(other))
    assert spoken(f"{one} {other}") == spoken(f"{one}-{other}") == apart


@given(word=words)
@example(word="baszwza")  # w loses its voice, and gets it back
def test_neighbouring_obstruents_agree_in_voice(word):
    phones = [phone for phone in spoken(word) if phone != "ˈ"]
    for left, right in pairwise(phones):
        assert not (left in VOICED and right in VOICELESS | {"x"})
        assert not (left in VOICELESS and right in VOICED)


@given(word=words)
def test_no_obstruent_at_the_end_of_a_word_is_voiced(word):
    assert spoken(word)[-1] not in VOICED


@pytest.mark.parametrize("preposition", ["w", "z"])
@given(word=words)
def test_prepositions_of_one_letter_stay_as_they_are(preposition, word):
    assume(word not in EXCEPTIONS)
    phone = {"w": "v", "z": "z"}[preposition]
    assert spoken(f"{preposition} {word}") == (phone, "|", *spoken(word))


@given(
    onsets=st.lists(st.sampled_from("bdfgklmnprstz"), min_size=1, max_size=6),
    nuclei=st.lists(st.sampled_from("aeou"), min_size=6, max_size=6),
)
def test_plain_syllables_are_said_as_written_and_stressed_on_the_last_but_one(onsets, nuclei):
    written = [onset + nucleus for onset, nucleus in zip(onsets, nuclei, strict=False)]
    text = "".join(written)
    assume(not CLITICS & {text} | EXCEPTIONS & {text})
    place = max(len(written) - 2, 0)
    expected = "".join([*written[:place], "ˈ", *written[place:]])
    undone = str.maketrans("ɡɛɔ", "geo")
    assert "".join(spoken(text)).translate(undone) == expected


@given(stem=st.lists(st.sampled_from(["ba", "ro", "ki", "mó", "dzia"]), min_size=2, max_size=4))
def test_endings_that_the_stress_does_not_count(stem):
    """robiliśmy and robilibyśmy are stressed as robili is."""
    verb = "".join(stem) + "li"
    place = spoken(verb).index("ˈ")
    for ending in ("śmy", "ście", "by", "bym", "byś", "byśmy", "byście"):
        longer = spoken(verb + ending)
        assert longer[: len(spoken(verb))] == spoken(verb)
        assert longer.index("ˈ") == place


@given(letters=st.lists(st.sampled_from("bcdfgjklłmnprstz"), min_size=2, max_size=5))
def test_words_without_vowels_are_spelt_out_with_stress_on_the_last_letter(letters):
    text = "".join(letters)
    assume(text not in EXCEPTIONS)
    phones = spoken(text)
    assert vowels(phones) == len(letters)
    assert vowels(phones[phones.index("ˈ") :]) == 1


@given(word=words)
def test_case_and_composition_do_not_matter(load_rule, word):
    model = load_rule("pol.letter_to_sound", "POLISH")
    assert model(word.upper()).output == model(word).output
