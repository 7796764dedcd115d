"""Words with relatives among those learnt from, and words without."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import relatives
from glyphone.data.records import Pair


def test_words_are_parted_by_their_relatives() -> None:
    learnt = [tuple(word) for word in ("talked", "songs", *map(str, range(40)))]
    tested = [Pair(tuple(word), ("x",)) for word in ("talker", "song", "river", "talk")]
    known, alone = relatives.parted(learnt, tested)
    assert ["".join(pair.source) for pair in known] == ["talker", "song", "talk"]
    assert ["".join(pair.source) for pair in alone] == ["river"]


def test_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [a + b + c for a in "bdk" for b in "aei" for c in "mnt"]
    lines = [f"{word}\t{' '.join(word.upper())}\n" for word in words]
    (tmp_path / "train.tsv").write_text("".join(lines[::2]))
    (tmp_path / "test.tsv").write_text("".join(lines[1::2]))
    relatives.main(["--train", f"{tmp_path}/train.tsv", "--test", f"{tmp_path}/test.tsv"])
    rows = capsys.readouterr().out.splitlines()[3:]
    assert rows[0].split()[:2] == ["all", str(len(lines[1::2]))]
