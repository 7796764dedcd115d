"""The lists as they are shipped: sorted, each row once, in NFC, and read without a rest."""

from __future__ import annotations

import unicodedata

import pytest

from glyphone.data.lexicons.tsv import read_table
from glyphone.data.names.groups import read_groups, same_by_nickname, same_by_translation
from glyphone.data.names.letters import plain_letters
from glyphone.data.names.lists import COLUMNS, FOLDER, key_of, read_lists

NAMES = [*COLUMNS, "nicknames", "translations"]


def rows_of(name: str) -> list[str]:
    lines = (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith(";")]


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_sorted_different_and_in_nfc(name: str) -> None:
    rows = rows_of(name)
    cells = [tuple(row.split("\t")) for row in rows]
    assert cells == sorted({*cells})
    assert rows == [unicodedata.normalize("NFC", row) for row in rows]
    assert not any(cell != cell.strip() or not cell for row in cells for cell in row)


@pytest.mark.parametrize("name", NAMES)
def test_every_list_is_a_file_and_every_file_a_list(name: str) -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.tsv")) == sorted(NAMES)
    assert read_table(FOLDER / f"{name}.tsv", columns=COLUMNS.get(name, 2))


@pytest.mark.parametrize("name", ["forms", "titles", "particles"])
def test_a_word_has_one_row_for_each_place(name: str) -> None:
    places = [(key_of(row.split("\t")[0]), row.split("\t")[-1]) for row in rows_of(name)]
    assert len(places) == len({*places})


@pytest.mark.parametrize("name", ["abbreviations", "numbers"])
def test_a_word_stands_for_one(name: str) -> None:
    keys = [key_of(row.split("\t")[0]) for row in rows_of(name)]
    assert len(keys) == len({*keys})


def test_canonical_words_stand_for_themselves() -> None:
    lists = read_lists()
    assert [
        word for word in {*lists.words.values()} if lists.words.get(key_of(word), word) != word
    ] == []


def test_one_canonical_text_has_one_kind() -> None:
    kinds: dict[str, set[str]] = {}
    for row in rows_of("forms"):
        _, canonical, kind, _ = row.split("\t")
        kinds.setdefault(canonical, set()).add(kind)
    assert {name: found for name, found in kinds.items() if len(found) > 1} == {}


@pytest.mark.parametrize("name", ["nicknames", "translations"])
def test_a_row_of_a_group_has_several_words_and_each_once(name: str) -> None:
    for row in rows_of(name):
        names = [key_of(name) for name in row.split("\t")[0].split()]
        assert len(names) == len({*names}) > 1, row


def test_nicknames() -> None:
    for one, other in (("Bill", "William"), ("Саша", "Александр"), ("Pepe", "José"), ("x", "X")):
        assert same_by_nickname(one, other) and same_by_nickname(other, one)
    assert not same_by_nickname("Alexander", "Alexandra")
    assert not same_by_nickname("", "")
    assert len(read_groups("nicknames").groups) > 2000


def test_translations() -> None:
    for one, other in (("Îles", "Islas"), ("northern", "septentrionale"), ("Neue", "nuevo")):
        assert same_by_translation(one, other) and same_by_translation(other, one)
    assert not same_by_translation("norte", "sud")


def test_plain_letters_are_stable() -> None:
    for text in ("Erdoğan", "Støre", "ΑΘΉΝΑ", "محمّد", "नरेन्द्र", "ﬁ", "İstanbul", "Йошкар", "ﾊﾟ"):
        assert plain_letters(plain_letters(text)) == plain_letters(text)
    assert plain_letters("محمّد") == "محمد"
    assert plain_letters("ﾊﾟ") == "パ"
