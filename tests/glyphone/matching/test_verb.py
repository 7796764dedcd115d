"""`glyphone match`: two names, pairs, a list, two lists, by a matcher and by readings of kanji."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from glyphone.batch import parquet
from glyphone.catalog import names as catalog_names
from glyphone.matching import candidates, lists, pair_files
from glyphone.matching import file as matcher_file
from glyphone.models.kanji import file as kanji_file
from tests.glyphone.batch.support import same_however_often_stopped
from tests.glyphone.matching.names import small_matcher
from tests.glyphone.models.kanji.matching.twins import small_model
from tests.glyphone.support import Ran, glyphone

CUSTOMERS = """id,name,town
1,"Borodin, Anna",Kiel
2,Anna Borodin,Kiel
3,,Kiel
4,Felix Dvorak,Kiel
5,Anna Borodin,Ulm
6,?!,Ulm
7
8,Dr. Felix M. Dvorak,Ulm
9,Castell Ltd,Ulm
"""
ORDERS = "order\tcustomer\nx\tA. Borodin\ny\tCastell Limited\nz\tClara Eriksen\n"
PAIRS = "Anna Borodin\tBorodin, Anna\nFelix\n\t\nFelix Dvorak\tFelix Farkas\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with lists, and a home of a user who has trained a matcher, and no other model."""
    monkeypatch.setenv("GLYPHONE_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(catalog_names, "built_file", lambda name, suffix: None)
    models = tmp_path / "data/glyphone/models"
    models.mkdir(parents=True)
    matcher_file.save(small_matcher(), models / "matcher.glyphone")
    monkeypatch.chdir(tmp_path)
    Path("customers.csv").write_text(CUSTOMERS, encoding="utf-8")
    Path("orders.tsv").write_text(ORDERS, encoding="utf-8")
    Path("pairs.tsv").write_text(PAIRS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def with_kanji(folder: Path) -> Path:
    (folder / "data/glyphone/models/jpn").mkdir()
    kanji_file.save(small_model(), folder / "data/glyphone/models/jpn/kanji.glyphone")
    return folder


def match(*words: Any) -> Ran:
    return glyphone("match", *words)


def table(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()]


def test_two_names(folder: Path) -> None:
    ran = match("Dr. Bill J. Smith", "Smith, William Xaver")
    assert (ran.code, ran.err) == (0, "")
    (row,) = table(ran.out)
    assert row[:2] == ["Dr. Bill J. Smith", "Smith, William Xaver"] and 0 < float(row[2]) < 1
    assert row[3:] == ["bill = william (nickname); smith = smith (equal)", "j", "xaver"]
    told = json.loads(match("Anna Dvorak", "Anna Dworak", "--format", "jsonl").out)
    assert told["links"][1] == {
        "first": "dvorak", "second": "dworak", "likeness": 1 - 1 / 6, "reason": "alike",
    }  # fmt: skip
    alone = small_matcher().similarity("Anna Dvorak", "Anna Dworak")
    assert told["probability"] == pytest.approx(alone)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("", "Ana"), "first name: there is nothing: the name is empty"),
        (("Ana", "?!"), "second name: has no letters or digits"),
        (("Ana", "a" * 10_000), "has 10000 characters, and a name at most 500"),
        (("Ana", "customers.csv"), "customers.csv is a file, and 'Ana' is none"),
        (("Ana", "Bo", "--top", "1"), "two names are no list"),
        (("Ana", "Bo", "-o", "x.parquet"), "two names are no file of Parquet"),
        (("Ana", "Bo", "--model", "spa.letter_to_sound:CASTILIAN"), "does not compare names"),
        (("nofile.csv", "--top", "1"), "No such file"),
        (("customers.csv", "--top", "1"), "(name one with --column: id, name, town)"),
        (("customers.csv", "--top", "1", "--column", "nmae"), "with --column: id, name, town)"),
        (("customers.csv", "--top", "1", "--column", "x"), "no column named 'x'"),
        (("customers.csv", "--top", "1", "--column", "7"), "--column: id, name, town"),
        (("customers.csv", "--column", "name"), "--column is that of a list"),
        (("customers.csv", "orders.tsv", "--clusters"), "clusters are those of one list"),
        (("orders.tsv", "--clusters", "-o", "x.parquet"), "clusters are written as text"),
        (("orders.tsv", "--top", "1", "--format", "parquet"), "Parquet is written to a file"),
        (("orders.tsv", "--top", "1", "--resume"), "--resume needs a file"),
        (("orders.tsv", "--top", "1", "-o", "orders.tsv"), "must be different files"),
        (("empty.tsv", "--clusters"), "holds no entries"),
        (("empty.csv", "--clusters"), "empty.csv: has no header (the first line has the names"),
    ],
)
def test_what_cannot_be_compared(names: tuple[str, ...], message: str, folder: Path) -> None:
    Path("empty.tsv").write_text("\n", encoding="utf-8")
    Path("empty.csv").touch()
    ran = match(*names)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err and len(ran.err.splitlines()) == 1


