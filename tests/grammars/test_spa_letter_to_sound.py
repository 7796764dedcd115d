"""Laws of the Spanish grammar: one output for everything, one stress in a word, in its place."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.fst.rules.interpreter import run
from glyphone.grammars.spa import letter_to_sound
from glyphone.grammars.spa.letter_to_sound import (
    CASTILIAN,
    LATIN_AMERICAN,
    LETTERS,
    RESPELLING,
    TRADITIONAL,
)

RULES = ["CASTILIAN", "LATIN_AMERICAN", "TRADITIONAL"]
ACUTE = dict(zip("aeiou", "áéíóú", strict=True))
EXCEPTIONS = {"".join(found) for found, _ in RESPELLING.pairs}

# Letters as they come, and words that look more like Spanish.
consonants = st.sampled_from(
    [*"bcdfghjklmnñpqrstvxyzw", *"ch ll rr qu gu gü cc sc tl pr bl ns sh nn".split()]
)
nuclei = st.sampled_from([*"aeiouáéíóú", *"ia ue ai au eu ío aí iu ui uy ey iai hue hie".split()])
syllables = st.tuples(consonants, nuclei, st.sampled_from(["", *"nslrdzyxctpb"])).map("".join)
words = st.lists(syllables, min_size=1, max_size=4).map("".join)
texts = st.one_of(
    st.text(st.sampled_from(LETTERS), max_size=12), st.lists(words, max_size=3).map(" ".join)
)


def spoken(cascade, text):
    (way,) = run(cascade, tuple(text))
    return way.output


@pytest.mark.parametrize("rule", RULES)
@given(text=texts)
def test_every_text_has_one_output_and_both_ways_agree(load_rule, rule, text):
    cascade = getattr(letter_to_sound, rule)
    output = spoken(cascade, text)
    assert set(output) <= set(cascade.phones)
    hypotheses = load_rule("spa.letter_to_sound", rule).nbest(text, 2)
    assert [hypothesis.output for hypothesis in hypotheses] == [" ".join(output)]


@given(text=texts)
def test_a_word_has_one_stress_before_the_onset_of_a_syllable(text):
    for word in " ".join(spoken(CASTILIAN, text)).split("|"):
        assert word.count("ˈ") <= 1
        assert "ˈ" not in word or re.search("(^|[aeiou].*)ˈ [^aeiou]*[aeiou]", word.strip())


@given(text=texts)
def test_bars_stand_between_words_only(text):
    phones = " ".join(spoken(CASTILIAN, text))
    assert not re.search(r"^\||\|$|\| \|", phones)


@given(text=texts)
def test_varieties_differ_by_mergers_only(text):
    traditional = spoken(TRADITIONAL, text)
    castilian = spoken(CASTILIAN, text)
    assert castilian == tuple("ʝ" if phone == "ʎ" else phone for phone in traditional)
    merged = "".join(castilian).replace("ˈ", "").replace("θ", "s")
    american = "".join(spoken(LATIN_AMERICAN, text)).replace("ˈ", "")
    assert american == re.sub("s+", "s", merged)


@given(one=words, other=words)
def test_words_do_not_act_on_each_other(one, other):
    if not EXCEPTIONS & {one, other}:
        apart = (*spoken(CASTILIAN, one), "|", *spoken(CASTILIAN, other))
        assert spoken(CASTILIAN, f"{one} {other}") == spoken(CASTILIAN, f"{one}-{other}") == apart


@given(
    word=st.lists(st.tuples(st.sampled_from("pbtdkfmls"), st.sampled_from("aeo")), min_size=2),
    end=st.sampled_from(["", "n", "s", "r", "l", "d", "z", "y", "ns", "ts"]),
    data=st.data(),
)
def test_stress_is_where_the_orthography_has_it(word, end, data):
    """The last syllable but one before a vowel, n, s; else the last; or where an accent is."""
    place = len(word) - (2 if end in ("", "n", "s") else 1)
    written = ["".join(syllable) for syllable in word]
    if data.draw(st.booleans()):
        place = data.draw(st.integers(0, len(word) - 1))
        written[place] = word[place][0] + ACUTE[word[place][1]]
    text = "".join(written) + end
    if text in EXCEPTIONS or text.endswith("mente"):
        return
    phones = "".join(spoken(CASTILIAN, text))
    before = phones[: phones.index("ˈ")]
    assert sum(map(before.count, "aeo")) == place


@given(word=words)
def test_case_and_composition_do_not_matter(load_rule, word):
    model = load_rule("spa.letter_to_sound", "CASTILIAN")
    assert model(word.upper()).output == model(word).output


@given(stem=words)
def test_adverbs_are_stressed_on_mente(stem):
    phones = "".join(spoken(CASTILIAN, stem + "mente"))
    assert phones.endswith("ˈmente")
