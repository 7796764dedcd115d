"""Runs that are stopped: what is resumed ends as if it had not been stopped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from glyphone.data.errors import FormatError
from glyphone.treebank.checkpoint import Checkpoint
from glyphone.treebank.refining import Bigrams
from glyphone.treebank.sampling import Posterior, SamplingOptions, sample

from .test_sampling import FOREST, GRAMMAR, N

OPTIONS = SamplingOptions(iterations=8, chains=2, seed=5, strength=2.0)
MODEL = Bigrams.of([[0, 1, 2], [2, 1]], n_symbols=N)


class Stopped(Exception):
    """What a user does."""


def sampled(checkpoint: Checkpoint | None, *, sweeps: int = 99, full: bool = True) -> Posterior:
    """A run of the sampler that is stopped behind so many sweeps."""
    left = [sweeps]

    def on_sweep() -> None:
        left[0] -= 1
        if not left[0]:
            raise Stopped

    return sample(
        [FOREST] * 3, MODEL.mean(), len(GRAMMAR.classes), OPTIONS,
        refine=MODEL.draw if full else None, checkpoint=checkpoint, on_sweep=on_sweep,
    )  # fmt: skip


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("sweeps", [1, 3, 4, 7, 8, 9, 15])
def test_a_run_goes_on_as_if_nothing_had_happened(tmp_path: Path, sweeps: int, full: bool) -> None:
    path = str(tmp_path / "out.checkpoint")
    whole = sampled(None, full=full)
    with pytest.raises(Stopped):
        sampled(Checkpoint(path, seconds=0.0), sweeps=sweeps, full=full)
    assert Path(path).exists()
    again = sampled(Checkpoint(path, resume=True, seconds=0.0), full=full)
    assert not Path(path).exists()
    assert again.trees == whole.trees
    for name in ("shares", "log_totals"):
        assert np.array_equal(getattr(again, name), getattr(whole, name))
    assert again.sides == pytest.approx(whole.sides)
    for one, other in zip(again.choices, whole.choices, strict=True):
        assert np.array_equal(one, other)


def test_a_run_that_is_not_resumed_begins_anew(tmp_path: Path) -> None:
    path = str(tmp_path / "out.checkpoint")
    with pytest.raises(Stopped):
        sampled(Checkpoint(path, seconds=0.0), sweeps=5)
    assert sampled(Checkpoint(path)).trees == sampled(None).trees
    assert not Path(path).exists()
    assert sampled(Checkpoint(path, resume=True)).trees == sampled(None).trees


def test_a_young_checkpoint_is_left(tmp_path: Path) -> None:
    path = str(tmp_path / "out.checkpoint")
    with pytest.raises(Stopped):
        sampled(Checkpoint(path), sweeps=5)
    assert not Path(path).exists()


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "out.checkpoint")
    with pytest.raises(Stopped):
        sampled(Checkpoint(path, seconds=0.0), sweeps=5)
    with pytest.raises(FormatError, match="other trees, another text or other options") as refused:
        sampled(Checkpoint(path, resume=True), full=False)
    assert "leave --resume out" in str(refused.value)
    Path(path).write_bytes(b"damaged")
    with pytest.raises(FormatError):
        sampled(Checkpoint(path, resume=True))
