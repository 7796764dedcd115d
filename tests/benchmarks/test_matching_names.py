"""The page of names that are the same, on sets of a few lines, and its readers."""

from __future__ import annotations

import gzip
import importlib
import json
import pickle
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from glyphone.data.sources import cldr
from glyphone.data.sources.rigour import MEMBER
from tests.sources import need_source, put_source

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
SECOND_STRING = {
    "parks": [
        'a\t"k1"\tYosemite NP',
        'b\t"k1" \tYosemite National Park',
        "a\tk2\tZion NP",
        "b\tk3\tDenali Preserve",
        "b\tk2\tZion  National Park",
    ],
    "vaUniv": ["v\tI1\tBell Labs", "v\tI1\tBell Laboratories", "v\tI2\tMIT"],
    "animal": ["p\tFelis concolor\tCougar", "e\tFelis concolor coryi\tPanther", "e\tFelis x\tCat"],
}
CASES = """case_group,schema,name1,name2,is_match,quality,category,notes
x,Person,Ted Doe,Theodore Doe,true,STRONG,,
x,Person,Ann Doe,Anna Doe,true,,,
x,Company,Foo Ltd,Foo Limited,true,WEAK,,
x,Person,Boris Fox,Vicente Fox,false,WEAK,,
x,Vessel,Storm 1,Storm 2,false,MEDIUM,,
x,Company,Abc,Xyz,false,STRONG,,
"""
ENDS = [("", "h"), ("lina", "line"), ("ta", "tta")]
COUNTRIES = {
    "AX": ("Åland Islands", "Îles Åland"),
    "BB": ("Barbados", "Barbade"),
    "FJ": ("Fiji", "Fidji"),
    "MT": ("Malta", "Malte"),
    "NR": ("Nauru", "Nauru"),
    "PE": ("Peru", "Pérou"),
    "TO": ("Tonga", "Tonga"),
    "ZM": ("Zambia", "Zambie"),
    "001": ("world", "monde"),
}
NAMES = [("moskva", "м о с к в а"), ("kiev", "к и е в"), ("omsk", "о м с к"), ("kiew", "к и е в")]


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> tuple[ModuleType, ModuleType]:
    """The page and its readers, imported as a script imports its neighbours."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return tuple(importlib.import_module(f"matching_{name}") for name in ("names", "data"))


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with small sets in the place of the shared one, and small packages."""
    folder = tmp_path / "shared" / "name_matching" / "secondstring"
    folder.mkdir(parents=True)
    for name, lines in SECOND_STRING.items():
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder.parent / "nomenklatura_cases.csv").write_text(CASES, encoding="utf-8")
    scripts = tmp_path / "shared" / "netranslit_coling2018"
    scripts.mkdir()
    for part, names in (("16", NAMES[:2]), ("64", NAMES[2:])):
        lines = "".join(f"{latin}\t{native}\t1\n" for latin, native in names)
        (scripts / f"wd_russian_{part}.tsv.gz").write_bytes(gzip.compress(lines.encode()))
    names = [{code: pair[k] for code, pair in COUNTRIES.items()} for k in (0, 1)]
    tables = {"root": {}, "en": names[0], "fr": names[1]}
    members = {
        f"babel/locale-data/{name}.dat": pickle.dumps({"territories": table})
        for name, table in tables.items()
    }
    shared_tables = {"parent_exceptions": {}, "likely_subtags": {}, "language_aliases": {}}
    members["babel/global.dat"] = pickle.dumps(shared_tables)
    put_source(monkeypatch, tmp_path / "sources", "babel", members)
    rows = [{"alpha_2": "AX", "name": "Åland Islands"}, {"alpha_2": "ZZ", "name": "Zed"}]
    content = {"pycountry/databases/iso3166-1.json": json.dumps({"3166-1": rows})}
    put_source(monkeypatch, tmp_path / "sources", "pycountry", content)
    groups = "\n".join(
        f"{name}{ending}, {name}{other} => Q1"
        for name in "ana bo eva".split()
        for ending, other in ENDS
    )
    put_source(monkeypatch, tmp_path / "sources", "rigour", {MEMBER: groups})
    for table in (cldr.tables_of, cldr.shared_tables):
        table.cache_clear()
    monkeypatch.setattr("glyphone.catalog.names.model_of", lambda name: None)
    return tmp_path / "shared"


@pytest.fixture(autouse=True)
def fresh_tables() -> None:
    for table in (cldr.tables_of, cldr.shared_tables):
        table.cache_clear()


