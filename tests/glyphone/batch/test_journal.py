"""The entries of a journal, and files that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.batch.journal import Journal, Progress
from glyphone.data.errors import FormatError

DONE = Progress({"model": "ñ", "--nbest": 3}, 10, 2**32 - 1, 1 << 40, 3, 1)


def test_a_journal_lies_beside_the_output_and_gives_back_what_it_was_told(tmp_path: Path) -> None:
    journal = Journal.beside(str(tmp_path / "out.tsv.gz"))
    assert journal.path == tmp_path / "out.tsv.gz.journal"
    assert journal.read() is None
    journal.write(Progress({}))
    journal.write(DONE)
    assert journal.read() == DONE
    assert [path.name for path in tmp_path.iterdir()] == ["out.tsv.gz.journal"]
    journal.remove()
    journal.remove()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        '"x"',
        "{}",
        '{"settings": "x"}',
        '{"lines": 3}',
        "\x00",
        '{"what": 1}',
        '{"settings": {}, "lines": "many"}',
        '{"settings": {}, "lines": null}',
    ],
)
def test_what_is_no_journal_is_refused(tmp_path: Path, text: str) -> None:
    journal = Journal(tmp_path / "journal")
    journal.path.write_text(text)
    with pytest.raises(FormatError, match=r"is not a journal of a batch .*start anew"):
        journal.read()


def test_bytes_that_are_no_text_are_no_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    journal.path.write_bytes(b"\xff\xfe")
    with pytest.raises(FormatError, match="is not a journal"):
        journal.read()


def test_a_journal_that_cannot_be_written_says_where_it_should_lie(tmp_path: Path) -> None:
    journal = Journal.beside(str(tmp_path / "nowhere" / "out"))
    with pytest.raises(FormatError, match=r"out\.journal: cannot be written.*beside its output"):
        journal.write(DONE)
