"""glyphone voicemail --customers: who of a list called."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from glyphone.catalog import names as catalog_names
from glyphone.learners.matching.matcher import NameMatcher
from glyphone.matching import file as matcher_file
from glyphone.matching.file import make_comparer
from glyphone.matching.name_lists import NameList
from glyphone.matching.partners import Partner, PartnerFinder
from glyphone.voicemail.customers import with_customers
from glyphone.voicemail.findings import findings_json, findings_row
from glyphone.voicemail.model import load
from glyphone.voicemail.records.transcripts import Transcript
from tests.glyphone.batch.support import same_however_often_stopped, stopped
from tests.glyphone.matching.names import small_matcher
from tests.glyphone.support import Ran, glyphone
from tests.glyphone.voicemail.test_voicemail import PAT, SAMPLES, rows

CUSTOMERS = """id,name
1,"Petrov, Olaf"
2,Pat Caller
3,?
4,Olaf Petroff
5,Pat Caller
"""
LIST = ("--customers", "customers.csv", "--customers-column", "name")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a list, and the models of a user who has trained a matcher alone."""
    monkeypatch.setenv("GLYPHONE_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(
        catalog_names,
        "built_file",
        lambda name, suffix, built=catalog_names.built_file: (
            None if suffix == catalog_names.SUFFIX else built(name, suffix)
        ),
    )
    models = tmp_path / "data/glyphone/models"
    models.mkdir(parents=True)
    matcher_file.save(small_matcher(), models / "matcher.glyphone")
    monkeypatch.chdir(tmp_path)
    Path("customers.csv").write_text(CUSTOMERS, encoding="utf-8")
    return models


def run(small: Path, *words: str | Path, stdin: bytes = b"") -> Ran:
    return glyphone("voicemail", *LIST, *words, "--model", small, stdin=stdin)


def test_customers_of_messages(home: Path, small: Path) -> None:
    ran = run(small, SAMPLES)
    assert ran.code == 0
    told = ran.err.splitlines()
    assert (
        told[0]
        == "glyphone: customers.csv: a line is no customer: line 4: has no letters or digits"
    )
    assert "by letters alone (glyphone models train eng: about" in told[1] and len(told) == 2
    found = rows(ran)
    first, second = found[0]["customers"]
    assert first["name"] == "Petrov, Olaf" and first["lines"] == [2]
    assert second["name"] == "Olaf Petroff" and second["lines"] == [5]
    assert second["probability"] < first["probability"] < found[0]["caller"]["name"]["probability"]
    assert found[6]["caller"] is None and found[6]["customers"] == []
    (pat,) = rows(run(small, "-", "--text", stdin=PAT.encode()))
    assert [(one["name"], one["lines"]) for one in pat["customers"]] == [("Pat Caller", [3, 6])]


def test_other_fields_are_as_without_a_list(home: Path, small: Path) -> None:
    plain = rows(glyphone("voicemail", SAMPLES, "--model", small))
    found = rows(run(small, SAMPLES))
    assert [{key: row[key] for key in row if key != "customers"} for row in found] == plain


def test_a_callback_list_with_customers(home: Path, small: Path) -> None:
    ran = run(small, "-", "--text", "--format", "tsv", stdin=f"{PAT}\num\n".encode())
    first, second = (line.split("\t") for line in ran.out.splitlines())
    assert first[:3] == ["1", "Pat Caller", "908-555-1212"] and len(first) == 5
    name, _, probability = first[4].rpartition(" ")
    assert name == "Pat Caller" and 0.1 <= float(probability) < 1
    assert second == ["2", "", "", "", ""]


def test_threshold_and_top(home: Path, small: Path) -> None:
    one = ("-", "--text", "--jobs", "1")
    text = b"hi this is Olaf Petrov"
    (found,) = rows(run(small, *one, "--top", "1", stdin=text))
    assert [row["name"] for row in found["customers"]] == ["Petrov, Olaf"]
    (found,) = rows(run(small, *one, "--threshold", "1", stdin=text))
    assert found["customers"] == []
    (found,) = rows(run(small, *one, "--threshold", "0", stdin=text))
    assert len(found["customers"]) == 3
    assert sum(row["probability"] for row in found["customers"]) <= 1


def test_sounds_of_a_model_that_is_there(home: Path, small: Path) -> None:
    """English letters to sounds, of few words."""
    words = {"olaf": "OW L AH F", "petrov": "P EH T R AO F", "oulough": "OW L AH F",
             "peatrough": "P EH T R AO F", "pat": "P AE T", "caller": "K AO L ER"}  # fmt: skip
    text = "".join(f"{word}\t{phones}\n" for word, phones in words.items())
    Path("lexicon.tsv").write_text(text * 5, encoding="utf-8")
    path = home / "eng/letter_to_sound.glyphone"
    message = b"hi this is Oulough Peatrough call me"
    (letters,) = rows(run(small, "-", "--text", "--threshold", "0", stdin=message))
    path.parent.mkdir()
    trained = glyphone("train", "lexicon.tsv", "--kind", "joint", "-o", path)
    assert trained.code == 0, trained.err
    ran = run(small, "-", "--text", "--threshold", "0", stdin=message)
    assert "by letters alone" not in ran.err
    likely = max(rows(ran)[0]["customers"], key=lambda one: one["probability"])
    assert likely["name"] == "Petrov, Olaf"
    known = {one["name"]: one["probability"] for one in letters["customers"]}
    assert likely["probability"] > 2 * known.get("Petrov, Olaf", 0.0)


