"""Laws of the names of all alphabets, Cyrillic and other: what CLEAN and WELL_FORMED promise."""

from __future__ import annotations

import importlib
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.fst.rules.interpreter import run

MODULES = [
    "rus.cyrillic",
    "ukr.cyrillic",
    "bul.cyrillic",
    "srp.cyrillic",
    "ell.greek",
    "heb.hebrew",
    "ara.arabic",
]
WITH_CASE = MODULES[:5]
GRAMMARS = {name: importlib.import_module(f"glyphone.grammars.{name}") for name in MODULES}

modules = pytest.mark.parametrize("module", MODULES)


def strings(symbols):
    return st.lists(st.sampled_from(symbols), max_size=10).map("".join)


def only(model, text):
    [hypothesis] = model.nbest(text, 3)
    return hypothesis.output


@modules
@given(data=st.data())
def test_clean_gives_one_name_in_the_inventory_and_the_compiled_rule_agrees(
    module, data, load_rule
):
    cascade = GRAMMARS[module].CLEAN
    symbols = tuple(data.draw(strings(cascade.input_symbols)))
    [way] = run(cascade, symbols)
    assert set(way.output) <= set(GRAMMARS[module].INVENTORY)
    # г and an acute are another letter in NFC: what is typed is then not these symbols.
    assume(cascade.input_writing.split("".join(symbols)).symbols == symbols)
    assert only(load_rule(module, "CLEAN"), "".join(symbols)) == "".join(way.output)


@modules
@given(data=st.data())
def test_what_is_clean_stays_so(module, data, load_rule):
    clean = load_rule(module, "CLEAN")
    [way] = run(GRAMMARS[module].CLEAN, tuple(data.draw(strings(GRAMMARS[module].CLEAN.letters))))
    assert only(clean, "".join(way.output)) == "".join(way.output)


@modules
@given(data=st.data())
def test_well_formed_names_come_back_and_are_clean(module, data, load_rule):
    text = data.draw(strings(GRAMMARS[module].INVENTORY))
    outputs = [hypothesis.output for hypothesis in load_rule(module, "WELL_FORMED").nbest(text, 3)]
    assert outputs in ([], [text])
    assert [run(GRAMMARS[module].WELL_FORMED, tuple(text)) == []] == [outputs == []]
    if outputs:
        assert only(load_rule(module, "CLEAN"), text) == text


@modules
@given(data=st.data())
def test_what_is_not_seen_changes_nothing(module, data, load_rule):
    text = data.draw(strings(GRAMMARS[module].INVENTORY))
    hidden = st.sampled_from(["", "\u00ad", "\u200e", "\u200f", "\u200c", "\ufeff"])
    seen = "".join(letter + data.draw(hidden) for letter in text)
    clean = load_rule(module, "CLEAN")
    assert only(clean, seen) == only(clean, text)


@pytest.mark.parametrize("module", WITH_CASE)
@given(data=st.data())
def test_case_is_not_seen(module, data, load_rule):
    text = data.draw(strings(GRAMMARS[module].INVENTORY))
    clean = load_rule(module, "CLEAN")
    assert only(clean, text.upper()) == only(clean, text)


@modules
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_normal_forms_are_the_same(module, form, load_rule):
    clean = load_rule(module, "CLEAN")
    for letter in GRAMMARS[module].INVENTORY:
        text = f"{GRAMMARS[module].INVENTORY[0]}{letter}{GRAMMARS[module].INVENTORY[0]}"
        assert only(clean, unicodedata.normalize(form, text)) == only(clean, text)


@modules
@pytest.mark.parametrize("junk", ["a", "7", "漢", "@", "\N{ARABIC-INDIC DIGIT TWO}", "ё̈x"])
def test_other_scripts_digits_and_junk_are_refused_by_name(module, junk, load_rule):
    first = GRAMMARS[module].INVENTORY[0]
    with pytest.raises(ItemError, match="not in the alphabet"):
        load_rule(module, "CLEAN")(first + junk)