def test_one_letter_is_a_name(folder: Path) -> None:
    assert match("A", "A").code == match("李", "7").code == 0


def test_a_matcher_that_is_not_there(folder: Path) -> None:
    (folder / "data/glyphone/models/matcher.glyphone").unlink()
    ran = match("Ana", "Eva")
    assert ran.code == 2 and "(glyphone models train matcher: about " in ran.err


def test_pairs(folder: Path) -> None:
    ran = match("pairs.tsv")
    assert ran.code == 1 and "2 of 4 pairs failed" in ran.err
    assert "line 2: item 'Felix': reading: has not all of the columns" in ran.err
    same, other = table(ran.out)
    assert float(same[2]) > 0.5 > float(other[2])
    assert table(match("pairs.tsv", "--threshold", "0.5").out) == [same]
    Path("pairs.csv").write_text('id,one,two\n7,"Borodin, Anna",Anna Borodin\n', encoding="utf-8")
    words = ("pairs.csv", "--first-column", "two", "--second-column", "2", "-o", "x.jsonl")
    assert match(*words).code == 0
    told = json.loads(Path("x.jsonl").read_text(encoding="utf-8"))
    assert (told["line"], told["first"], told["second"]) == (2, "Anna Borodin", "Borodin, Anna")
    assert told["probability"] == pytest.approx(float(same[2]), abs=1e-3)


def test_partners_in_a_list(folder: Path) -> None:
    ran = match("customers.csv", "--column", "name", "--top", "2")
    assert ran.code == 1
    assert "5 different names; 10 of 10 pairs are compared" in ran.err
    assert "line 4: item '3,,Kiel': there is nothing: the name is empty" in ran.err
    found = {(row[0], row[1]): row[6:] for row in table(ran.out)}
    assert found == {
        ("Borodin, Anna", "Anna Borodin"): ["2", "3,6"],
        ("Anna Borodin", "Borodin, Anna"): ["3,6", "2"],
        ("Anna Borodin", "Anna Borodin"): ["3,6", "3,6"],
        ("Felix Dvorak", "Dr. Felix M. Dvorak"): ["5", "9"],
        ("Dr. Felix M. Dvorak", "Felix Dvorak"): ["9", "5"],
    }


def test_partners_in_another_list(folder: Path) -> None:
    columns = ("--first-column", "customer", "--second-column", "name")
    ran = match("orders.tsv", "customers.csv", *columns)
    assert "3 and 5 different names; 15 of 15 pairs" in ran.err
    rows = table(ran.out)
    assert [row[0] for row in rows] == ["A. Borodin", "Castell Limited"]
    assert rows[1][1] == "Castell Ltd" and rows[1][6:] == ["3", "10"]
    every = match("orders.tsv", "customers.csv", *columns, "--threshold", "0", "--top", "9")
    assert len(table(every.out)) == 15


def test_clusters(folder: Path) -> None:
    ran = match("customers.csv", "--column", "name", "--clusters", "-o", "out.tsv")
    assert ran.code == 1 and "3 of 8 names failed; see out.tsv.errors.tsv" in ran.err
    rows = table(Path("out.tsv").read_text(encoding="utf-8"))
    assert [(row[0], row[1], row[2], row[4]) for row in rows] == [
        ("1", "2", "Borodin, Anna", "2"),
        ("1", "2", "Anna Borodin", "3,6"),
        ("2", "2", "Felix Dvorak", "5"),
        ("2", "2", "Dr. Felix M. Dvorak", "9"),
        ("3", "1", "Castell Ltd", "10"),
    ]
    assert rows[-1][3] == "" and not list(folder.glob("*.pairs"))
    told = match("customers.csv", "--column", "name", "--clusters", "--format", "jsonl").out
    first, *_, last = map(json.loads, told.splitlines())
    assert [one["lines"] for one in first["names"]] == [[2], [3, 6]]
    assert last == {
        "cluster": 3,
        "names": [{"name": "Castell Ltd", "probability": None, "lines": [10]}],
    }


@pytest.mark.parametrize("text", ["Ana Paz\n", "Ana Paz\nAna Paz\n"])
def test_lists_of_one_name(text: str, folder: Path) -> None:
    Path("one.tsv").write_text(text, encoding="utf-8")
    lines = ",".join(map(str, range(1, text.count("\n") + 1)))
    assert table(match("one.tsv", "--clusters").out) == [["1", "1", "Ana Paz", "", lines]]
    partners = table(match("one.tsv", "--top", "3").out)
    assert [row[:2] for row in partners] == [["Ana Paz", "Ana Paz"]] * (text.count("\n") - 1)
    assert glyphone("match", "-", "--clusters", stdin=text.encode()).out.endswith(f"{lines}\n")


