"""Words with relatives among those learnt from, and words without."""

from __future__ import annotations

from benchmarks import relatives
from glyphone.data.records import Pair


def test_words_are_parted_by_their_relatives() -> None:
    learnt = [tuple(word) for word in ("talked", "songs", *map(str, range(40)))]
    tested = [Pair(tuple(word), ("x",)) for word in ("talker", "song", "river", "talk")]
    known, alone = relatives.parted(learnt, tested)
    assert ["".join(pair.source) for pair in known] == ["talker", "song", "talk"]
    assert ["".join(pair.source) for pair in alone] == ["river"]
