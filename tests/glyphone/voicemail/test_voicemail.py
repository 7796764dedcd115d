"""glyphone voicemail: callers and numbers of messages, from files to files."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import glyphone.voicemail
from glyphone.data.errors import FormatError, ItemError, NotInstalled, UnknownName
from glyphone.fst.storage import container as storage_container
from glyphone.grammar_tools import archives
from glyphone.voicemail import VoicemailModel
from glyphone.voicemail import files as voicemail_files
from glyphone.voicemail.findings import findings_json, findings_row
from glyphone.voicemail.hypotheses import align_list, best_paths, places_of
from glyphone.voicemail.measuring import measure_model, tally_spans
from glyphone.voicemail.records.transcripts import Transcript
from tests.glyphone.batch.support import same_however_often_stopped
from tests.glyphone.support import Ran
from tests.glyphone.support import glyphone as command

SAMPLES = Path(__file__).resolve().parents[3] / "data" / "samples" / "voicemail.jsonl"
PAT = (
    "hi Sam this is Pat Caller it was fifty dollars my number is "
    "nine oh eight five five five twelve twelve"
)


@pytest.fixture(scope="module")
def model(small: Path) -> VoicemailModel:
    return glyphone.voicemail.load(small)


def run(small: Path, *words: str | Path, stdin: bytes = b"") -> Ran:
    return command("voicemail", *words, "--model", small, stdin=stdin)


def rows(ran: Ran) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.out.splitlines()]


def test_a_message(model: VoicemailModel) -> None:
    found = model(PAT)
    assert (found.name, found.phrase) == ("Pat Caller", "this is Pat Caller")
    assert [number.display for number in found.numbers] == ["908-555-1212"]
    assert model(PAT.split()) == found
    assert next(model.apply([PAT, "um"])) == found


def test_the_samples(small: Path) -> None:
    ran = run(small, SAMPLES)
    assert (ran.code, ran.err) == (0, "")
    found = rows(ran)
    assert [row["id"] for row in found] == list("1234567")
    assert found[0]["caller"]["name"]["text"] == "Olaf Petrov"
    assert found[0]["numbers"][0]["digits"] == "9085551212"
    assert found[2]["caller"]["name"]["time"] == [1.1, 1.9]
    assert found[2]["numbers"][0]["digits"] == "3281025"
    assert [one["digits"] for one in found[4]["numbers"]] == ["5550199"]
    assert found[6]["caller"] is None and found[6]["numbers"] == []


def test_a_callback_list(small: Path) -> None:
    ran = run(small, SAMPLES, "--format", "tsv")
    first = ran.out.splitlines()[0].split("\t")
    assert ran.code == 0 and first[:3] == ["1", "Olaf Petrov", "908-555-1212"]
    assert 0 < float(first[3]) < 1


def test_plain_text(small: Path) -> None:
    ran = run(small, "-", "--text", stdin=f"{PAT}\n\n😀 😀\n".encode())
    assert ran.code == 0
    found = rows(ran)
    assert len(found) == 3 and found[0]["caller"]["name"]["text"] == "Pat Caller"
    assert found[1]["text"] == "" and found[2]["caller"] is None


def test_bad_lines_fail_alone(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    lines = ['{"text": "hi"}', "{", '{"id": 1}', '{"text": "\xff"}', '{"text": "bye"}', ""]
    path.write_bytes("\n".join(lines).encode("latin-1") + b"\n")
    output, errors = tmp_path / "out.jsonl.gz", tmp_path / "errors.tsv"
    ran = run(small, path, "-o", output, "--errors", errors)
    assert ran.code == 1 and ran.out == ""
    with gzip.open(output, "rt", encoding="utf-8") as found:
        assert [json.loads(line)["text"] for line in found] == ["hi", "bye"]
    failed = errors.read_text(encoding="utf-8").splitlines()
    assert [row.split("\t")[0] for row in failed[1:]] == ["2", "3", "4", "6"]


def test_odd_messages_do_no_harm(small: Path) -> None:
    odd = ["five " * 1_000, "नमस्ते मैं राज", "five", "extension", "area code", "🎉" * 50]
    lines = "".join(json.dumps({"text": text}) + "\n" for text in odd)
    ran = run(small, "-", stdin=lines.encode())
    assert ran.code == 0 and len(rows(ran)) == len(odd)


def test_results_do_not_depend_on_workers(small: Path, tmp_path: Path) -> None:
    from glyphone.voicemail.generator.generate import generate

    path = tmp_path / "many.txt"
    path.write_text("".join(m.text + "\n" for m in generate(520, seed=8)), encoding="utf-8")
    one, two = (run(small, path, "--text", "--jobs", str(jobs)).out for jobs in (1, 2))
    assert one == two and one.count("\n") == 520


def test_an_error_within_is_that_of_its_message(model: VoicemailModel) -> None:
    class Failing(VoicemailModel):
        def find(self, messages: Any) -> Any:
            if any("boom" in one.words for one in messages):
                raise ValueError("boom")
            return super().find(messages)

    broken = Failing(model.callers, model.numbers)
    messages = [Transcript.of(text) for text in ("hi", "boom", "bye")]
    found = list(voicemail_files.find_each(broken, messages))
    assert [isinstance(one, ItemError) for one in found] == [False, True, False]


def test_lines_equal_rows(model: VoicemailModel) -> None:
    odd = 'this is "Pat" \\ \u2028 😀'
    texts = [PAT, "", odd, "oh sorry five five wait five oh one two three four"]
    messages = [Transcript.of(text) for text in texts]
    words = tuple(PAT.split())
    messages.append(Transcript(words, tuple((k / 3, k / 3 + 0.1) for k in range(len(words))), "é"))
    for message in messages:
        found = model(message)
        assert findings_json(found) == json.dumps(findings_row(found), ensure_ascii=False)


def test_several_hypotheses(model: VoicemailModel) -> None:
    other = PAT.replace("Pat", "Matt").replace("hi Sam", "hi uh Sam")
    sure = Transcript(tuple(PAT.split()), others=((tuple(other.split()), -9.0),))
    found = model(sure)
    assert found.name == "Pat Caller" and found.numbers[0].display == "908-555-1212"
    assert found.caller.name_probability <= 1 + 1e-9
    even = Transcript(tuple(PAT.split()), others=((tuple(other.split()), 0.0),))
    assert model(even).numbers[0].score == pytest.approx(found.numbers[0].score, abs=0.05)


def test_places_are_by_edit_distance() -> None:
    assert places_of(("a", "b"), ("a", "b")) == (0, 1)
    assert places_of(("a", "x", "c"), ("a", "c")) == (0, 1, 1)
    assert places_of(("a",), ()) == (0,) and places_of((), ("a",)) == ()
    chooser = random.Random(4)
    for _ in range(300):
        words, first = (tuple(chooser.choices("abc", k=chooser.randrange(7))) for _ in range(2))
        assert places_of(words, first) == places_by_table(words, first)


def places_by_table(words: Sequence[str], first: Sequence[str]) -> tuple[int, ...]:
    """A table of distances, traced from the end: a pair before a word left out before one more."""
    rows = [list(range(len(first) + 1))]
    for i, word in enumerate(words, 1):
        row = [i]
        for j, other in enumerate(first, 1):
            row.append(min(rows[-1][j - 1] + (word != other), rows[-1][j] + 1, row[j - 1] + 1))
        rows.append(row)
    found, i, j = [0] * len(words), len(words), len(first)
    while i:
        if j and rows[i][j] == rows[i - 1][j - 1] + (words[i - 1] != first[j - 1]):
            i, j = i - 1, j - 1
            found[i] = j
        elif j and rows[i][j] == rows[i][j - 1] + 1:
            j -= 1
        else:
            i -= 1
            found[i] = max(0, min(j, len(first) - 1))
    return tuple(found)


def test_ways_through_a_network_are_the_best() -> None:
    """Against all of them."""
    from itertools import product
    from math import prod

    slots = [[("a", 0.5), ("b", 0.3), ("", 0.2)], [("c", 0.9), ("d", 0.1)], [("", 0.7), ("e", 0.3)]]
    ways = sorted(product(*slots), key=lambda way: -prod(share for _, share in way))
    expected = [tuple(word for word, _ in way if word) for way in ways]
    found = best_paths(slots, 7)
    assert [one.words for one in found] == expected[:7]
    whole = sum(prod(share for _, share in way) for way in ways[:7])
    best = prod(share for _, share in ways[0])
    assert found[0].share == pytest.approx(best / whole)
    assert found[0].places == (0, 1)
    assert all(
        type(place) is int for one in found for place in one.places
    )  # true is no JSON number


def test_lines_of_several_hypotheses_are_json(model: VoicemailModel) -> None:
    slots = [[("hi", 0.9), ("high", 0.1)], *([(word, 1.0)] for word in PAT.split()[1:])]
    words = tuple(PAT.split())
    for message in (
        Transcript(words, slots=tuple(map(tuple, slots))),
        Transcript(words, others=((words[1:], -1.0),)),
    ):
        found = model(message)
        row = json.loads(findings_json(found))
        assert row["caller"]["span"] == [2, 6] and row == findings_row(found)


def test_shares_of_a_list() -> None:
    found = align_list((("a",), -1.0), [(("b",), -1.0), ((), -2.0)])
    assert sum(one.share for one in found) == pytest.approx(1) and found[0].share == found[1].share


def test_measures(model: VoicemailModel) -> None:
    from glyphone.voicemail.generator.generate import generate

    found = {one.name: one for one in measure_model(model, list(generate(100, seed=4)))}
    assert found["caller name"].f > 0.8 and found["telephone numbers"].f > 0.6
    assert tally_spans("name", [None], [None]).f == 0


def test_models_by_name(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from glyphone.catalog import names as catalog_names

    assert catalog_names.kind_of(small).name == "voicemail" != catalog_names.kind_of(tmp_path).name
    (tmp_path / "x.glyphone").write_bytes(b"PK\x03\x04 no zip")
    assert catalog_names.kind_of(tmp_path / "x.glyphone").name != "voicemail"
    with pytest.raises(FormatError):
        glyphone.voicemail.load(tmp_path / "x.glyphone")
    with pytest.raises(UnknownName, match="voicemail model"):
        glyphone.voicemail.load(tmp_path / "none.glyphone")
    monkeypatch.setattr(catalog_names, "model_of", lambda name: None)
    with pytest.raises(NotInstalled, match=r"glyphone models train eng\.voicemail"):
        glyphone.voicemail.load()


def test_the_default_model_is_found(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its name alone, for explanations, pictures and the doctor."""
    from glyphone.catalog import names as catalog_names
    from glyphone.installation import health

    monkeypatch.setattr(archives, "ARCHIVES", (tmp_path,))
    assert (
        command("explain", "eng.voicemail", PAT).err.count(
            "not trained yet (glyphone models train eng.voicemail: "
        )
        == 1
    )
    (tmp_path / "eng").mkdir()
    (tmp_path / "eng" / "voicemail.glyphone").write_bytes(small.read_bytes())
    assert catalog_names.kind_of("eng.voicemail").name == "voicemail"
    assert str(health.examine_model("eng.voicemail")).startswith("  ok       eng.voicemail in ")
    assert command("explain", small, PAT, "--invert").code == 2