def test_the_page(
    modules: tuple[ModuleType, ModuleType], shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("rapidfuzz")
    picture = shared / "curves.svg"
    given = ["--shared", str(shared), "--sets", "parks,vaUniv", "--languages", "rus"]
    given += ["--names", "20", "--words", "9", "--sizes", "30"]
    modules[0].main([*given, "--picture", str(picture)])
    page = capsys.readouterr().out
    assert page.count("### ") == 5
    assert "countries: 15 names, 6 right pairs of all 105" in page
    assert "parks: 5 names, 2 right pairs of all 6" in page
    assert "rus: letter by letter, without `glyphone models train rus`" in page
    assert page.count("ml-extended/contexts  ") == 4
    assert b"ml-extended/contexts" in picture.read_bytes()
    assert re.search(r"^matcher, cross-validated( +[\d.]+){9}", page, re.M)
    assert re.search(r"^combined, by folds( +[\d.]+){9}$", page, re.M)
    assert len(re.findall(r"^combined, of other sets( +[\d.]+)+$", page, re.M)) == 3
    assert re.search(r"pairs/s\n20 by 20 names: .* ratio of times [\d.]+\n", page)
    assert re.search(r"^ *30( +[\d.]+){2} +\d+ +100.0 +[\d,]+$", page, re.M)


def test_countries_of_the_specification(modules: tuple[ModuleType, ModuleType]) -> None:
    need_source("babel")
    need_source("pycountry")
    task = modules[1].countries()
    assert (len(task.names), len(task.pairs), task.positives) == (661, 218_130, 567)


def test_pairs_are_between_relations(modules: tuple[ModuleType, ModuleType], shared: Path) -> None:
    folder = shared / "name_matching" / "secondstring"
    task = modules[1].second_string(folder / "parks.txt")
    assert task.names[4] == "Zion National Park"
    right = {tuple(pair) for pair in task.pairs[task.labels == 1].tolist()}
    assert right == {(0, 1), (2, 4)}
    assert modules[1].second_string(folder / "vaUniv.txt").positives == 1
    animals = modules[1].second_string(folder / "animal.txt")
    assert animals.pairs[animals.labels == 1].tolist() == [[0, 1]]


def test_pairs_with_rare_features_where_all_are_too_many(
    modules: tuple[ModuleType, ModuleType], shared: Path
) -> None:
    path = shared / "name_matching" / "secondstring" / "parks.txt"
    task = modules[1].second_string(path, most=2)
    # The words yosemite and zion are in two names, the trigram ion in three.
    assert task.pairs.tolist() == [[0, 1], [2, 4]]
    assert "2 with rare words" in str(task) and "100.0% of the right ones" in str(task)
    assert modules[1].second_string(path, most=0).positives == 2


def test_qualities_fall(modules: tuple[ModuleType, ModuleType], shared: Path) -> None:
    page, data = modules
    cases = data.nomenklatura(shared / "name_matching" / "nomenklatura_cases.csv")
    for scores, falls in (([9, 8, 7, 6, 5, 4], True), ([9, 8, 7, 6, 5, 6], False)):
        scored = page.Scored("x", np.array(scores, float), 0.0)
        assert page.quality_steps(scored, cases).startswith("yes" if falls else "no")


def test_thresholds_are_chosen_on_other_pairs(modules: tuple[ModuleType, ModuleType]) -> None:
    labels = np.array([1, 0] * 20)
    assert modules[0].held_out_f(labels.astype(float), labels) == 1.0
    assert modules[0].held_out_f(np.random.default_rng(0).random(40), labels) < 0.9


@pytest.mark.parametrize("seed", range(20))
def test_equal_scores_are_drawn(modules: tuple[ModuleType, ModuleType], seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 3, 6).astype(float)
    right = rng.choice(6, 2, replace=False).tolist()
    for k in (1, 2, 4):
        hits = []
        for _ in range(2000):
            order = sorted(range(6), key=lambda place: (-scores[place], rng.random()))
            hits.append(bool({*order[:k]} & {*right}))
        share = modules[0].share_found(k, scores, right)
        assert share == pytest.approx(np.mean(hits), abs=0.05)


def test_candidates_across_scripts(modules: tuple[ModuleType, ModuleType], shared: Path) -> None:
    task = modules[1].across_scripts(shared / "netranslit_coling2018", "rus", candidates=3)
    assert sorted(task.queries) == ["kiev", "moskva"]
    assert task.candidates == ("киев", "москва", "омск")
    assert [task.candidates[place] for (place,) in task.right] == [
        {"kiev": "киев", "moskva": "москва"}[query] for query in task.queries
    ]


def test_peers_answer_where_they_are(modules: tuple[ModuleType, ModuleType]) -> None:
    python = BENCHMARKS.parent / "build" / "peers" / "bin" / "python"
    if not python.exists():
        pytest.skip("the environment of the peers is not installed")
    peers = importlib.import_module("matching_peers").Peers(str(python))
    pairs = np.array([[0, 1], [0, 2]])
    for measure, module in (("soft_tfidf:0.9", "py_stringmatching"), ("metaphone", "jellyfish")):
        if peers.has(module):
            near, far = peers.ask(measure, ["Jon Smith", "Jon Smyth", "Foo"], pairs).scores
            assert near > far


def test_data_that_are_absent_are_told(
    modules: tuple[ModuleType, ModuleType], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    modules[0].main(["--shared", str(tmp_path), "--part", "pairs", "--part", "scripts"])
    page = capsys.readouterr().out
    assert "skipped, name_matching is absent" in page
    assert "skipped, netranslit_coling2018 is absent" in page
