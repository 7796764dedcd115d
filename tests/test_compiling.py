"""The benchmark of compiling, on a few words: machine code is found again, and counted."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

import glyphone
from benchmarks import compiling
from glyphone.data.errors import NotInstalled
from glyphone.grammar_tools import archives

pytestmark = pytest.mark.skipif(
    archives.archive_of("spa.letter_to_sound") is None,
    reason="spa.letter_to_sound is not compiled: make grammars",
)
DECODE = "glyphone.fst.transducers.single_path_kernels_compiled.decode"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def cold(cache: Path) -> compiling.Run:
    """A run that answers words where no kernel is compiled yet."""
    return compiling.run_task("rules", compiling.RULES, 10, cache, compile_at_once=True)


def test_machine_code_is_made_once_and_all_in_one(cold: compiling.Run, cache: Path) -> None:
    size = compiling.folder_size(cache)
    warm = compiling.run_task("rules", compiling.RULES, 10, cache, compile_at_once=True)
    assert (cold.entries, warm.entries, warm.parts) == (1, 0, 0)
    assert cold.parts == len(cold.kernels) - 1 > 10
    assert compiling.folder_size(cache) == size > 0
    assert DECODE in {name for _, name, _ in cold.kernels}


def test_a_kernel_is_compiled_for_one_kind_of_arguments(cold: compiling.Run) -> None:
    """Literals, layouts and small integers would each make another copy of a kernel."""
    ours = [name for _, name, _ in cold.kernels if name.startswith("glyphone.")]
    # Arrays of several types grow and are copied, and rows lie one way or another.
    several = {name.rpartition(".")[2] for name in ours if ours.count(name) > 1}
    assert several <= {"doubled_rows", "copy_values", "group_rows"}


@pytest.mark.parametrize(
    "task", ["cascade", "rules-spans", "joint", "tree", "crf", "ensemble", "voicemail"]
)
def test_every_task_runs(tmp_path: Path, task: str) -> None:
    model = compiling.prepare(task, tmp_path, share=0.05)
    compiling.answer(task, model, 10)


def test_named_tasks_have_models_that_are_known() -> None:
    for name in compiling.NAMED.values():
        with suppress(NotInstalled):  # English is trained by `make`, and not for tests
            assert glyphone.load(name)


def test_an_unknown_task_is_refused() -> None:
    with pytest.raises(KeyError):
        compiling.prepare("other", Path())
