"""Words of names: spans, roles, and texts by which they are compared."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, ItemError
from glyphone.data.names.letters import plain_letters
from glyphone.data.names.lists import read_lists
from glyphone.data.names.words import NameReader, is_inverted, read_words, spoken_order

# Letters of many scripts, and signs that names have between and within words.
SIGNS = " .,-'’&/()（）・|ー株㈱式会社様IVXJRÅåßİıσςйがぎم다1２३\u0301\u200dﬁ"
NAMES = st.one_of(
    st.text(max_size=30),
    st.text(SIGNS, max_size=20),
    st.lists(
        st.sampled_from(
            ("Dr.", "Mr", "Ltd", "S.A.", "ООО", "al-", "van", "O'Brien", "J.R.", "JC", "株式会社",
             "トヨタ", "United", "Kingdom", "II", "First", "&", ",", "(", "Smith", "joint stock")
        ),
        max_size=8,
    ).map(" ".join),
).filter(lambda text: "\0" not in text)  # fmt: skip


def texts(name: str) -> list[str]:
    return [word.text for word in read_words(name)]


def roles(name: str) -> list[tuple[str, str]]:
    return [(word.canonical, word.role) for word in read_words(name)]


@given(NAMES)
def test_spans_are_in_order_and_hold_the_words(name: str) -> None:
    words = read_words(name)
    at = 0
    for word in words:
        begin, end = word.span
        assert at <= begin < end <= len(name)
        at = end
        assert word.text and word.canonical
        inside = plain_letters(name[begin:end])
        letters = plain_letters(word.text)
        assert all(letter in inside for letter in letters if letter.isalnum())
    assert [word.part for word in words] == sorted(word.part for word in words)


@given(NAMES)
def test_every_letter_and_digit_is_in_a_word(name: str) -> None:
    covered = {at for word in read_words(name) for at in range(*word.span)}
    for at, letter in enumerate(name):
        if letter.isascii() and letter.isalnum():
            assert at in covered


@given(NAMES)
def test_normal_forms_make_no_difference(name: str) -> None:
    composed, apart = (unicodedata.normalize(form, name) for form in ("NFC", "NFD"))
    assert roles(composed) == roles(apart)


@given(NAMES)
def test_a_reader_that_has_seen_other_names_answers_as_a_new_one(name: str) -> None:
    assert read_words(name) == NameReader().read(name)


@given(NAMES)
def test_canonical_texts_are_stable(name: str) -> None:
    for word in read_words(name):
        assert plain_letters(word.canonical) == word.canonical


@given(NAMES)
def test_spoken_order_keeps_all_words(name: str) -> None:
    words = read_words(name)
    assert sorted(spoken_order(words), key=lambda word: word.span) == list(words)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("O'Brien", [("obrien", "word")]),
        ("d’Arcy", [("d", "particle"), ("arcy", "word")]),
        ("L'Oréal S.A.", [("l", "particle"), ("oreal", "word"), ("sa", "company form")]),
        ("Jean-Marie Le Pen", [("jean", "word"), ("marie", "word"), ("le", "particle"),
                               ("pen", "word")]),
        ("J R Smith", [("j", "initial"), ("r", "initial"), ("smith", "word")]),
        ("J.R. Smith", [("j", "initial"), ("r", "initial"), ("smith", "word")]),
        ("JR Smith", [("j", "initial"), ("r", "initial"), ("smith", "word")]),
        ("U.S. State Department", [("us", "word"), ("state", "word"), ("department", "word")]),
        ("A.B.C. Company", [("abc", "word"), ("co", "company form")]),
        ("AT&T Inc.", [("at", "word"), ("and", "particle"), ("t", "initial"),
                       ("inc", "company form")]),
        ("Господин Лавров", [("mr", "title"), ("лавров", "word")]),
        ("г-н Лавров", [("mr", "title"), ("лавров", "word")]),
        ("高市早苗様", [("高市早苗", "word"), ("san", "title")]),
        ("トヨタ㈱", [("トヨタ", "word"), ("kk", "company form")]),
        ("주식회사 카카오", [("chusik", "company form"), ("카카오", "word")]),
        ("Pat Smith", [("pat", "word"), ("smith", "word")]),
        ("Ike Turner", [("ike", "word"), ("turner", "word")]),
        ("OAO Gazprom", [("jsc", "company form"), ("gazprom", "word")]),
        ("Gazprom JSC", [("gazprom", "word"), ("jsc", "company form")]),
        ("G. m. b. H. Foo", [("gmbh", "company form"), ("foo", "word")]),
        ("Faberlic Sp. z o.o.", [("faberlic", "word"), ("zoo", "company form")]),
        ("José de Sá", [("jose", "word"), ("de", "particle"), ("sa", "word")]),
        ("Fund IV L.P.", [("fund", "word"), ("4", "number"), ("lp", "company form")]),
        ("John V. Smith", [("john", "word"), ("v", "initial"), ("smith", "word")]),
        ("Ana A. Paz", [("ana", "word"), ("a", "initial"), ("paz", "word")]),
        ("Ahmad b. Zaid", [("ahmad", "word"), ("ibn", "particle"), ("zaid", "word")]),
        ("Trust 2007-AHL1", [("trust", "word"), ("2007", "number"), ("ahl1", "number")]),
        ("First Bank", [("1", "number"), ("bank", "word")]),
        ("3rd Bank", [("3", "number"), ("bank", "word")]),
        ("Shop ٣", [("shop", "word"), ("3", "number")]),
        ("Bin Laden", [("bin", "word"), ("laden", "word")]),
        ("Osama bin Laden", [("osama", "word"), ("ibn", "particle"), ("laden", "word")]),
        ("Ortega y Gasset", [("ortega", "word"), ("and", "particle"), ("gasset", "word")]),
        ("Government of United Kingdom", [("government", "word"), ("of", "particle"),
                                          ("uk", "word")]),
        ("Limited", [("ltd", "word")]),
        ("", []),
        ("?!", []),
    ],
)  # fmt: skip
def test_roles(name: str, expected: list[tuple[str, str]]) -> None:
    assert roles(name) == expected


def test_a_comma_may_invert_a_name() -> None:
    inverted = ["Abbott, Yvonne", "Smith, Dr. John A.", "de la Cruz, Juan"]
    plain = ["Yvonne Abbott", "Apple, Inc.", "Smith, Jr.", "Gavi, Cepi, Who"]
    assert [is_inverted(read_words(name)) for name in (*inverted, *plain)] == [True] * 3 + [
        False
    ] * 4
    assert [word.text for word in spoken_order(read_words("de la Cruz, Juan"))] == [
        "juan", "de", "la", "cruz",
    ]  # fmt: skip


def test_titles_and_forms_only_where_they_stand() -> None:
    assert roles("Martin Luther King")[2] == ("king", "word")
    assert roles("King Charles")[0] == ("prince", "title")
    assert roles("Siemens AG (Munich)")[1] == ("ag", "company form")


def test_spans_of_several_words() -> None:
    name = "Foo Joint-Stock  Company"
    form = read_words(name)[1]
    assert (form.text, name[slice(*form.span)]) == ("joint stock company", "Joint-Stock  Company")


def test_characters() -> None:
    reader = NameReader(characters=True)
    assert [word.text for word in reader.read("習近平 Xi")] == ["習", "近", "平", "xi"]


@pytest.mark.parametrize("part", ["a", "株式会社", "様", "a.", "a b ", "Ltd ", ", ", "d'", "I V "])
def test_long_names(part: str) -> None:
    name = part * 10_000
    words = read_words(name)
    assert all(word.text for word in words) and len(words) <= len(name)


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(ItemError, match="remove it"):
        read_words("a\0b")


def test_lists_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "forms.tsv").write_text("; ours\nQ.X.\tqx\tlimited\tany\n", encoding="utf-8")
    (tmp_path / "titles.tsv").write_text("dr\tdean\tbegin\n", encoding="utf-8")
    reader = NameReader(read_lists(tmp_path))
    assert [(word.canonical, word.role) for word in reader.read("Dr Foo QX")] == [
        ("dean", "title"), ("foo", "word"), ("qx", "company form"),
    ]  # fmt: skip


def test_a_wrong_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "titles.tsv").write_text("foo\tfoo\tmiddle\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"'foo' has no place 'middle' .*inside"):
        read_lists(tmp_path)
