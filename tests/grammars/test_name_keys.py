"""Laws of name keys: every style of a reading has one key, and a key is its own."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError, NoOutput
from glyphone.data.lexicons.tsv import read_table
from glyphone.data.scripts.romaji import SIGNS, romaji_objection
from glyphone.fst.rules.interpreter import run
from glyphone.grammars.jpn.name_keys import KEY, OLD, OLD_FORMS
from glyphone.grammars.jpn.romaji import to_hiragana
from tests.grammars.conftest import LoadRule

MODULE = "jpn.name_keys"

# Katakana, Hepburn, kunrei and nihon-shiki in turn, of morae whose styles differ, and of others.
CELLS = """
ア a a a       イ i i i       ウ u u u       エ e e e       オ o o o       カ ka ka ka
シ shi si si   シャ sha sya sya  ショ sho syo syo  ジ ji zi zi  ジュ ju zyu zyu  ズ zu zu zu
チ chi ti ti   チャ cha tya tya  ツ tsu tu tu   ヂ ji zi di   ヅ zu zu du   フ fu hu hu
キョ kyo kyo kyo  ハ ha ha ha  ホ ho ho ho   ヒョ hyo hyo hyo  ヤ ya ya ya  ヨ yo yo yo
ヰ i i wi      ヲ o o wo      ワ wa wa wa   ル ru ru ru   ノ no no no   ム mu mu mu   ブ bu bu bu
ッカ kka kka kka  ッショ ssho ssyo ssyo  ッチ tchi tti tti  ッツ ttsu ttu ttu
ン n n n       ンベ mbe nbe nbe
""".split()
MORAE = [CELLS[at : at + 4] for at in range(0, len(CELLS), 4)]
STYLES = 4
NAMES = st.lists(st.sampled_from(MORAE), min_size=1, max_size=6)


def key(text: str) -> str:
    """The one key of a text, by the rules as they stand."""
    [way] = run(KEY, KEY.source.split(text).symbols)
    return "".join(way.output)


def spelt(name: list[list[str]], style: int) -> str:
    """A name in one style; what follows ン is parted from it as each of them does."""
    text = ""
    for before, mora in zip([None, *name], name, strict=False):
        parted = before is not None and before[0] == "ン" and mora[1][0] in "aiueoyn"
        text += "'" * (parted and style > 0) + mora[style]
    return text


@given(NAMES)
def test_all_styles_of_a_reading_have_one_key(name: list[list[str]]) -> None:
    keys = {key(spelt(name, style)) for style in range(STYLES)}
    assert len(keys) == 1
    assert key(to_hiragana(spelt(name, 0))) in keys


@given(NAMES, st.sampled_from(["ō", "ô", "ou", "oo", "oh", "OH", "o\u0304", "o\u0302"]))
def test_long_o_in_any_spelling_has_the_key_of_a_short_one(
    name: list[list[str]], long: str
) -> None:
    text = spelt(name, 1)
    assert key("K" + long + "d" + text) == key("ko" + "d" + text)
    assert key(text + "t" + long) == key(text + "to")


@given(NAMES, st.sampled_from(SIGNS))
def test_case_width_and_signs_are_only_style(name: list[list[str]], sign: str) -> None:
    text = spelt(name, 1)
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in text)
    assert key(wide) == key(text.upper()) == key(unicodedata.normalize("NFD", text)) == key(text)
    assert key("a" + sign + text) == key("a" + text)


@given(NAMES)
def test_a_key_is_its_own_and_has_no_length(name: list[list[str]]) -> None:
    found = key(spelt(name, 0))
    assert key(found) == found
    assert found.isascii() and found.islower()
    assert not any(pair in found for pair in ("ou", "oo", "uu"))
    assert romaji_objection(found) is None


@given(data=st.data())
def test_any_text_has_one_key_at_most_and_the_compiled_rule_agrees(
    data: st.DataObject, load_rule: LoadRule
) -> None:
    letters = data.draw(st.sampled_from([KEY.letters, tuple("aiuoyhntsdzjcmwōô'ンッーオ")]))
    text = data.draw(st.text(alphabet=letters, max_size=8))
    outputs = ["".join(way.output) for way in run(KEY, tuple(text))]
    assert len(outputs) <= 1
    assert [found.output for found in load_rule(MODULE, "KEY").nbest(text)] == outputs


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzāōû'", max_size=8))
def test_latin_letters_always_have_a_key(text: str) -> None:
    assert key(text).isascii()


@pytest.mark.parametrize("text", ["まっ", "ッ", "ー", "ャ", "んー"])
def test_irregular_kana_has_no_key(text: str, load_rule: LoadRule) -> None:
    with pytest.raises(NoOutput):
        load_rule(MODULE, "KEY")(text)


@pytest.mark.parametrize(("text", "symbol"), [("Sato Ken", " "), ("佐藤", "佐"), ("Sato2", "2")])
def test_what_is_no_reading_is_refused_by_name(text: str, symbol: str, load_rule: LoadRule) -> None:
    with pytest.raises(ItemError, match="is not in the alphabet") as caught:
        load_rule(MODULE, "KEY")(text)
    assert caught.value.symbol == symbol


def test_spans_lead_back_to_what_was_typed(load_rule: LoadRule) -> None:
    best = load_rule(MODULE, "KEY")("Ohtu")
    typed = ["Ohtu"[begin:end] for begin, end in best.spans]
    assert best.output == "otsu" and typed[0].startswith("O") and typed[-1] == "u"


def test_old_forms_are_modern_in_one_step() -> None:
    rows = read_table(OLD_FORMS, columns=2)
    assert len(rows) == len(OLD) >= 500
    assert all(len(old) == len(new) == 1 for old, new in rows)
    assert OLD.keys().isdisjoint(OLD.values())
    for character in (*OLD, *OLD.values()):
        assert unicodedata.normalize("NFC", character) == character


def test_every_old_form_is_made_modern(load_rule: LoadRule) -> None:
    model = load_rule(MODULE, "MODERN")
    assert model("".join(OLD)).output == "".join(OLD.values())
    assert model("".join(OLD.values())).output == "".join(OLD.values())


@pytest.mark.parametrize(("form", "modern"), [("\ufa19", "神"), ("\ufa10", "塚"), ("\ufa5b", "者")])
def test_forms_for_compatibility_are_modern_by_normal_form(
    form: str, modern: str, load_rule: LoadRule
) -> None:
    assert load_rule(MODULE, "MODERN")(form).output == modern
