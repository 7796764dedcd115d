"""Laws of the Turkish grammar: one output for everything, palatals and long vowels."""

import re
import unicodedata
from functools import partial
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from glyphone.fst.rules.interpreter import run
from glyphone.grammars.tur._loans import SHORT, STEMS
from glyphone.grammars.tur.letter_to_sound import LETTERS, RESPELLING, TURKISH

UPPER = str.maketrans("iı", "İI")
EXCEPTIONS = {"".join(found) for found, _ in RESPELLING.pairs}

syllables = st.tuples(
    st.sampled_from(["", *"bcçdfghjklmnprsştvyz"]),
    st.sampled_from("aeıioöuü"),
    st.sampled_from(["", "", *"nrlkmtzşğy"]),
).map("".join)
words = st.lists(syllables, min_size=1, max_size=5).map("".join)
texts = st.one_of(
    st.text(st.sampled_from(LETTERS), max_size=12), st.lists(words, max_size=3).map(" ".join)
).filter(partial(unicodedata.is_normalized, "NFC"))


def phones(text):
    (way,) = run(TURKISH, tuple(text))
    return way.output


def spoken(text):
    return "".join(phones(text))


@given(text=texts)
def test_every_text_has_one_output_and_both_ways_agree(load_rule, text):
    output = phones(text)
    assert set(output) <= set(TURKISH.phones)
    hypotheses = load_rule("tur.letter_to_sound", "TURKISH").nbest(text, 2)
    assert [hypothesis.output for hypothesis in hypotheses] == [" ".join(output)]


@given(word=words)
def test_stops_agree_with_the_front_vowel_that_follows(word):
    assert not re.search("[kɡ][eiøy]", spoken(word))
    assert not re.search("[cɟ][aɯou]", spoken(word))


@given(word=words)
def test_only_soft_g_makes_long_vowels_in_closed_syllables(word):
    if "ğ" not in word and word not in EXCEPTIONS:
        assert not re.search("ː[^aeiouyɯø|ː](?:$|[^aeiouyɯø])", spoken(word).replace("͡", ""))


@given(one=words, other=words)
def test_words_do_not_act_on_each_other(one, other):
    assert spoken(f"{one} {other}") == spoken(f"{one}-{other}") == f"{spoken(one)}|{spoken(other)}"


@given(word=words, ending=st.sampled_from(["da", "den", "ye"]))
def test_an_apostrophe_is_not_heard(word, ending):
    assert spoken(f"{word}'{ending}") == spoken(word + ending)


@given(word=words)
def test_capitals_pair_i_with_its_dot(word):
    assert spoken(word.translate(UPPER).upper()) == spoken(word)


def test_no_stem_begins_with_another():
    """Of two such stems the shorter would hide the vowels of the longer one."""
    plain = sorted(stem.translate(SHORT) for stem in STEMS.split())
    assert [(a, b) for a, b in pairwise(plain) if b.startswith(a)] == []


def test_every_stem_has_a_long_vowel():
    assert [stem for stem in STEMS.split() if stem.translate(SHORT) == stem] == []