def test_an_index_finds_what_all_pairs_find(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("customers.csv", "--column", "name")
    whole = [match(*words, *more).out for more in (("--top", "2"), ("--clusters",))]
    monkeypatch.setattr(candidates, "FEW", 0)
    ran = match(*words, "--top", "2")
    assert "of 10 pairs are compared" in ran.err and "10 of 10" not in ran.err
    assert [ran.out, match(*words, "--clusters").out] == whole
    both = match(
        "orders.tsv", "customers.csv", "--first-column", "customer", "--second-column", "name"
    )
    assert [row[0] for row in table(both.out)] == ["A. Borodin", "Castell Limited"]


JOBS = [
    ("pairs.tsv",),
    ("pairs.tsv", "--threshold", "0.5", "--format", "jsonl"),
    ("customers.csv", "--column", "name", "--top", "2"),
    ("customers.csv", "--column", "name", "--clusters"),
    ("orders.tsv", "customers.csv", "--first-column", "2", "--second-column", "name"),
]


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_files, "BLOCK", 2)
    monkeypatch.setattr(lists, "BLOCK", 2)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("words", JOBS)
def test_runs_stopped_anywhere_and_resumed(words: tuple[str, ...], folder: Path) -> None:
    assert same_however_often_stopped("match", *words, output=folder / "out") > 1


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("words", JOBS)
def test_the_number_of_workers_changes_nothing(words: tuple[str, ...], folder: Path) -> None:
    written = set()
    for jobs in ("1", "3"):
        assert match(*words, "-o", "out", "--jobs", jobs).code in (0, 1)
        written.add(Path("out").read_bytes() + Path("out.errors.tsv").read_bytes())
    assert len(written) == 1


def test_parquet(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    pa = pytest.importorskip("pyarrow")
    monkeypatch.setattr(parquet, "ROWS", 2)
    rows = [("Anna Borodin", "Borodin, Anna"), ("?", "Ana"), ("Bo", None), ("Bo Dvorak", "Bo")]
    first, second = zip(*rows, strict=True)
    pq.write_table(pa.table({"id": [1, 2, 3, 4], "one": first, "other": second}), "in.parquet")
    words = ("in.parquet", "--first-column", "one", "--second-column", "3")
    assert match(*words, "-o", "out.parquet").code == 1
    good, bad, null, other = pq.read_table("out.parquet").to_pylist()
    assert good["probability"] > 0.5 and [link["reason"] for link in good["links"]] == ["equal"] * 2
    assert "no letters or digits" in bad["error"] and "is null" in null["error"]
    assert other["left_of_first"] == ["dvorak"] and other["error"] is None
    ran = match(*words, "-o", "out.parquet", "--threshold", "0.5")
    assert ran.code == 2 and "rows of Parquet are all kept" in ran.err
    assert same_however_often_stopped("match", *words, output=folder / "x.parquet") == 2
    listed = ("in.parquet", "orders.tsv", "--first-column", "one", "--second-column", "customer")
    assert match(*listed, "-o", "partners.parquet").code == 1
    (partner,) = pq.read_table("partners.parquet").to_pylist()
    assert (partner["first"], partner["second"]) == ("Anna Borodin", "A. Borodin")
    assert (partner["lines"], partner["partner_lines"]) == ([1], [2])


def test_japanese_names_are_read(with_kanji: Path) -> None:
    ran = match("山田太郎", "Tarō Yamada")
    assert len(ran.out.split("\t")) == 9 and "やまだ たろう " in ran.out
    assert ran.out == match("山田太郎", "Tarō Yamada", "--model", "jpn.kanji").out
    assert match("株式会社山田", "Yamada").out.count("\t") == 5
    Path("mixed.tsv").write_text("山田\tYamada\n山田\t山田㈱\nAnna\tAnne\n", encoding="utf-8")
    japanese, *others = table(match("mixed.tsv").out)
    assert float(japanese[2]) > 0.5 and japanese[3].endswith(" (reading)")
    assert [len(row) for row in others] == [6, 6]
    assert match("mixed.tsv", "--model", "jpn.kanji").out.splitlines()[0].count("\t") == 8
    ran = match("mixed.tsv", "--top", "1", "--model", "jpn.kanji")
    assert ran.code == 2 and "compares pairs" in ran.err
    ran = match("mixed.tsv", "--first-column", "name", "--model", "jpn.kanji")
    assert ran.code == 2 and "'name' is no column of text" in ran.err


def test_names_that_no_reading_can_tell_apart(with_kanji: Path) -> None:
    """The matcher compares Japanese names that the model of readings refuses."""
    Path("odd.tsv").write_text("山田\tX-7 Ltd\n山田\tYamada?3\n", encoding="utf-8")
    ran = match("odd.tsv")
    assert ran.code == 0 and len(table(ran.out)) == 2
