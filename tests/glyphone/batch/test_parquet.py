"""Batches over Parquet: rows with their answers, odd columns, and files that are no good."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from glyphone.batch import parquet
from glyphone.batch import run as batch_run
from glyphone.batch.job import Job
from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.fst.transducers.model import TransducerModel
from glyphone.io.formats import result_format
from tests.glyphone.batch.support import WORDS
from tests.glyphone.support import Ran, glyphone

pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ADDED = ["output", "posterior", "error", "truncated"]


def names(n: int) -> Any:
    chooser = random.Random(n)
    return pa.table(
        {
            "id": list(range(n)),
            "name": [chooser.choice([*WORDS[:-3], "n\u0303a", "a\0", None]) for _ in range(n)],
            "kind": pa.array([chooser.choice("ab") for _ in range(n)]).dictionary_encode(),
        }
    )


def job_in(folder: Path, table: Any, group: int = 5, **options: Any) -> Job:
    source = folder / "in.parquet"
    pq.write_table(table, source, row_group_size=group)
    job = {"format": "parquet", "column": "name", "output": str(folder / "out.parquet"), **options}
    return Job(source=str(source), **job)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS", 7)


def found(job: Job) -> Any:
    return pq.read_table(job.output)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("group", [1, 3, 7, 8, 100])
def test_the_same_rows_with_their_answers(
    plain: TransducerModel, tmp_path: Path, group: int
) -> None:
    table = names(40)
    job = job_in(tmp_path, table, group)
    failed = batch_run.run_job(plain, job)
    result = found(job)
    assert result.column_names == [*table.column_names, *ADDED]
    assert result.select(table.column_names).equals(table)
    for row in result.to_pylist():
        word = row["name"]
        if word is None or "z" in word or "\t" in word or "\0" in word:
            assert row["error"] and row["output"] is row["posterior"] is None
        else:
            assert (row["output"], row["posterior"], row["error"]) == (plain(word).output, 1, None)
        assert row["truncated"] is False
    errors = [row["id"] + 1 for row in result.to_pylist() if row["error"]]
    lines = Path(job.errors_path).read_text(encoding="utf-8").splitlines()
    assert [int(line.split("\t")[0]) for line in lines[1:]] == errors
    assert failed == len(errors) > 0
    metadata = pq.ParquetFile(job.output).metadata
    groups = [metadata.row_group(k).num_rows for k in range(metadata.num_row_groups)]
    assert groups == [7, 7, 7, 7, 7, 5]
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["in.parquet", "out.parquet", "out.parquet.errors.tsv"]


@pytest.mark.usefixtures("small_parts")
def test_the_number_of_threads_changes_nothing(plain: TransducerModel, tmp_path: Path) -> None:
    job = job_in(tmp_path, names(100))
    seen = set()
    for jobs in (1, 4):
        batch_run.run_job(plain, job, jobs=jobs)
        seen.add(Path(job.output).read_bytes())
    assert len(seen) == 1


def test_errors_say_what_and_why(plain: TransducerModel, tmp_path: Path) -> None:
    job = job_in(tmp_path, pa.table({"name": ["cha", None, "zz"]}))
    assert batch_run.run_job(plain, job) == 2
    _, null, unknown = found(job).column("error").to_pylist()
    assert null == "there is nothing: the item is null (fill it in)"
    assert unknown.startswith("item 'zz': PLAIN: at 0: 'z' U+007A")


@pytest.mark.parametrize("kind", ["string", "large_string", "dictionary", "string_view"])
def test_kinds_of_text(plain: TransducerModel, tmp_path: Path, kind: str) -> None:
    types = {
        "string": pa.string(),
        "large_string": pa.large_string(),
        "dictionary": pa.dictionary(pa.int32(), pa.string()),
        "string_view": pa.string_view(),
    }
    table = pa.table({"name": pa.array(["cha", "ab", "cha", None], types[kind])})
    job = job_in(tmp_path, table, 2)
    assert batch_run.run_job(plain, job) == 1
    assert found(job).column("output").to_pylist() == ["tʃ a", "a b", "tʃ a", None]
    assert found(job).column("name").type == table.column("name").type


def test_bytes_that_are_no_text_fail_and_are_kept(plain: TransducerModel, tmp_path: Path) -> None:
    words = pa.array([b"ch\xff", b"cha"], pa.binary())
    broken = pa.Array.from_buffers(pa.string(), 2, words.buffers())
    job = job_in(tmp_path, pa.table({"name": broken}))
    assert batch_run.run_job(plain, job) == 1
    result = found(job)
    assert result.column("output").to_pylist() == [None, "tʃ a"]
    assert "stray byte 0xFF" in result.column("error")[0].as_py()
    assert result.column("name").cast(pa.binary()).to_pylist() == [b"ch\xff", b"cha"]


def test_a_file_without_rows(plain: TransducerModel, tmp_path: Path) -> None:
    job = job_in(tmp_path, names(0))
    assert batch_run.run_job(plain, job) == 0
    assert found(job).num_rows == 0
    assert found(job).column_names == ["id", "name", "kind", *ADDED]


def test_sources_and_unknown_symbols_have_columns(plain: TransducerModel, tmp_path: Path) -> None:
    lexicon = tmp_path / "lex.tsv"
    lexicon.write_text("zz\tk\tlist 7\n", encoding="utf-8")
    table = pa.table({"name": ["zz", "cha", "ßa ß"]})
    options = {"lexicon": str(lexicon), "provenance_column": 3, "unknown": "skip"}
    job = job_in(tmp_path, table, **options)
    assert batch_run.run_job(plain, job) == 0
    result = found(job)
    assert result.column_names == ["name", *ADDED, "source", "unknown"]
    assert result.column("source").to_pylist() == ["lexicon: list 7", "model", "model"]
    assert result.column("unknown").to_pylist() == [None, None, "ß"]


def test_forms_by_the_names_of_files() -> None:
    assert (
        result_format(None, "a.PARQUET", "b") == result_format(None, "a", "b.parquet") == "parquet"
    )
    assert result_format(None, "parquet", "-") == "tsv"
    assert result_format(None, "a.tsv", "b.jsonl.gz") == "jsonl"
    assert result_format(None, "a.jsonl", "b.tsv", "jsonl") == "tsv"
    assert result_format("parquet", "a", "b") == "parquet"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"column": None}, r"which column .*--column: id, name, kind\)"),
        ({"column": "nane"}, r"no column named 'nane' .*--column: id, name, kind"),
        ({"column": "id"}, "column 'id' holds int64, not text"),
        ({"output": "-"}, "-: Parquet is written to a file"),
        ({"output": "/dev/null"}, "Parquet is written to a file"),
        ({"n": 2}, "room for one answer"),
        ({"format": "tsv"}, "Parquet is not read or written as tsv"),
        ({"output": "none/out.parquet"}, "none/out.parquet"),
    ],
)
def test_what_cannot_be_done(
    plain: TransducerModel,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: dict[str, Any],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    job = job_in(tmp_path, names(9), **options)
    with pytest.raises(GlyphoneError, match=message):
        batch_run.run_job(plain, job)
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_columns_that_are_in_the_way(plain: TransducerModel, tmp_path: Path) -> None:
    table = pa.table({"name": ["cha"], "output": ["x"]})
    with pytest.raises(FormatError, match=r"has a column 'output' already \(rename it"):
        batch_run.run_job(plain, job_in(tmp_path, table))
    twice = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["name", "name"])
    with pytest.raises(FormatError, match="several columns are called 'name'"):
        batch_run.run_job(plain, job_in(tmp_path, twice))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is no file of Parquet .*text is read"),
        (b"cha\n", "is no file of Parquet"),
        (b"PAR1" * 10, "check the file"),
    ],
)
def test_what_is_no_parquet(
    plain: TransducerModel, tmp_path: Path, content: bytes, message: str
) -> None:
    job = job_in(tmp_path, names(9))
    Path(job.source).write_bytes(content)
    with pytest.raises(FormatError, match=rf"in\.parquet: .*{message}"):
        batch_run.run_job(plain, job)


def test_a_damaged_row_group_is_told(plain: TransducerModel, tmp_path: Path) -> None:
    job = job_in(tmp_path, names(5000))
    path = Path(job.source)
    content = bytearray(path.read_bytes())
    content[len(content) // 4 : len(content) // 2] = bytes(len(content) // 4 + 1)
    path.write_bytes(bytes(content))
    with pytest.raises(FormatError, match=r"in\.parquet: "):
        batch_run.run_job(plain, job)


def run(toy: Path, *words: str | Path) -> Ran:
    return glyphone("apply", f"{toy}:PLAIN", *words)


def test_the_command_line(toy: Path, tmp_path: Path) -> None:
    job = job_in(tmp_path, pa.table({"name": ["cha", "zz"]}))
    ran = run(toy, job.source, "-o", job.output, "--column", "name")
    assert (ran.code, ran.out) == (1, "")
    assert f"1 of 2 items failed; see {job.errors_path}" in ran.err
    assert found(job).column("output").to_pylist() == ["tʃ a", None]
    plain_name = tmp_path / "names"
    Path(job.source).rename(plain_name)
    words = (plain_name, "-o", tmp_path / "out", "--format", "parquet", "--column", "name")
    assert run(toy, *words).code == 1
    assert (tmp_path / "out").read_bytes() == Path(job.output).read_bytes()


def test_without_pyarrow_it_is_said_what_to_install(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = job_in(tmp_path, names(3))
    for module in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    ran = run(toy, job.source, "-o", job.output, "--column", "name")
    assert ran.code == 2
    assert "needs the package pyarrow, which is not installed" in ran.err
    assert '(pip install "glyphone[parquet]")' in ran.err


def test_text_does_not_import_pyarrow(toy: Path, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_text("cha\n")
    code = (
        "import sys; from glyphone.cli import main; "
        f"main(['apply', {f'{toy}:PLAIN'!r}, {str(source)!r}]); "
        "print('pyarrow' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert ran.stdout == "cha\ttʃ a\t1\nFalse\n"
