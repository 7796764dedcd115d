"""Stopped runs end, when resumed, as if they had not been stopped."""

from __future__ import annotations

import signal
import threading
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from glyphone.data.errors import FormatError
from glyphone.treebank.sampling import chains
from glyphone.treebank.sampling.bigrams import Bigrams
from glyphone.treebank.sampling.chains import Posterior, SamplingOptions, sample_posterior
from glyphone.treebank.sampling.checkpoint import Checkpoint
from tests.glyphone.treebank.sampling.test_chains import FOREST, GRAMMAR, N, same

OPTIONS = SamplingOptions(iterations=8, chains=2, seed=5)
MODEL = Bigrams.of([[0, 1, 2], [2, 1]], n_symbols=N)


class Stopped(Exception):
    """What a user does."""


def sampled(
    checkpoint: Checkpoint | None, *, sweeps: int = 99, full: bool = True, jobs: int = 1
) -> Posterior:
    """A run of the sampler that is stopped behind so many sweeps."""
    left = [sweeps]

    def on_sweep() -> None:
        left[0] -= 1
        if not left[0]:
            raise Stopped

    return sample_posterior(
        [FOREST] * 3, MODEL.mean_model(), GRAMMAR.multinomials(2.0), OPTIONS,
        refine=MODEL.draw_model if full else None, checkpoint=checkpoint, jobs=jobs,
        on_sweep=on_sweep,
    )  # fmt: skip


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(("full", "jobs"), [(True, 1), (False, 1), (True, 2)])
@pytest.mark.parametrize("sweeps", [1, 3, 4, 7, 8, 9, 15])
def test_a_run_goes_on_as_if_nothing_had_happened(
    tmp_path: Path, sweeps: int, full: bool, jobs: int
) -> None:
    path = str(tmp_path / "out.checkpoint")
    whole = sampled(None, full=full)
    with pytest.raises(Stopped):
        sampled(Checkpoint(path, seconds=0.0), sweeps=sweeps, full=full, jobs=jobs)
    assert files(tmp_path)
    again = sampled(Checkpoint(path, resume=True, seconds=0.0), full=full, jobs=3 - jobs)
    assert files(tmp_path) == []
    assert same(again, whole)


def test_ctrl_c_keeps_the_samples_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal comes to the main thread when it waits for both chains, which have swept: they end
    behind their sweeps, however young the file."""
    path, whole = str(tmp_path / "out.checkpoint"), sampled(None)
    options = replace(OPTIONS, iterations=5000, burn_in=5000 - 4)
    sweeps = count(1)  # which no two threads are given the same number of
    swept, both = threading.local(), threading.Barrier(2)
    waits, wait = threading.Event(), chains.wait

    def tell_and_wait(*futures: Any, **options: Any) -> Any:
        waits.set()
        return wait(*futures, **options)

    monkeypatch.setattr(chains, "wait", tell_and_wait)

    def on_sweep() -> None:
        if not hasattr(swept, "once"):
            swept.once = True
            both.wait(60)
        if next(sweeps) == 30 and waits.wait(60):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    def run(options: SamplingOptions, checkpoint: Checkpoint) -> Posterior:
        return sample_posterior(
            [FOREST] * 3, MODEL.mean_model(), GRAMMAR.multinomials(2.0), options,
            refine=MODEL.draw_model, checkpoint=checkpoint, jobs=2, on_sweep=on_sweep,
        )  # fmt: skip

    with pytest.raises(KeyboardInterrupt):
        run(options, Checkpoint(path))
    assert files(tmp_path) == ["out.checkpoint.1", "out.checkpoint.2"]
    for name in files(tmp_path):
        (tmp_path / name).unlink()
    assert same(run(OPTIONS, Checkpoint(path)), whole)


def test_a_run_that_is_stopped_again_and_again(tmp_path: Path) -> None:
    path, whole = str(tmp_path / "out.checkpoint"), sampled(None)
    for _ in range(3):
        with pytest.raises(Stopped):
            sampled(Checkpoint(path, resume=True, seconds=0.0), sweeps=15)
    assert files(tmp_path) == ["out.checkpoint.1", "out.checkpoint.2"]
    assert same(sampled(Checkpoint(path, resume=True)), whole)


def test_a_run_that_is_not_resumed_begins_anew(tmp_path: Path) -> None:
    path = str(tmp_path / "out.checkpoint")
    with pytest.raises(Stopped):
        sampled(Checkpoint(path, seconds=0.0), sweeps=5)
    assert same(sampled(Checkpoint(path)), sampled(None))
    assert files(tmp_path) == []
    assert same(sampled(Checkpoint(path, resume=True)), sampled(None))


def test_a_young_checkpoint_is_left(tmp_path: Path) -> None:
    path = str(tmp_path / "out.checkpoint")
    with pytest.raises(Stopped):
        sampled(Checkpoint(path), sweeps=5)
    assert files(tmp_path) == []
    with pytest.raises(Stopped):
        sampled(Checkpoint(path), sweeps=9)
    # The end of a chain is kept however young.
    assert files(tmp_path) == ["out.checkpoint.1"]


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "out.checkpoint")
    with pytest.raises(Stopped):
        sampled(Checkpoint(path, seconds=0.0), sweeps=5)
    with pytest.raises(FormatError, match="other trees, another text or other options") as refused:
        sampled(Checkpoint(path, resume=True), full=False)
    assert "leave --resume out" in str(refused.value)
    Path(f"{path}.1").write_bytes(b"damaged")
    with pytest.raises(FormatError):
        sampled(Checkpoint(path, resume=True))
