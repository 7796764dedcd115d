"""The command line as people use it: what it prints, where, and with which exit code."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from glyphone import cli
from tests.glyphone.support import GOOD_AND_BAD, GOOD_AND_BAD_ROWS, command, glyphone, process


@pytest.fixture
def here(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with the toy archive and some wrong files."""
    monkeypatch.chdir(tmp_path)
    content = toy.read_bytes()
    Path("toy.far").write_bytes(content)
    Path("empty.far").touch()
    Path("cut.far").write_bytes(content[:300])
    Path("short.far").write_bytes(content[:-5])
    Path("text.far").write_text("not an archive\n")
    Path("grammar.py").write_text("X = 1\n")
    Path("folder").mkdir()
    Path("words").write_text(GOOD_AND_BAD, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("verb", cli.VERBS)
def test_every_verb_has_help(verb: str) -> None:
    ran = glyphone(verb, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: glyphone {verb} ")


def test_no_verb() -> None:
    ran = glyphone()
    assert (ran.code, ran.err) == (0, "")
    for verb in cli.VERBS:
        assert f"\n  {verb} " in ran.out
    assert glyphone("--version").out.startswith("glyphone ")
    assert glyphone("--what").code == 2


def test_rows_go_to_stdout_and_failures_to_stderr(here: Path) -> None:
    for words in (["words"], [], ["-"]):
        ran = glyphone("apply", "toy.far:PLAIN", *words, stdin=GOOD_AND_BAD.encode())
        assert (ran.code, ran.out) == (1, GOOD_AND_BAD_ROWS)
        assert ran.err.endswith("3 of 9 items failed\n")
        assert "4\tzz\tPLAIN\t0\tz\tU+007A\t(LATIN SMALL LETTER Z) is not in" in ran.err
        assert "\x00" not in ran.err


def test_without_failures(here: Path) -> None:
    ran = glyphone("apply", "toy.far:PLAIN", stdin="cha\nñ\n".encode())
    assert (ran.code, ran.out, ran.err) == (0, "cha\ttʃ a\t1\nñ\tɲ\t1\n", "")


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_files_in_and_out(here: Path, ending: str) -> None:
    opened = gzip.open if ending else open
    with opened(f"in{ending}", "wt", encoding="utf-8") as file:
        file.write(GOOD_AND_BAD)
    out, bad = f"out{ending}", f"bad{ending}"
    ran = glyphone("apply", "toy.far:PLAIN", f"in{ending}", "-o", out, "--errors", bad)
    assert (ran.code, ran.out, ran.err) == (1, "", f"3 of 9 items failed; see {bad}\n")
    with opened(out, "rt", encoding="utf-8") as file:
        assert file.read() == GOOD_AND_BAD_ROWS
    with opened(bad, "rt", encoding="utf-8") as file:
        assert len(file.readlines()) == 4
    again = glyphone("apply", "toy.far:PLAIN", f"in{ending}", "-o", out)
    assert again.err == f"3 of 9 items failed; see {out}.errors.tsv\n"
    assert not Path(f"{out}.journal").exists()


def test_hypotheses_in_rank_order(here: Path) -> None:
    ran = glyphone("apply", "toy.far:MANY", "--nbest", "3", stdin=b"bb\na\n")
    assert ran.out == "bb\tb b\t0.5625\nbb\tb c\t0.1875\nbb\tc b\t0.1875\na\ta\t1\n"
    ran = glyphone("apply", "toy.far:MANY", "--nbest", "2", "--format", "jsonl", stdin=b"ab\nq\n")
    assert ran.code == 1
    (row,) = map(json.loads, ran.out.splitlines())
    assert row["input"] == "ab"
    assert [found["output"] for found in row["hypotheses"]] == ["a b", "a c"]
    assert row["hypotheses"][0]["spans"] == [[0, 1], [1, 2]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("apply", "the following arguments are required"),
        ("apply toy.far:PLAIN words --nbest 0", "0 is not a whole number from 1 to 100000"),
        ("apply toy.far:PLAIN words --nbest x", "x is not a whole number"),
        ("apply toy.far:PLAIN words --nbest 99999999999999999999", "is not a whole number"),
        ("apply toy.far:PLAIN words --jobs -1", "-1 is not a whole number"),
        ("apply toy.far:PLAIN words --format xml", "invalid choice: 'xml'"),
        ("apply toy.far:PLAIN words --what", "unrecognized arguments: --what"),
        ("apply toy.far:PLAIN words --resume", "--resume needs a file to go on with"),
        ("apply toy.far:PLAIN words -o words", "must be different files"),
        ("apply toy.far:PLAIN words -o out --errors out", "must be different files"),
        ("apply toy.far:PLAIN words -o folder", "folder: "),
        ("apply toy.far:PLAIN words -o nowhere/out", "nowhere/out.journal: cannot be written"),
        ("apply toy.far:PLAIN words --errors nowhere/bad", "nowhere/bad: No such file"),
        ("apply toy.far:PLAIN wrods", "wrods: No such file or directory"),
        ("apply toy.far:PLAIN folder", "folder: Is a directory"),
        ("apply toy.far words", "holds 3 rules, and none is named"),
        ("apply toy.far:PLANE words", "no rule named 'PLANE' (did you mean PLAIN?)"),
        ("apply toi.far:PLAIN words", "named 'toi.far' (did you mean toy.far"),
        ("apply spa.leter_to_sound:CASTILIAN words", "did you mean spa.letter_to_sound"),
        ("apply folder:PLAIN words", "folder: is a folder, not an archive"),
        ("apply empty.far:PLAIN words", "empty.far: at 0: ends inside the magic number"),
        ("apply cut.far:PLAIN words", "cut.far: at "),
        ("apply short.far:PLAIN words", "short.far: at "),
        ("apply text.far:PLAIN words", "text.far: at 0: is not an FST archive"),
        ("apply words:PLAIN words", "words: at 0: is not an FST archive"),
        ("apply grammar.py:X words", "glyphone compile grammar.py -o grammar.far"),
        ("apply :PLAIN words", "names no archive"),
        ("aply toy.far", "no verb named 'aply' (did you mean apply"),
        ("explain toy.far:PLAIN", "the following arguments are required: ITEM"),
        ("explain toy.far:PLAIN cha --nbest 0", "0 is not a whole number"),
        ("compile grammar.py", "the following arguments are required: -o/--output"),
        ("compile grammar.py -o x.far", "grammar.py: defines no rules"),
        ("compile spa.leter_to_sound -o x.far", "did you mean spa.letter_to_sound"),
        ("compile folder -o x.far", "no grammar named 'folder'"),
        ("check nowhere.py", "no file named 'nowhere.py'"),
        ("samples nowhere", "nowhere: No such file"),
    ],
)
def test_mistakes_end_with_2_one_sentence_and_no_output(
    here: Path, words: str, message: str
) -> None:
    ran = glyphone(*words.split())
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
    last = ran.err.splitlines()[-1]
    assert last.startswith("glyphone")
    assert Path("words").read_text(encoding="utf-8") == GOOD_AND_BAD


def test_debug_shows_the_traceback(here: Path) -> None:
    for words in (["--debug", "apply", "nix"], ["apply", "nix", "--debug"]):
        with pytest.raises(Exception, match="named 'nix'"):
            cli.main(words)


def test_archives_of_other_arc_types_and_single_transducers(here: Path) -> None:
    pynini = pytest.importorskip("pynini")
    plain = pynini.cross("ñ", "nj").optimize()
    plain.write("one.fst")
    ran = glyphone("apply", "one.fst", stdin="ñ\nn\n".encode())
    assert (ran.code, ran.out) == (1, "ñ\tnj\t1\n")
    pynini.arcmap(plain, map_type="to_log").write("log.fst")
    with pynini.Far("log64.far", "w", arc_type="log64") as far:
        far["X"] = pynini.arcmap(plain, map_type="to_log64")
    for name, kind in (("log.fst", "log"), ("log64.far", "log64")):
        ran = glyphone("apply", name, stdin=b"a\n")
        assert ran.code == 2
        assert f"has arc type '{kind}', expected 'standard'" in ran.err


def test_archives_of_plain_pynini(here: Path) -> None:
    pynini = pytest.importorskip("pynini")
    with pynini.Far("bytes.far", "w") as far:
        sigma = pynini.closure(pynini.union(*"abchñʃ"))
        far["R"] = pynini.cdrewrite(pynini.cross("ñ", "ʃʃ"), "", "", sigma)
    ran = glyphone("apply", "bytes.far", "--format", "jsonl", stdin="añ\nz\n".encode())
    assert json.loads(ran.out)["hypotheses"][0]["output"] == "aʃʃ"
    assert ran.code == 1
    assert glyphone("explain", "bytes.far:R", "añ").out.startswith("añ → aʃʃ\n")
    assert glyphone("explain", "bytes.far:R", "--invert", "aʃʃ").out.startswith("aʃʃ → a")


def test_explanations_of_good_and_bad_words(here: Path) -> None:
    ran = glyphone("explain", "toy.far:PLAIN", "cha", "zz", "h")
    assert ran.code == 1
    assert ran.out == (
        "cha → tʃ a\n  c h a\n  tʃ a     1: c h -> tʃ  at 0-2  ; a digraph\n"
        "h → \n  h\n       3: h -> ∅  at 0  ; silent\n"
    )
    assert ran.err.startswith("glyphone: item 'zz': PLAIN: at 0: 'z' U+007A")


def test_compiling_says_what_was_made(here: Path, toy: Path) -> None:
    source = toy.with_name("toy_rules.py")
    ran = glyphone("compile", source, "-o", "new/toy.far", "--dependencies", "toy.d")
    assert (ran.code, ran.out, ran.err) == (0, "", "new/toy.far: PLAIN MANY PARTIAL\n")
    assert Path("new/toy.far").read_bytes() == Path("toy.far").read_bytes()
    assert Path("toy.d").read_text().startswith("new/toy.far: ")


def test_the_doctor_needs_no_arguments() -> None:
    ran = glyphone("doctor")
    assert (ran.code, ran.err) == (0, "")
    assert "packages\n" in ran.out and "spa.letter_to_sound" in ran.out
    assert len(ran.out.splitlines()) <= 50
    assert "spa.letter_to_sound (CASTILIAN, " in glyphone("doctor", "--all").out


def test_a_process_of_its_own(here: Path) -> None:
    ran = process("apply", "toy.far:PLAIN", "words")
    assert (ran.returncode, ran.stdout) == (1, GOOD_AND_BAD_ROWS)


def test_output_is_utf_8_in_every_locale(here: Path) -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    ran = process("explain", "toy.far:PLAIN", "ch", env=ascii_only)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("ch → tʃ\n")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise there")
def test_a_reader_that_goes_away_ends_the_run_quietly(here: Path) -> None:
    Path("many").write_text("cha\n" * 100_000)
    run = subprocess.Popen(
        command("apply", "toy.far:PLAIN", "many"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert run.stdout is not None and run.stderr is not None
    with run.stdout, run.stderr:
        assert run.stdout.readline() == "cha\ttʃ a\t1\n".encode()
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.wait() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("redirection", "code"), [(">&-", 1), ("<&-", 0), ("2>&-", 1), ("<&- >&- 2>&-", 0)]
)
def test_closed_streams(here: Path, redirection: str, code: int) -> None:
    words = [*command("apply", "toy.far:PLAIN")]
    words += [] if "<" in redirection else ["words"]
    script = f'exec "$@" {redirection}'
    ran = subprocess.run(["sh", "-c", script, "sh", *words], capture_output=True, check=False)
    assert (ran.returncode, b"Traceback" in ran.stderr) == (code, False)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_told(here: Path) -> None:
    for words in (["-o", "/dev/full"], ["--errors", "/dev/full"]):
        ran = process("apply", "toy.far:PLAIN", "words", *words)
        assert ran.returncode == 2
        last = ran.stderr.splitlines()[-1]
        assert last.startswith("glyphone: /dev/full: No space left on device")
        assert not Path("/dev/full.journal").exists()
    for verb in ("apply toy.far:PLAIN words", "explain toy.far:PLAIN cha", "doctor"):
        with open("/dev/full", "w") as full:
            told = subprocess.run(
                command(*verb.split()), stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        assert told.returncode == 2
        assert "No space left on device" in told.stderr.splitlines()[-1]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise there")
@pytest.mark.parametrize("words", ["doctor", "--help", "apply --help", "explain toy.far:PLAIN cha"])
def test_nobody_reads_what_a_verb_prints(here: Path, words: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as closed:
        ran = subprocess.run(
            command(*words.split()), stdout=closed, stderr=subprocess.PIPE, check=False
        )
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.parametrize("subverb", ["best", "compare", "sample", "transfer"])
def test_every_subverb_of_treebanks_has_help(subverb: str) -> None:
    ran = glyphone("treebank", subverb, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: glyphone treebank {subverb} ")
