"""Packages of Japanese names: made up here, and the real ones where they are installed."""

from __future__ import annotations

import lzma
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from glyphone.data.errors import FormatError, UnknownName
from glyphone.data.folders import cache_folder
from glyphone.data.lexicons.named import named_lines
from glyphone.data.sources.japanese import KINDS, JapaneseName
from glyphone.data.sources.japanese_packages import read_jmnedict, read_personal_name_dataset
from glyphone.data.sources.pinned import PINNED
from tests.sources import need_source, put_source

TABLES = """
CREATE TABLE NEKanji (ID INTEGER PRIMARY KEY, idseq INTEGER, text TEXT);
CREATE TABLE NEKana (ID INTEGER PRIMARY KEY, idseq INTEGER, text TEXT, nokanji BOOLEAN);
CREATE TABLE NETranslation (ID INTEGER PRIMARY KEY, idseq INTEGER);
CREATE TABLE NETransType (tid INTEGER, text TEXT);
CREATE TABLE NETransGloss (tid INTEGER, lang TEXT, gend TEXT, text TEXT);
INSERT INTO NEKanji VALUES (1, 10, '丸山'), (2, 20, '張本勲'), (3, 20, '張勲'), (4, 30, '朝日'),
    (5, 40, '無名');
INSERT INTO NEKana VALUES (1, 10, 'まるやま', 0), (2, 20, 'はりもといさお', 0),
    (3, 30, 'あさひ', 0), (4, 10, 'まりやま', 0), (5, 50, 'かな', 0), (6, 40, 'むめい', 0);
INSERT INTO NETranslation VALUES (1, 10), (2, 10), (3, 20), (4, 30), (5, 40), (6, 50);
INSERT INTO NETransType VALUES (1, 'surname'), (2, 'station'), (2, 'place'), (3, 'person'),
    (4, 'company');
INSERT INTO NETransGloss VALUES (1, 'eng', '', 'Maruyama'), (2, 'eng', '', 'Maruyama station'),
    (3, 'eng', '', 'Harimoto Isao (1940.6-)'), (3, 'eng', '', 'Jang Hun'), (4, 'eng', '', 'Asahi');
"""
MARUYAMA = ("surname", "place")


def put_database(monkeypatch: pytest.MonkeyPatch, folder: Path, content: bytes) -> None:
    """A file in the place of the dictionary in its package, whose cache is in a folder."""
    member = "jamdict_data-1.5/jamdict_data/jamdict.db.xz"
    put_source(monkeypatch, folder, "jamdict-data", {member: lzma.compress(content)})
    monkeypatch.setenv(
        "GLYPHONE_CACHE", str(folder / "ja m?dict#1")
    )  # which mean something in URIs


@pytest.fixture
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dictionary of some names."""
    path = tmp_path / "few.db"
    with closing(sqlite3.connect(path)) as file:
        file.executescript(TABLES)
    put_database(monkeypatch, tmp_path, path.read_bytes())


@pytest.mark.usefixtures("few")
def test_names_of_any_kind_in_the_order_of_the_dictionary() -> None:
    assert list(read_jmnedict()) == [
        JapaneseName("丸山", "まるやま", MARUYAMA, romaji="Maruyama"),
        JapaneseName("丸山", "まりやま", MARUYAMA, romaji="Maruyama"),
        JapaneseName("張本勲", "はりもといさお", ("full",), romaji="Harimoto Isao"),
        JapaneseName("張勲", "はりもといさお", ("full",), romaji="Harimoto Isao"),
    ]


@pytest.mark.usefixtures("few")
def test_names_of_one_kind() -> None:
    assert [name.kanji for name in read_jmnedict({"full"})] == ["張本勲", "張勲"]
    assert [name.kanji for name in read_jmnedict({"surname", "male"})] == ["丸山", "丸山"]
    with pytest.raises(UnknownName, match=r"'family'"):
        read_jmnedict({"family"})


@pytest.mark.parametrize("content", [b"", b"no database" * 100])
def test_another_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    put_database(monkeypatch, tmp_path, content)
    with pytest.raises(FormatError, match="is not the SQLite database of jamdict-data"):
        list(read_jmnedict())


def put_dataset(monkeypatch: pytest.MonkeyPatch, folder: Path, surnames: str, given: str) -> None:
    """A dataset of some surnames, and some given names of either sex."""
    below = "japanese_personal_name_dataset/dataset"
    sexes = {f"{below}/first_name_{sex}_opti.csv": given for sex in ("man", "woman")}
    members = {f"{below}/last_name_org.csv": surnames, **sexes}
    put_source(monkeypatch, folder, "japanese-personal-name-dataset", members)
    monkeypatch.setenv("GLYPHONE_CACHE", str(folder))


def test_the_dataset_is_read_from_the_file_of_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_dataset(monkeypatch, tmp_path, "佐藤,1887000,さとう,satou\n", "あい,ai,愛\n")
    assert [(name.kanji, name.kinds) for name in read_personal_name_dataset(popular=True)] == [
        ("佐藤", ("surname",)),
        ("愛", ("male",)),
        ("愛", ("female",)),
    ]


def test_both_packages_as_a_lexicon(
    few: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    surnames = "丸山,145000,まるやま,maruyama\n佐藤,1887000,さとう,satou\n"
    put_dataset(monkeypatch, tmp_path, surnames, "アイ,ai,愛\n")
    assert [line for _, line in named_lines("japanese-names") or ()] == [
        "丸山\tまるやま\tsurname\t15.5",
        "丸山\tまりやま\tsurname\t1",
        "佐藤\tさとう\tsurname\t188.7",
        "愛\tあい\tgiven\t2",
    ]


def test_jmnedict_itself() -> None:
    if not (cache_folder() / "sources" / PINNED["jamdict-data"].file).exists():
        pytest.skip("JMnedict has not been fetched: glyphone models train jpn.kanji")
    kinds = Counter(kind for name in read_jmnedict() for kind in name.kinds)
    # In version 1.5: 141,972 surnames, 215,254 places, 50,141 full names.
    assert min(kinds[kind] for kind in KINDS) > 15_000
    assert kinds["surname"] > 130_000


def test_the_dataset_itself() -> None:
    need_source("japanese-personal-name-dataset")
    names = list(read_personal_name_dataset())
    # In version 0.4.0: 93,221 names, 1,999 of them surnames.
    assert len(names) > 80_000
    assert names[0] == JapaneseName("佐藤", "さとう", ("surname",), 1887000, "satou")
