"""Alignments of a lexicon: probabilities, composed and refused pairs, and settings."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.alignments import align as alignment_align
from glyphone.alignments.align import Aligned, align
from glyphone.alignments.rows import alignment_text
from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.fst.alignment.training import ONE_TO_ONE, AlignmentOptions, Refusal, Unit

words = st.text("abc", min_size=1, max_size=4)
pairs = st.builds(
    lambda x, y: Pair(tuple(x), tuple(y)), words, st.text("xy", min_size=1, max_size=4)
)


@settings(max_examples=40)
@given(st.lists(pairs, min_size=1, max_size=5), st.integers(1, 2), st.booleans())
def test_posteriors_of_all_alignments_sum_to_one(
    lexicon: list[Pair], insertions: int, many_to_many: bool
) -> None:
    options = AlignmentOptions(
        insertions=insertions, many_to_many=many_to_many, rounds=2, weights=(0.0, 0.9, 0.1)
    )
    model, entries = align(lexicon, options, n=5000)
    singles = align(lexicon, options)[1]
    for pair, entry, single in zip(lexicon, entries, singles, strict=True):
        if isinstance(entry, Refusal):
            assert isinstance(single, Refusal) and len(pair.target) > 2 * len(pair.source)
            continue
        assert isinstance(single, Aligned)
        assert sum(found.posterior for found in entry.ranked) == pytest.approx(1)
        assert entry.log_probability == pytest.approx(model.log_probability(pair))
        (best,) = single.ranked
        assert best.alignment == entry.ranked[0].alignment
        assert best.log_probability == pytest.approx(entry.ranked[0].log_probability)
        assert best.posterior == pytest.approx(entry.ranked[0].posterior)


def test_a_crowded_gap_is_scored_too() -> None:
    lexicon = [Pair(("a",), tuple("vwxyz")), Pair(("a",), ("x",)), Pair(("a", "b"), ("x",))]
    model, entries = align(lexicon, one_to_one=True)
    assert all(isinstance(entry, Aligned) for entry in entries)
    first = entries[0]
    assert isinstance(first, Aligned) and first.composed and not entries[1].composed  # type: ignore[union-attr]
    assert alignment_text(first.ranked[0].alignment) == r"_:v\sw a:x _:y\sz"
    # There is one way to give five symbols to one letter and two gaps of two.
    assert first.ranked[0].posterior == 1
    single = {unit: math.log(p) for unit, p in zip(model.units, model.probabilities, strict=True)}

    def cost(unit: Unit) -> float:  # the fit has not seen the first pair
        return single.get(unit, math.log(model.unlisted))

    alone = [((), ("v",)), ((), ("w",)), (("a",), ("x",)), ((), ("y",)), ((), ("z",))]
    assert first.log_probability == pytest.approx(sum(map(cost, alone)))


def test_refusals_have_the_index_of_their_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon = [Pair(("a",), ("x",)), Pair(("a",), tuple("xxx"))] * 3
    whole = align(lexicon, n=2)
    monkeypatch.setattr(alignment_align, "BLOCK", 2)
    assert list(map(len, alignment_align.pair_blocks(lexicon))) == [2, 2, 2]
    _, entries = align(lexicon, n=2)
    assert entries == whole[1]
    assert [e.index for e in entries if isinstance(e, Refusal)] == [1, 3, 5]


def test_blocks_of_long_pairs_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment_align, "BLOCK_STATES", 12)
    short, long = Pair(("a",), ("x",)), Pair(tuple("aaaa"), tuple("xxxx"))
    found = list(alignment_align.pair_blocks([short, short, short, short, long, short]))
    assert found == [[short] * 3, [short], [long], [short]]


def test_too_many_paths_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment_align, "MOST_PATHS", 20)
    lexicon = [Pair(("a",), ("x",)), Pair(("a", "a"), ("x", "x"))]
    _, (short, long) = align(lexicon, n=4)
    assert isinstance(short, Aligned) and isinstance(long, Refusal)
    assert (long.index, long.reason) == (
        1,
        "2 by 2 symbols are too many for the 4 best: ask for fewer",
    )


@pytest.mark.parametrize(
    ("options", "n", "message"),
    [
        (None, 0, "ask for one or more"),
        (None, 2, "the best one alone"),
        (AlignmentOptions(), 1, "max_source is 2, and one-to-one alignment needs 1"),
        (alignment_align.aligner_options(one_to_one=True, insertions=2), 1, "insertions is 2"),
    ],
)
def test_what_does_not_go_together(options: AlignmentOptions | None, n: int, message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        align([Pair(("a",), ("x",))], options, n=n, one_to_one=True)


def test_settings_are_the_aligners() -> None:
    assert alignment_align.aligner_options() == AlignmentOptions()
    assert alignment_align.aligner_options(one_to_one=True) == ONE_TO_ONE