def test_a_file_gives_the_same_model_back(model: VoicemailModel, tmp_path: Path) -> None:
    from glyphone.voicemail.model import save

    save(model, tmp_path / "again.glyphone")
    assert glyphone.voicemail.load(tmp_path / "again.glyphone")(PAT) == model(PAT)


def test_explain_and_draw(small: Path, tmp_path: Path) -> None:
    ran = command("explain", small, PAT, "um")
    assert ran.code == 0 and "name      " in ran.out and "908-555-1212" in ran.out
    assert "says who calls" in ran.out
    assert "the phrase starts before this: " in ran.out
    assert "the phrase ends before it: " in ran.out
    arcs = [line.split() for line in ran.out.splitlines() if line.startswith("  lattice ")]
    assert any(arc[4] == "money:" and arc[5:] == ["fifty", "dollars"] for arc in arcs)
    assert any(arc[4] == "908-555-1212:" for arc in arcs)
    assert all(int(arc[1]) < int(arc[2]) and 0 < float(arc[3]) <= 1.001 for arc in arcs)
    [*_, why] = [line for line in ran.out.splitlines() if line.startswith("  why ")]
    assert "908-555-1212: bias" in why and why.endswith(tuple("0123456789"))
    path = tmp_path / "x.svg"
    assert command("draw", small, "--item", PAT, "-o", path).code == 0
    svg = path.read_text(encoding="utf-8")
    assert "908-555-1212" in svg and 'viewBox="0 0 860 ' in svg.splitlines()[0]
    assert command("draw", small, "--item", PAT, "-o", tmp_path / "x.dot").code == 2
    path = tmp_path / "x.html"
    assert command("draw", small, "--item", PAT + " <b>", "-o", path).code == 0
    page = path.read_text(encoding="utf-8")
    root = ElementTree.fromstring(page[page.index("<body>") : page.index("</html>")])
    assert "".join(root.find("p").itertext()) == PAT + " <b>"  # type: ignore[union-attr]
    shown = [(one.get("class"), "".join(one.itertext())) for one in root.iter("mark")]
    assert ("name", "Pat Caller") in shown and ("caller", "this is Pat Caller") in shown
    assert [text for kind, text in shown if kind == "number"] == [PAT[PAT.index("nine") :]]
    assert command("draw", "eng.phone_numbers", "--item", "five", "--kind", "html").code == 2


