"""Files of Japanese names: what is read of each format, and how each is refused."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from glyphone.data.errors import FormatError
from glyphone.data.sources.japanese import JapaneseName
from glyphone.data.sources.japanese_files import (
    read_ipadic,
    read_personal_names,
    read_persons,
)

PERSONS = "kanji\tkana\ttypes\tromaji\n丸山\tまるやま\tp,s\tMaruyama\n伊東\tいとう\ts\tItō (x)\n"
IPADIC = """\
康弘,1291,1291,8349,名詞,固有名詞,人名,名,*,*,康弘,ヤスヒロ,ヤスヒロ
丸山,1290,1290,8349,名詞,固有名詞,人名,姓,*,*,丸山,マルヤマ,マルヤマ
行基,1289,1289,8349,名詞,固有名詞,人名,一般,*,*,行基,ギョウキ,ギョーキ
丸山,1293,1293,8684,名詞,固有名詞,地域,一般,*,*,丸山,マルヤマ,マルヤマ
日本,1294,1294,4785,名詞,固有名詞,地域,国,*,*,日本,ニッポン,ニッポン
山,1285,1285,5000,名詞,一般,*,*,*,*,山,ヤマ,ヤマ
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("reader", "text"), [(read_persons, PERSONS), (read_ipadic, IPADIC)])
def test_files_as_they_are_distributed_are_refused_with_the_remedy(
    reader: Callable[[Path], Iterator[JapaneseName]], text: str, tmp_path: Path
) -> None:
    path = tmp_path / "names"
    path.write_bytes(text.replace("ō", "o").encode("euc-jp"))
    with pytest.raises(FormatError, match=r"line [12]: .*is not in UTF-8 \(.*iconv -f EUC-JP"):
        list(reader(path))


def test_persons_compressed(tmp_path: Path) -> None:
    path = tmp_path / "persons.tsv.gz"
    path.write_bytes(gzip.compress(PERSONS.encode()))
    assert list(read_persons(path)) == [
        JapaneseName("丸山", "まるやま", ("surname", "place"), romaji="Maruyama"),
        JapaneseName("伊東", "いとう", ("surname",), romaji="Itō"),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("丸山\tまるやま\ts\tMaruyama\n", "line 1: .*is no header.*kanji TAB kana TAB types"),
        (PERSONS + "丸山 まるやま\n", "line 4: .*has 1 columns, not 4 .*one TAB each"),
    ],
)
def test_other_tables_are_refused(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=says):
        list(read_persons(written(tmp_path, "persons.tsv", text)))


def test_ipadic(tmp_path: Path) -> None:
    assert list(read_ipadic(written(tmp_path, "Noun.csv", IPADIC))) == [
        JapaneseName("康弘", "やすひろ", ("given",)),
        JapaneseName("丸山", "まるやま", ("surname",)),
        JapaneseName("行基", "ぎょうき", ("full",)),
        JapaneseName("丸山", "まるやま", ("place",)),
        JapaneseName("日本", "にっぽん", ("place",)),
    ]


def test_ipadic_of_another_width_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "Noun.csv", IPADIC + "丸山,1\n")
    with pytest.raises(FormatError, match=r"line 7: item '丸山,1': has 2 columns .*has 13"):
        list(read_ipadic(path))


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    written(tmp_path, "last_name_org.csv", "佐藤,1887000,さとう,satou\n")
    written(tmp_path, "first_name_man_org.csv", "ああす,asu,亜明日\nあい,ai,藍,愛\n")
    written(tmp_path, "first_name_man_opti.csv", "あい,ai,藍\n")
    written(tmp_path, "first_name_woman_org.csv", "あい,ai,愛\n")
    written(tmp_path, "first_name_woman_opti.csv", "")
    return tmp_path


def test_personal_names(dataset: Path) -> None:
    satou = JapaneseName("佐藤", "さとう", ("surname",), 1887000, "satou")
    ai = JapaneseName("藍", "あい", ("male",), romaji="ai")
    assert list(read_personal_names(dataset, popular=True)) == [satou, ai]
    assert list(read_personal_names(dataset)) == [
        satou,
        JapaneseName("亜明日", "ああす", ("male",), romaji="asu"),
        ai,
        JapaneseName("愛", "あい", ("male",), romaji="ai"),
        JapaneseName("愛", "あい", ("female",), romaji="ai"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("last_name_org.csv", "佐藤,さとう\n", "line 1: item '佐藤,さとう': is no surname"),
        ("last_name_org.csv", "佐藤,many,さとう,satou\n", "line 1: .*kanji,count,kana,romaji"),
        ("first_name_man_org.csv", "あい,ai\nあ\n", "line 2: item 'あ': is no given name"),
    ],
)
def test_a_damaged_dataset_is_refused(name: str, text: str, says: str, dataset: Path) -> None:
    path = written(dataset, name, text)
    with pytest.raises(FormatError, match=says) as caught:
        list(read_personal_names(dataset))
    assert caught.value.path == str(path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"last_name_org\.csv: .*check the name"):
        list(read_personal_names(tmp_path))