@modules
@pytest.mark.parametrize(
    "text", [" {0}", "{0} ", "{0}-", "-{0}", "{0}--{0}", "{0} -{0}", "{0}  {0}"]
)
def test_separators_that_part_nothing_are_ill_formed(module, text, load_rule):
    first = GRAMMARS[module].INVENTORY[0]
    assert load_rule(module, "WELL_FORMED").nbest(text.format(first)) == []
    assert load_rule(module, "WELL_FORMED")(f"{first}-{first} {first}").output


ILL_FORMED = {
    "rus.cyrillic": ["ьва", "оьр", "объ", "подъ", "ъезд", "объь", "’о", "о’", "а’’б"],
    "ukr.cyrillic": ["ьва", "аьб", "бїв", "’я", "м’"],
    "bul.cyrillic": ["ьон", "синь", "синьа", "аьо", "’а"],
    "srp.cyrillic": ["’а", "а’", "а’’б", "а’-б"],
    "ell.greek": ["σισυφοσ", "ςα", "αςα", "ϊα", "βΐ", "ς", "’α"],
    "heb.hebrew": ["אםב", "ם", "ךא", "שמ", "כצ׳", "׳א", "א׳׳", "א-ן"],
    "ara.arabic": ["ةا", "اةب", "ىا", "ىم", "ءا", "ؤا", "ا-ئا", "ة"],
}
WELL_FORMED = {
    "rus.cyrillic": ["объезд", "чанъань", "илья", "йошкар-ола", "о’коннор", "съёмка", "шымкент"],
    "ukr.cyrillic": ["слов’янськ", "київ", "українка", "їжак", "о’ніл", "ґудзь", "з’їзд"],
    "bul.cyrillic": ["синьо", "ъгъл", "гьончо", "о’нил", "кольо-то"],
    "srp.cyrillic": ["његош", "о’нил", "бачка паланка", "џеп"],
    "ell.greek": ["σίσυφος", "ο’νιλ", "μαΐου", "σ", "αϊβαλί", "ταΰγετος"],
    "heb.hebrew": ["שם", "פיליפ", "יוסף", "מ״מ", "צה״ל", "רבינוביץ׳", "ג׳ורג׳", "מ", "פייסבוכ"],
    "ara.arabic": ["فاطمة", "مصطفى", "ماء", "رؤوف", "عبد الله", "آدم", "قرآن"],
}


@pytest.mark.parametrize(("module", "text"), [(m, t) for m in MODULES for t in ILL_FORMED[m]])
def test_ill_formed_words_have_no_output(module, text, load_rule):
    assert load_rule(module, "WELL_FORMED").nbest(text) == []


@pytest.mark.parametrize(("module", "text"), [(m, t) for m in MODULES for t in WELL_FORMED[m]])
def test_well_formed_words_come_back(module, text, load_rule):
    assert only(load_rule(module, "WELL_FORMED"), text) == text


@pytest.mark.parametrize(
    ("module", "typed", "name"),
    [
        ("ukr.cyrillic", "КАМ'ЯНЕЦЬ – Подільський", "кам’янець-подільський"),
        ("ukr.cyrillic", "Ки́їв", "київ"),
        ("ukr.cyrillic", "Знамʼянка", "знам’янка"),
        ("bul.cyrillic", "Сѫбев", "събев"),
        ("bul.cyrillic", "ѝ", "и"),
        ("bul.cyrillic", "Со́фия", "софия"),
        ("srp.cyrillic", "Бео̀град", "београд"),
        ("srp.cyrillic", "Ни̑ш", "ниш"),
        ("srp.cyrillic", "Вӯк", "вук"),
    ],
)
def test_examples_of_cleaning(module, typed, name, load_rule):
    assert only(load_rule(module, "CLEAN"), typed) == name


@pytest.mark.parametrize(
    ("module", "text", "meant"),
    [
        ("ukr.cyrillic", "Кiев", "CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I"),
        ("rus.cyrillic", "Иванoв", "CYRILLIC SMALL LETTER O"),
        ("ell.greek", "Αθήvα", "GREEK SMALL LETTER NU"),
    ],
)
def test_a_look_alike_is_refused_with_the_letter_that_was_meant(module, text, meant, load_rule):
    with pytest.raises(ItemError, match=meant):
        load_rule(module, "CLEAN")(text)