def test_train(tmp_path: Path, small: Path) -> None:
    gold, dev, path = (tmp_path / name for name in ("gold.jsonl", "dev.jsonl", "m.glyphone"))
    for file, n in ((gold, 40), (dev, 20)):
        command("voicemail", "generate", "-n", str(n), "-o", file)
    ran = command("train", gold, "--kind", "voicemail", "--dev", dev, "-o", path)
    assert ran.code == 0 and "features of numbers" in ran.out and "caller phrase" in ran.out
    assert storage_container.kind_of(path) == "voicemail"
    training = ("train", gold, "--kind", "voicemail", "-o", path)
    ran = command(*training, "--callers", "crf")
    assert ran.code == 0 and "callers" in ran.out
    assert glyphone.voicemail.load(path).callers.written.options.form == "crf"
    ran = command(*training, "--callers", "bio")
    assert ran.code == 2 and "cuts" in ran.err
    ran = command(*training, "--order", "3")
    assert ran.code == 2 and "order" in ran.err
    (tmp_path / "empty").touch()
    assert command("train", tmp_path / "empty", "--kind", "voicemail", "-o", path).code == 2


@pytest.mark.parametrize("form", ["jsonl", "tsv"])
def test_a_run_stopped_anywhere_and_resumed(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr(voicemail_files, "BLOCK", 3)
    path = tmp_path / "in.jsonl"
    path.write_text(SAMPLES.read_text(encoding="utf-8") + "{\n", encoding="utf-8")
    words = ("voicemail", path, "--model", small, "--format", form, "--jobs", "1")
    assert same_however_often_stopped(*words, output=tmp_path / "out") == 3


def test_rows_of_parquet(small: Path, tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    pa = pytest.importorskip("pyarrow")
    source, output = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"said": [PAT, None, ""], "id": [3, 4, 5]}), source)
    ran = run(small, source, "--text", "--column", "said", "-o", output)
    assert ran.code == 1 and "1 of 3 items failed" in ran.err
    first, second, third = pq.read_table(output).to_pylist()
    assert (first["id"], first["caller"], first["numbers"]) == (3, "Pat Caller", ["908-555-1212"])
    assert 0 < first["probability"] < 1
    assert "is null" in second["error"] and second["numbers"] is None
    assert (third["caller"], third["numbers"], third["probability"]) == ("", [], None)
    ran = run(small, source, "--text", "-o", output)
    assert (ran.code, "name one with --column: said, id" in ran.err) == (2, True)
    ran = run(small, SAMPLES, "--column", "said")
    assert (ran.code, "is no column of text" in ran.err) == (2, True)