def test_workers_and_stops_do_not_matter(home: Path, small: Path, tmp_path: Path) -> None:
    messages = "".join(f"{text}\n" for text in (PAT, "hi this is Olaf Petrov", "um") * 180)
    Path("many.txt").write_text(messages, encoding="utf-8")
    one, two = (run(small, "many.txt", "--text", "--jobs", jobs).out for jobs in "12")
    assert one == two and one.count("\n") == 540
    words = ("voicemail", "many.txt", "--text", *LIST, "--model", small)
    assert same_however_often_stopped(*words, output=tmp_path / "out.jsonl") == 2


@pytest.mark.parametrize("changed", ["names", "lines", "--threshold", "matcher"])
def test_a_run_goes_on_with_the_list_that_it_began_with(
    home: Path, small: Path, changed: str
) -> None:
    Path("many.txt").write_text(f"{PAT}\n" * 1100, encoding="utf-8")
    words = ["voicemail", "many.txt", "--text", *LIST, "--model", small, "-o", "out.jsonl"]
    assert stopped(*words, entry=2)
    if changed == "names":
        Path("customers.csv").write_text(CUSTOMERS.replace("Olaf", "Ole"), encoding="utf-8")
    elif changed == "lines":
        Path("customers.csv").write_text(CUSTOMERS.replace("?", "Pat Caller"), encoding="utf-8")
    elif changed == "matcher":
        pairs = [("Ana Paz", "Paz, Ana"), ("Ana Paz", "Bo Li")]
        matcher_file.save(NameMatcher().fit(pairs, [1, 0]), home / "matcher.glyphone")
    else:
        words += ["--threshold", "0.2"]
    ran = glyphone(*words, "--resume")
    assert ran.code == 2 and "--resume" in ran.err


def test_parquet(home: Path, small: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pa.table({"text": [PAT, None, "um"]}), "in.parquet")
    ran = run(small, "in.parquet", "--text", "--column", "text", "-o", "out.parquet")
    assert ran.code == 1  # nothing is filled in
    found = parquet.read_table("out.parquet").to_pylist()
    assert [one["name"] for one in found[0]["customers"]] == ["Pat Caller"]
    assert found[0]["customers"][0]["lines"] == [3, 6]
    assert found[1]["customers"] is None and found[2]["customers"] == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--customers-column", "town"), "no column named 'town'"),
        (("--customers-column", "town"), "(name one with --customers-column: id, name)"),
        (("--customers", "empty.csv"), "empty.csv: holds no entries"),
        (("--customers", "none.csv"), "No such file"),
        (("--customers", "-"), "must be different files"),
        (("--matcher", "eng.nothing"), "eng.nothing"),
    ],
)  # fmt: skip
def test_what_is_refused(home: Path, small: Path, options: tuple[str, ...], message: str) -> None:
    Path("empty.csv").write_text("name\n", encoding="utf-8")
    ran = run(small, "-", "--text", *options)
    assert (ran.code, ran.out) == (2, "") and message in ran.err
    assert "Traceback" not in ran.err


def test_a_matcher_that_is_not_there(home: Path, small: Path) -> None:
    (home / "matcher.glyphone").unlink()
    ran = run(small, "-", "--text", stdin=b"hi")
    assert ran.code == 2 and "(glyphone models train matcher: about " in ran.err


def test_options_without_a_list(small: Path) -> None:
    ran = glyphone("voicemail", "-", "--model", small, "--top", "3")
    assert ran.code == 2 and "(name one with --customers)" in ran.err


def test_hypotheses_of_a_recogniser_add_up(small: Path) -> None:
    model = load(small)
    said = "hi this is {} call me at five five five oh one two three"
    words = [tuple(said.format(name).split()) for name in ("Dale Foster", "Gail Foster")]
    listed = NameList(["Gail Foster", "Dale Foster"], [(1,), (2,)], [])
    finder = PartnerFinder(make_comparer(small_matcher()), listed, least=0.0)
    message = Transcript(words[0], others=((words[1], -0.5),))
    (found,) = with_customers(model.find([message], names=3), finder)
    names = dict(found.names)
    assert names["Dale Foster"] > names["Gail Foster"] > 0.1 and sum(names.values()) <= 1
    dale, gail = found.customers or ()
    assert (dale.name, gail.name) == ("Dale Foster", "Gail Foster")
    assert dale.probability + gail.probability <= 1 and gail.probability > 0.1
    (plain,) = with_customers(model.find([Transcript(words[0])], names=3), finder)
    assert len(plain.names) == 3 and plain.names[0] == (plain.name, plain.caller.name_probability)
    assert (plain.customers or ())[0].probability > dale.probability
    assert model.find([Transcript(words[0])])[0].names == ()


def test_lines_equal_rows(small: Path) -> None:
    found = load(small)(PAT)
    for customers in ((), (Partner('"É" \\', (1, 2), 0.123456), Partner("b", (3,), 0.1))):
        one = replace(found, customers=customers)
        assert findings_json(one) == json.dumps(findings_row(one), ensure_ascii=False)
    assert "customers" not in findings_row(found)
