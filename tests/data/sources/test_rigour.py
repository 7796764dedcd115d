"""Groups of spellings: how they are read, made up and real."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from glyphone.data.errors import FormatError, UnknownName
from glyphone.data.records import NamePair
from glyphone.data.sources.rigour import (
    MEMBER,
    TERRITORIES,
    NameGroup,
    read_name_groups,
    read_name_pairs,
    read_territories,
)
from tests.sources import need_source, put_source

ROWS = """ovsey, owssej, овсей => Q1
júki, yuki, ゆうき, 裕毅 => Q2
de ulloa, де ульоа, дэ ульоа => Q3
golikov, golikova => X1
mu\u0308ller, müller, 山ノ内 => Q5
"""


def put(monkeypatch: pytest.MonkeyPatch, folder: Path, rows: str) -> None:
    put_source(monkeypatch, folder, "rigour", {MEMBER: rows})


def test_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, tmp_path, ROWS)
    groups = list(read_name_groups())
    assert [group.key for group in groups] == ["Q1", "Q2", "Q3", "X1", "Q5"]
    assert groups[1].scripts == ("Latn", "Hira", "Hani")
    assert groups[1].in_script("Hani") == ("裕毅",) and groups[1].in_script("Cyrl") == ()
    # One spelling in two normal forms is one; kanji with kana are of no one script.
    assert groups[4] == NameGroup(("müller", "山ノ内"), "Q5")
    assert groups[4].scripts == ("Latn",)


def test_groups_with_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, tmp_path, ROWS)
    assert [group.key for group in read_name_groups(["Cyrl"])] == ["Q1", "Q3"]
    assert [group.key for group in read_name_groups(["Hira", "Hani"])] == ["Q2"]
    with pytest.raises(UnknownName, match="no script named 'Cyril'"):
        list(read_name_groups(["Cyril"]))


def test_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, tmp_path, ROWS)
    assert list(read_name_pairs("Cyrl"))[:3] == [
        NamePair("ovsey", "овсей", "rigour", "Q1", "person"),
        NamePair("owssej", "овсей", "rigour", "Q1", "person"),
        NamePair("de ulloa", "де ульоа", "rigour", "Q3", "person"),
    ]


def test_territories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_source(
        monkeypatch, tmp_path, "rigour", {TERRITORIES: '{"name": "Yunnan"}\n{"name": "Perú"}\n'}
    )
    assert [*read_territories()] == ["Yunnan", "Perú"]
    put_source(monkeypatch, tmp_path / "x", "rigour", {TERRITORIES: '{"name": "Yunnan"}\n[]\n'})
    with pytest.raises(FormatError, match=r"2.*is no object with a name"):
        [*read_territories()]


@pytest.mark.parametrize("row", ["ovsey, овсей", "ovsey, , овсей => Q1", ""])
def test_rows_of_another_form_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: str
) -> None:
    put(monkeypatch, tmp_path, f"a, b => Q1\n{row}\n")
    with pytest.raises(FormatError, match=r"2.*is no row of names, an arrow and a key"):
        list(read_name_groups())


def test_the_names_themselves() -> None:
    need_source("rigour")
    groups = list(read_name_groups())
    assert len(groups) == 156_187 == len({group.key for group in groups})
    scripts = Counter(script for group in groups for script in group.scripts)
    assert scripts["Latn"] > 150_000 and scripts["Cyrl"] > 50_000 and scripts["Hani"] > 70_000
    pairs = {(pair.latin, pair.native) for pair in read_name_pairs("Cyrl")}
    assert {("chernyshevsky", "чернышевский"), ("ovsey", "овсей")} <= pairs
