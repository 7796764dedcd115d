"""Eight scripts of India and their phones are one-to-one between what is well formed."""

from __future__ import annotations

import random
import unicodedata
from importlib import import_module
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.fst.rules.interpreter import run
from glyphone.grammars.brahmic import NONJOINER
from tests.grammars.conftest import loaded
from tests.grammars.test_brahmic_orthographies import JOINER, MALFORMED, ORTHOGRAPHIES, expanded

GRAMMARS = sorted(ORTHOGRAPHIES)


def script(grammar):
    name = grammar.partition(".")[2].upper()
    return getattr(import_module(f"glyphone.grammars.{grammar}"), name)


TO_PHONES = {grammar: script(grammar).to_phones() for grammar in GRAMMARS}


def outputs(grammar, rule, text):
    return [hypothesis.output for hypothesis in loaded(grammar, rule).nbest(text, 5)]


def read(grammar, strings):
    """The output of each string, none for strings that are refused."""
    found = loaded(*grammar).apply(strings, on_error=lambda number, error: None)
    return [hypothesis and hypothesis.output for hypothesis in found]


def syllables(grammar):
    """Every consonant or pair of them with every vowel sign, every vowel, with every tail."""
    letters = ORTHOGRAPHIES[grammar]
    consonants = expanded(letters.consonants)
    vowels = ["", *expanded(letters.dependent)]
    nasals, breaths = (["", *expanded(kind)] for kind in (letters.nasals, letters.breaths))
    tails = ["".join(tail) for tail in product(nasals, breaths)]
    heads = [c + vowel for c, vowel in product(consonants, vowels)]
    heads += expanded(letters.independent)
    pairs = [letters.virama.join(pair) for pair in product(consonants, consonants)]
    bare = [c + letters.virama for c in consonants]
    candidates = ["".join(parts) for parts in product(heads, tails)] + pairs + bare
    return [text for text in candidates if letters.word.fullmatch(text)]


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_all_valid_syllables_come_back(grammar):
    texts = syllables(grammar)
    assert len(texts) > 700
    phones = read((grammar, "TO_PHONES"), texts)
    assert None not in phones
    assert len(set(phones)) == len(texts)
    assert read((grammar, "FROM_PHONES"), phones) == texts


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_the_shortest_strings_come_back_if_and_only_if_they_are_well_formed(grammar):
    letters = ORTHOGRAPHIES[grammar]
    strings = ["".join(s) for n in range(6) for s in product(letters.few, repeat=n)]
    # NFC would change the order of a virama and a nukta before the rules see them.
    strings = [text for text in strings if unicodedata.is_normalized("NFC", text)]
    phones = read((grammar, "TO_PHONES"), strings)
    spelt = [
        (text, phone) for text, phone in zip(strings, phones, strict=True) if phone is not None
    ]
    back = read((grammar, "FROM_PHONES"), [phone for _, phone in spelt])
    # Older spellings and joiners come back as something else, and never as nothing.
    assert None not in back
    same = [text for (text, _), written in zip(spelt, back, strict=True) if text == written]
    assert same == [text for text in strings if letters.word.fullmatch(text)]


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_random_outputs_are_well_formed(grammar):
    phones, letters = TO_PHONES[grammar].phones, ORTHOGRAPHIES[grammar]
    chance = random.Random(5)
    strings = [" ".join(chance.choices(phones, k=chance.randint(1, 8))) for _ in range(4000)]
    written = read((grammar, "FROM_PHONES"), strings)
    found = {text: spelt for spelt, text in zip(strings, written, strict=True) if text is not None}
    assert len(found) > 500
    assert [text for text in found if not letters.word.fullmatch(text)] == []
    assert [text for text in found if not unicodedata.is_normalized("NFC", text)] == []
    assert read((grammar, "TO_PHONES"), list(found)) == list(found.values())


@given(data=st.data())
def test_no_phones_have_two_spellings_and_no_letters_two_readings(data):
    grammar = data.draw(st.sampled_from(GRAMMARS))
    rules = TO_PHONES[grammar]
    phones = data.draw(st.lists(st.sampled_from(rules.phones), max_size=8))
    letters = data.draw(st.text(st.sampled_from(rules.letters), max_size=8))
    assert len(outputs(grammar, "FROM_PHONES", " ".join(phones))) <= 1
    assert len(outputs(grammar, "TO_PHONES", letters)) <= 1


