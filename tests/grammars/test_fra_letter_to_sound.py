"""Laws of the French grammar: one output for everything, silent ends, nasal vowels, liaison."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from glyphone.fst.rules.interpreter import run
from glyphone.grammars.fra.letter_to_sound import EXCEPTIONS, FRENCH, LETTERS, words_of

VOWELS = "aeɛioɔuyøœə"
NASALS = {"ɑ̃", "ɛ̃", "ɔ̃", "œ̃"}
ASPIRATES = words_of("h_aspire.tsv")
LINKING = words_of("linking.tsv")

# Letters as they come, and words that look more like French.
onsets = st.sampled_from([*"bcdfgjlmnprstvz", *"ch qu ph gn tr pl br ss ll rr nn tt".split()])
nuclei = st.sampled_from(
    [*"aeiouéèâêy", *"ai au eau ou oi eu an en in on un ien oin ill ail".split()]
)
ends = st.sampled_from(["", *"e es s t r x z ent er et c l f n".split()])
syllables = st.tuples(onsets, nuclei).map("".join)
words = st.tuples(st.lists(syllables, min_size=1, max_size=4).map("".join), ends).map("".join)
texts = st.one_of(
    st.text(st.sampled_from(LETTERS), max_size=12), st.lists(words, max_size=3).map(" ".join)
)


def spoken(text):
    (way,) = run(FRENCH, tuple(text))
    return way.output


@given(text=texts)
def test_every_text_has_one_output_and_both_ways_agree(load_rule, text):
    output = spoken(text)
    assert set(output) <= set(FRENCH.phones)
    hypotheses = load_rule("fra.letter_to_sound", "FRENCH").nbest(text, 2)
    assert [hypothesis.output for hypothesis in hypotheses] == [" ".join(output)]


@given(word=words)
def test_every_word_sounds(word):
    assert set(spoken(word)) & {*VOWELS, *NASALS}


@given(stem=words)
def test_the_plural_sounds_like_the_singular(stem):
    """Behind e and é nothing hangs on the final s; les, ces are short words of their own."""
    assume(len(stem) > 3 and not {stem + "e", stem + "es", stem + "é"} & EXCEPTIONS.keys())
    assert spoken(stem + "es") == spoken(stem + "e")
    assert spoken(stem + "és") == spoken(stem + "é")


@given(stem=words)
def test_an_infinitive_sounds_like_its_participle(stem):
    assume(len(stem) > 2 and f"{stem}er" not in EXCEPTIONS and f"{stem}é" not in EXCEPTIONS)
    assert spoken(stem + "er") == spoken(stem + "é") == spoken(stem + "ez")


@given(stem=st.lists(syllables, min_size=2, max_size=3).map("".join))
def test_the_third_person_plural_of_the_past_ends_in_a_silent_syllable(stem):
    assert spoken(stem + "èrent")[-2:] == ("ɛ", "ʁ")


@given(
    onset=st.sampled_from("bdfgmprtv"),
    pair=st.sampled_from([("an", "ɑ̃"), ("in", "ɛ̃"), ("on", "ɔ̃"), ("ain", "ɛ̃"), ("oin", "ɛ̃")]),
    follower=st.sampled_from("bdfgtv"),
)
def test_vowels_are_nasal_before_consonants_and_not_before_vowels(onset, pair, follower):
    letters, phone = pair
    assert phone in spoken(f"{onset}{letters}{follower}a")
    assert phone not in spoken(f"{onset}{letters}a")
    assert phone not in spoken(f"{onset}{letters}ha")
    assert phone not in spoken(f"{onset}{letters}na")


@given(word=st.sampled_from(["les", "des", "nous", "ils", "très", "dans", "aux"]), next_word=words)
def test_liaison_is_made_before_vowels_only(word, next_word):
    assume(next_word not in EXCEPTIONS)
    alone = spoken(word)
    assert spoken(f"{word} {next_word}") == (*alone, "|", *spoken(next_word))
    assert spoken(f"{word} a{next_word}")[: len(alone) + 2] == (*alone, "z", "|")
    assert spoken(f"{word} ha{next_word}")[: len(alone)] == alone


@given(word=st.sampled_from(LINKING), aspirate=st.sampled_from(ASPIRATES))
def test_there_is_no_liaison_before_h_aspire(word, aspirate):
    assert spoken(f"{word} {aspirate}") == (*spoken(word), "|", *spoken(aspirate))


@given(one=words, other=st.one_of(words, st.sampled_from(["mer", "les", "dent", "lys", "est"])))
def test_other_words_do_not_act_on_each_other(one, other):
    assume(one not in LINKING)
    assert spoken(f"{one} {other}") == (*spoken(one), "|", *spoken(other))


@given(text=texts)
def test_bars_stand_between_words_only(text):
    output = spoken(text)
    assert output[:1] != ("|",) and output[-1:] != ("|",)
    assert ("|", "|") not in pairwise(output)


@given(word=words)
def test_case_does_not_matter(load_rule, word):
    model = load_rule("fra.letter_to_sound", "FRENCH")
    assert model(word.upper()).output == model(word).output


@pytest.mark.parametrize("word", [word for word in EXCEPTIONS if "-" in word or "'" in word])
def test_no_exception_is_made_of_exceptions(word):
    """Otherwise there would be two ways to respell it."""
    assert len(run(FRENCH, tuple(word))) == 1
