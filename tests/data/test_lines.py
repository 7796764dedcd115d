"""Blocks of lines from every kind of file, and output that can be cut back and continued."""

from __future__ import annotations

import gzip
import io
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glyphone.data import lines as lines_module
from glyphone.data.errors import FormatError, ItemError
from glyphone.data.lines import LineBlock, first_column, open_text_output, read_blocks, read_lines


def read(path: Path | str) -> list[str]:
    return [line for _, line in read_lines(path)]


@contextmanager
def file_of(data: bytes, name: str = "input") -> Iterator[Path]:
    """A file for one Hypothesis example; a fixture would be shared by all of them."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, name)
        path.write_bytes(data)
        yield path


class Standard(io.TextIOWrapper):
    """A stream in the place of stdin or stdout, over bytes that the test can see."""

    def __init__(self, data: bytes = b"") -> None:
        self.bytes = io.BytesIO(data)
        super().__init__(self.bytes, encoding="latin-1", newline="\r\n")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a\n\nb\n", ["a", "", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\r\nb\r", ["a\r", "b"]),
        (b"a\rb\n", ["a\rb"]),
        (b"\xef\xbb\xbfa\r\n\xef\xbb\xbfb", ["a", "\ufeffb"]),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbf\n", [""]),
        ("a\u2028b\x85c\x0bd\x0ce\x1cf\u2029g\n".encode(), ["a\u2028b\x85c\x0bd\x0ce\x1cf\u2029g"]),
        (b"ni\xf1o\nok\xe2\x82\nni\xc3\xb1o\n", ["ni\udcf1o", "ok\udce2\udc82", "niño"]),
        (b"\xed\xa0\x80\n", ["\udced\udca0\udc80"]),
        (b"a\0b\n", ["a\0b"]),
        ("שלום\n👩\u200d🚀\n".encode(), ["שלום", "👩\u200d🚀"]),
        (b"x" * (1 << 20) + b"\nshort", ["x" * (1 << 20), "short"]),
    ],
)
def test_lines(
    data: bytes, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, packed, disguised = tmp_path / "plain", tmp_path / "packed.gz", tmp_path / "packed.tsv"
    plain.write_bytes(data)
    packed.write_bytes(gzip.compress(data))
    disguised.write_bytes(gzip.compress(data[:3]) + gzip.compress(data[3:]))
    assert read(plain) == read(packed) == read(str(disguised)) == expected
    for given_data in data, gzip.compress(data):
        stdin = Standard(given_data)
        monkeypatch.setattr("sys.stdin", stdin)
        assert read("-") == expected
        assert not stdin.buffer.closed


@given(st.binary(max_size=40) | st.text("aé\r\n\t\u2028\ufeff").map(str.encode), st.integers(1, 5))
@example(b"a\r\n\xff\n", 1)
def test_blocks_are_the_same_lines_whatever_their_size(data: bytes, size: int) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff", b"\x1f\x8b")):
        return
    with file_of(data) as path:
        blocks = list(read_blocks(path, lines=size))
        whole = list(read_blocks(path))
    assert [line for block in blocks for line in block.lines] == [
        line for block in whole for line in block.lines
    ]
    ends = [0, *(block.raw_bytes for block in blocks)]
    assert ends[-1] == len(data)
    for number, block in enumerate(blocks):
        assert block.first_line == 1 + number * size
        assert len(block.lines) <= size
        assert block.crc == zlib.crc32(data[: block.raw_bytes])
        assert block.raw_bytes > ends[number]


def test_huge_lines_end_a_block_early(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lines_module, "_MOST_BYTES", 10)
    (tmp_path / "input").write_bytes(b"123456\n123456\n1\n")
    blocks = list(read_blocks(tmp_path / "input"))
    assert [block.lines for block in blocks] == [["123456", "123456"], ["1"]]
    assert blocks[1] == LineBlock(3, ["1"], 16, zlib.crc32(b"123456\n123456\n1\n"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "utf-32-be"])
def test_other_encodings_are_named(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeffaño\n".encode(encoding))
    with pytest.raises(FormatError, match=rf"words.txt.*{encoding[:6].upper()}.*iconv"):
        read(path)


def test_missing_files_and_directories(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"absent.*No such file.*check the name"):
        read(tmp_path / "absent")
    with pytest.raises(FormatError, match=r"directory"):
        read(tmp_path)
    with pytest.raises(FormatError, match=r"absent.*No such file"):
        open_text_output(tmp_path / "absent" / "words")
    with pytest.raises(FormatError, match=r"directory"):
        open_text_output(tmp_path)


def test_broken_gzip(tmp_path: Path) -> None:
    sound = gzip.compress("".join(f"{number}\n" for number in range(50_000)).encode())
    path = tmp_path / "words.gz"
    path.write_bytes(sound[:-200])
    taken: list[str] = []
    with pytest.raises(FormatError, match=r"words.gz: line \d+: .*cut short") as caught:
        taken.extend(line for block in read_blocks(path, lines=100) for line in block.lines[:1])
    assert caught.value.line is not None
    assert caught.value.line > 40_000

    path.write_bytes(sound[:1000] + b"\xff" * 50 + sound[1050:])
    with pytest.raises(FormatError, match="not sound gzip data"):
        read(path)
    path.write_bytes(sound[:-8] + b"\0" * 8)
    with pytest.raises(FormatError, match="not sound gzip data"):
        read(path)
    path.write_bytes(b"plain text\n")
    with pytest.raises(FormatError, match="not sound gzip data"):
        read(path)


def test_a_file_is_closed_when_its_reader_stops_early(tmp_path: Path) -> None:
    for name, data in ("plain", b"a\nb\n"), ("packed", gzip.compress(b"a\nb\n")):
        (tmp_path / name).write_bytes(data)
        blocks = read_blocks(tmp_path / name, lines=1)
        assert next(blocks).lines == ["a"]
        del blocks  # an open file would be a ResourceWarning, which the tests turn into an error


def test_first_column() -> None:
    assert first_column("año\ta ɲ o\t3") == "año"
    assert first_column("año") == "año"


@pytest.mark.parametrize("name", ["out.tsv", "out.tsv.gz"])
@given(
    kept=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"))),
    lost=st.text(st.characters(codec="utf-8")),
    more=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"))),
)
def test_output_can_be_cut_back_and_continued(
    name: str, kept: list[str], lost: str, more: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, name)
        with open_text_output(path) as output:
            for line in kept:
                output.write(line + "\n")
                output.flush()
                assert output.tell() == path.stat().st_size
            recorded = output.tell()
            output.write(lost)
        with open_text_output(path, resume_at=recorded) as output:
            assert output.tell() == recorded == path.stat().st_size
            for line in more:
                output.write(line + "\n")
        data = path.read_bytes()
        text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
        assert text == "".join(line + "\n" for line in kept + more)


def test_much_output_is_written_before_it_is_flushed(tmp_path: Path) -> None:
    with open_text_output(tmp_path / "out") as output:
        for _ in range(3):
            output.write("ñ" * (1 << 19))
        assert output.tell() == 3 << 20


def test_output_that_shrank_cannot_be_resumed(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"12345")
    with pytest.raises(FormatError, match=r"has 5 bytes .* had written 6 .*anew"):
        open_text_output(tmp_path / "out", resume_at=6)
    with pytest.raises(FormatError, match="No such file"):
        open_text_output(tmp_path / "absent", resume_at=6)
    assert (tmp_path / "out").read_bytes() == b"12345"


def test_output_is_strict_and_the_lines_before_are_kept(tmp_path: Path) -> None:
    with open_text_output(tmp_path / "out") as output:
        output.write("good\n")
        with pytest.raises(ItemError, match=r"out: .*at 1: .*U\+DCE9 is a lone surrogate"):
            output.write("b\udce9d\n")
    assert (tmp_path / "out").read_bytes() == b"good\n"


def test_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    stdout = Standard()
    monkeypatch.setattr("sys.stdout", stdout)
    print("printed before", end=" ")
    with open_text_output("-") as output:
        output.write("niño\n")
        output.flush()
        assert output.tell() == 6
    assert stdout.bytes.getvalue() == b"printed before ni\xc3\xb1o\n"
    with pytest.raises(FormatError, match="nothing can resume"):
        open_text_output("-", resume_at=3)


def test_compressed_output_does_not_depend_on_the_time(tmp_path: Path) -> None:
    with open_text_output(tmp_path / "out.gz") as output:
        output.write("a\n")
    assert (tmp_path / "out.gz").read_bytes()[4:8] == bytes(4)
