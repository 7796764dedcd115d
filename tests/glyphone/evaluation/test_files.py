"""`glyphone evaluate` over a toy grammar: test files, reports, failures and mistakes."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from glyphone.evaluation.evaluate import Evaluation, evaluate
from tests.glyphone.evaluation.support import check_schema
from tests.glyphone.support import Ran, glyphone


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    return tmp_path / "test.tsv"


def run(toy: Path, lexicon: Path, text: str, *words: str | Path, rule: str = "PLAIN") -> Ran:
    lexicon.write_text(text, encoding="utf-8", newline="")
    return glyphone("evaluate", f"{toy}:{rule}", lexicon, *words)


def whole(ran: Ran) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ran.out)
    bounds = dict(found["intervals"])
    check_schema(found | {"intervals": bounds})
    return found


GOOD = "cha\ttʃ a\nÑa\tɲ a\nca\ts a\nca\tk a\nb\tp\n"


def test_json_is_one_object(toy: Path, lexicon: Path) -> None:
    ran = run(toy, lexicon, GOOD, "--json", "--seed", "7")
    assert (ran.code, ran.out.count("\n")) == (0, 1)
    found = whole(ran)
    assert (found["items"], found["failed"], found["seed"], found["nbest"]) == (4, 0, 7, 10)
    assert (found["wer"], found["accuracy"]) == (0.25, 0.75)
    assert found["per"] == pytest.approx(1 / 7)
    assert found["model"] == f"{toy}:PLAIN"
    assert found["reliability"] == [
        {"low": 0.9, "high": 1.0, "count": 4, "posterior": 1.0, "accuracy": 0.75}
    ]
    assert ran.err.splitlines() == [
        f"glyphone: {lexicon}: {toy}:PLAIN cannot write {symbol}, which references hold (1 times)"
        for symbol in ("'p' U+0070", "'s' U+0073")
    ]


def test_report(toy: Path, lexicon: Path) -> None:
    ran = run(toy, lexicon, GOOD, "--errors", "2")
    assert ran.code == 0
    assert ran.out.startswith(f"{toy}:PLAIN: 4 words, 5 references, 0 failed; 10 best answers")
    for part in (
        "word error rate        25.00 %    0.00 % to 75.00 %",
        "95 % interval",
        "0.9 to 1.0      4  100.00 %  75.00 %",
        "    1  p          b",
        "    1   100.00 %  b     p                  b\n",
    ):
        assert part in ran.out, ran.out


def test_ranked_answers(toy: Path, lexicon: Path) -> None:
    text = "b\tc\nab\ta b\nbb\tc c\n"
    found = whole(run(toy, lexicon, text, "--json", rule="MANY"))
    # c is the second of b and c; c c the last of bb, bc, cb, cc.
    assert found["mrr"] == pytest.approx((1 / 2 + 1 + 1 / 4) / 3)
    assert found["top_n"]["2"] == pytest.approx(2 / 3)
    # Bins: 0.75 of b and ab, of which one is right, and 0.5625 of bb.
    assert found["calibration_error"] == pytest.approx((1.5 - 1 + 0.5625) / 3)
    short = whole(run(toy, lexicon, text, "--json", "--nbest", "1", rule="MANY"))
    assert short["mrr"] == pytest.approx(1 / 3)
    assert {k: short[k] for k in ("per", "calibration_error")} == {
        k: found[k] for k in ("per", "calibration_error")
    }


def test_jobs_change_nothing(toy: Path, lexicon: Path) -> None:
    text = "".join(f"{'ab' * (k % 9)}b{'c' * (k % 5)}\ta b\n" for k in range(90))
    seen = {run(toy, lexicon, text, "--json", "--jobs", str(k), rule="MANY").out for k in (1, 4)}
    assert len(seen) == 1


def test_failed_items_count_as_wrong(toy: Path, lexicon: Path, tmp_path: Path) -> None:
    text = "cha\ttʃ a\n\nzz\tz z\nca\tk a\nzz\tz\n"
    ran = run(toy, lexicon, text, "--json")
    assert ran.code == 1
    found = whole(ran)
    assert (found["items"], found["failed"], found["wer"]) == (3, 1, pytest.approx(1 / 3))
    assert found["per"] == pytest.approx(1 / 5)
    assert f"{lexicon}: line 3: item 'zz': PLAIN: at 0: 'z' U+007A" in ran.err
    assert "1 items failed" in ran.err

    side = tmp_path / "bad.tsv.gz"
    again = run(toy, lexicon, text, "--json", "--failures", side)
    assert (again.code, again.out) == (1, ran.out)
    assert f"1 of 3 items failed; see {side}" in again.err
    header, row = gzip.decompress(side.read_bytes()).decode().splitlines()
    assert header.split("\t")[:2] == ["line", "item"]
    assert row.split("\t")[:6] == ["3", "zz", "PLAIN", "0", "z", "U+007A"]


def test_only_some_failures_are_shown(toy: Path, lexicon: Path) -> None:
    ran = run(toy, lexicon, "".join(f"z{'a' * k}\ta\n" for k in range(30)))
    assert ran.code == 1
    assert ran.err.count("not in the alphabet") == 10
    assert "30 items failed, of which 10 are shown" in ran.err


def test_lines_that_are_no_entries(toy: Path, lexicon: Path) -> None:
    lexicon.write_bytes(b"cha\tt\xca\x83 a\nca\nb\t \n\tb\nni\xf1a\tb\nca\tk a\textra\n")
    ran = glyphone("evaluate", f"{toy}:PLAIN", lexicon, "--json")
    assert ran.code == 1
    found = whole(ran)
    assert (found["items"], found["failed"], found["wer"]) == (2, 0, 0.0)
    for line, message in (
        (2, "column 2 is missing: 1 column found (separate columns by TAB, or name"),
        (3, "column 2 is empty"),
        (4, "column 1 is empty"),
        (5, "stray byte 0xF1"),
    ):
        [told] = [row for row in ran.err.splitlines() if f"{lexicon}: line {line}: " in row]
        assert message in told
    assert "4 lines were refused" in ran.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no entries .*WORD<TAB>PRONUNCIATION"),
        ("\ufeff", "holds no entries"),
        ("\n\r\n", "holds no entries"),
        ("cha\nca\n", r"line 1: .*column 2 is missing.*none of 2 lines can be used"),
    ],
)
def test_a_file_without_entries(toy: Path, lexicon: Path, text: str, message: str) -> None:
    ran = run(toy, lexicon, text, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert re.search(message, ran.err)
    assert str(lexicon) in ran.err


def test_repeated_rows_count_once(toy: Path, lexicon: Path) -> None:
    ran = run(toy, lexicon, "ca\tk a\n\nb\tp\nca\tk  a\nca\tk a\r\n", "--json")
    assert (ran.code, whole(ran)["references"], whole(ran)["repeated"]) == (0, 2, 2)
    assert f"{lexicon}: line 4: repeats line 1; 2 such lines count once" in ran.err


def test_columns_units_and_compression(toy: Path, tmp_path: Path) -> None:
    path = tmp_path / "test.tsv.gz"
    path.write_bytes(gzip.compress("1\tɲab\tn\u0303 a b\n2\tka\tc a\n".encode()))
    options = ["--source-column", "3", "--target-column", "2"]
    units = ["--source-unit", "token", "--target-unit", "codepoint"]
    ran = glyphone("evaluate", f"{toy}:PLAIN", path, "--json", *options, *units)
    assert (ran.code, whole(ran)["wer"]) == (0, 0.0), ran.err


def test_standard_input(toy: Path) -> None:
    ran = glyphone("evaluate", f"{toy}:PLAIN", "-", "--json", stdin=GOOD.encode())
    assert (ran.code, whole(ran)["items"]) == (0, 4)


@pytest.mark.parametrize(
    "words",
    [
        ["--nbest", "0"],
        ["--source-column", "0"],
        ["--source-unit", "word"],
        ["--errors", "-1"],
        ["--seed", "x"],
        ["--failures", "-"],
    ],
)
def test_usage(toy: Path, lexicon: Path, words: list[str]) -> None:
    ran = run(toy, lexicon, GOOD, *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_the_test_file_is_never_written_over(toy: Path, lexicon: Path) -> None:
    assert run(toy, lexicon, GOOD, "--failures", lexicon).code == 2
    assert lexicon.read_text(encoding="utf-8") == GOOD


def test_a_missing_file(toy: Path, tmp_path: Path) -> None:
    ran = glyphone("evaluate", f"{toy}:PLAIN", tmp_path / "none.tsv")
    assert (ran.code, ran.out) == (2, "")
    assert "none.tsv" in ran.err


def test_the_record_is_the_same_from_python(toy: Path, lexicon: Path) -> None:
    from glyphone.catalog import names as catalog_names
    from glyphone.data.lexicons.tsv import read_lexicon

    found = whole(run(toy, lexicon, GOOD, "--json"))
    name = f"{toy}:PLAIN"
    evaluation = evaluate(catalog_names.load(name), read_lexicon(lexicon), name=name)
    assert isinstance(evaluation, Evaluation)
    assert json.loads(json.dumps(evaluation.as_dict())) == found


def test_wrong_items_go_to_a_file(toy: Path, lexicon: Path, tmp_path: Path) -> None:
    side = tmp_path / "wrong.tsv"
    ran = run(toy, lexicon, f"zz\tz\n{GOOD}", "--wrong", side)
    assert ran.code == 1
    # What failed has no answer to be wrong.
    assert side.read_text(encoding="utf-8") == "line\titem\ttask\tgold\tgiven\n6\tb\tword\tp\tb\n"


@pytest.mark.parametrize("option", ["--wrong", "--failures"])
def test_files_aside_are_files_of_their_own(toy: Path, lexicon: Path, option: str) -> None:
    ran = run(toy, lexicon, GOOD, option, "-")
    assert ran.code == 2 and "items need a file of their own" in ran.err
    ran = run(toy, lexicon, GOOD, option, lexicon)
    assert ran.code == 2 and lexicon.read_text(encoding="utf-8") == GOOD


def test_options_of_other_kinds_of_models(toy: Path, lexicon: Path) -> None:
    ran = run(toy, lexicon, GOOD, "--scheme", "bio")
    assert ran.code == 2
    assert "--scheme does not go with models of kind transducer (leave it out; it is" in ran.err