@given(data=st.data())
def test_rules_and_transducer_agree(data):
    grammar = data.draw(st.sampled_from(GRAMMARS))
    parts = data.draw(st.lists(st.sampled_from(ORTHOGRAPHIES[grammar].few), max_size=6))
    text = unicodedata.normalize("NFC", "".join(parts))
    ways = [" ".join(way.output) for way in run(TO_PHONES[grammar], tuple(text))]
    assert ways == outputs(grammar, "TO_PHONES", text)


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_each_letter_has_a_phone_of_its_own(grammar):
    tables = script(grammar)
    phones = [phone for change in tables.changes().values() for phone in change.values()]
    dependent = [vowel.phone for vowel in tables.vowels if vowel.dependent]
    alone = [phone for phone in phones if phone not in dependent]
    assert sorted(alone) == sorted(set(alone))
    assert sorted(phones) == sorted([*set(alone), *dependent, *dependent])


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_malformed_text_has_no_output(grammar):
    for text in MALFORMED[grammar]:
        assert outputs(grammar, "TO_PHONES", text) == [], text


UNWRITABLE = {
    "tam.tamil": ["x", "k x", "k a x x", "a x p a", "a x d͡ʒ i"],
    "kan.kannada": ["ɴ", "k ɴ", "k a h ɴ", "k a h h"],
    "ben.bengali": ["ɴ", "t̪̚", "| t̪̚", "t̪̚ ɴ", "k æ", "ɾ ‿ k", "k ‿ j", "ɾ ɔ ‿ j", "‿"],
    "tel.telugu": ["ɴ", "k ɴ", "k a h ɴ"],
    "mal.malayalam": ["ɴ", "k ɴ", "k a h ɴ", "n̚", "| n̚", "a n̚ ɴ", "a l̚ n̚"],
    "guj.gujarati": ["ɴ", "k ɴ", "k ə h ɴ"],
    "pan.gurmukhi": ["ɴ", "k ɴ", "ː", "k ː k", "ə ː", "ə ː ə", "ə ɴ ː k", "ə ː | k"],
    "sin.sinhala": ["ɴ", "k ɴ", "‿", "k ‿", "k a ‿ ɾ", "k ‿ a", "k ‿ ‿ ɾ"],
}


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_illegal_phones_have_no_spelling(grammar):
    for phones in UNWRITABLE[grammar]:
        assert outputs(grammar, "FROM_PHONES", phones) == [], phones


@pytest.mark.parametrize(
    ("grammar", "text", "usual"),
    [
        ("ben.bengali", "এ্যাপ", "অ্যাপ"),
        ("mal.malayalam", "അതു്", "അത്"),
        ("mal.malayalam", "അവന്" + JOINER, "അവൻ"),
        ("mal.malayalam", "അവന്" + NONJOINER, "അവന്"),
        ("mal.malayalam", "ആണ്" + JOINER, "ആൺ"),
        ("mal.malayalam", "മലര്" + JOINER, "മലർ"),
        ("mal.malayalam", "പാല്" + JOINER, "പാൽ"),
        ("mal.malayalam", "വാള്" + JOINER, "വാൾ"),
        ("mal.malayalam", "വാക്" + JOINER, "വാൿ"),
        ("mal.malayalam", "എൻ്റെ", "എന്റെ"),
        ("mal.malayalam", "കൌ", "കൗ"),
        ("pan.gurmukhi", "ਪਂਜਾਬ", "ਪੰਜਾਬ"),
        ("pan.gurmukhi", "ਜ਼ਿਂਦਾ", "ਜ਼ਿੰਦਾ"),
        ("pan.gurmukhi", "ਮਾੰ", "ਮਾਂ"),
        ("pan.gurmukhi", "ਉੰਗਲ", "ਉਂਗਲ"),
        ("sin.sinhala", "ක" + JOINER + "ර", "කර"),
        ("kan.kannada", "ರ" + JOINER + "್ಯ", "ರ್ಯ"),
        ("tel.telugu", "క్" + NONJOINER + "బ", "క్బ"),
    ],
)
def test_other_spellings_come_back_as_the_usual_one(grammar, text, usual):
    (phones,) = outputs(grammar, "TO_PHONES", text)
    assert outputs(grammar, "FROM_PHONES", phones) == [usual]


@pytest.mark.parametrize(
    ("grammar", "one", "other"),
    [
        ("ben.bengali", "র" + JOINER + "্যাম", "র্যাম"),
        ("ben.bengali", "হঠাৎ", "হঠাত"),
        ("mal.malayalam", "അവൻ", "അവന്"),
        ("sin.sinhala", "ක්" + JOINER + "ර", "ක්ර"),
        ("sin.sinhala", "ර්" + JOINER + "ම", "ර්ම"),
        ("pan.gurmukhi", "ਪੱਤਾ", "ਪਤਾ"),
    ],
)
def test_spellings_that_tell_words_apart_have_phones_of_their_own(grammar, one, other):
    phones = [outputs(grammar, "TO_PHONES", text) for text in (one, other)]
    assert phones[0] != phones[1]
    assert [outputs(grammar, "FROM_PHONES", spelt) for (spelt,) in phones] == [[one], [other]]
