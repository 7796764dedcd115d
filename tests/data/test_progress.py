"""Steps are told to people: on a terminal, after some seconds, in the place of nothing else."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import pytest

from glyphone.data import progress
from glyphone.data.kernels import jit
from glyphone.fst.alignment import sum_kernels

CLEAR = progress.CLEAR


class Terminal(io.StringIO):
    """A terminal: the line that is seen on it is what is behind the last beginning of a line."""

    def isatty(self) -> bool:
        return True

    @property
    def line(self) -> str:
        return self.getvalue().split("\n")[-1].split(CLEAR)[-1]


@contextmanager
def shown(name: str, stderr: io.StringIO, stdout: io.StringIO | None = None) -> Iterator[None]:
    """A display on stderr, which pytest puts back before a test begins."""
    with redirect_stderr(stderr), redirect_stdout(stdout or io.StringIO()), progress.shown(name):
        yield


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal on which all steps are told at once, and by no clock."""
    found = Terminal()
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    monkeypatch.setattr(progress, "TICK", 1e6)
    monkeypatch.setenv("COLUMNS", "100")
    return found


def test_steps_within_steps_are_told_with_what_is_left(terminal: Terminal) -> None:
    with shown("train", terminal):
        assert terminal.line == "train: 00:00"
        with progress.step("training members", 3) as members:
            members.advance()
            for _ in progress.steps("abcd", "aligning"):
                pass
            assert "train, training members:  33%" in terminal.line
            assert "train, training members 2/3, aligning:  75%" in terminal.getvalue()
            assert " 3/4 [" in terminal.getvalue()
    assert terminal.line == ""


def test_a_step_of_unknown_length_tells_what_is_done(terminal: Terminal) -> None:
    with shown("align", terminal):
        for _ in progress.steps(iter("abcd"), "reading"):
            pass
    assert "align, reading: 3 [" in terminal.getvalue()


def test_a_line_is_no_wider_than_the_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    with shown("train", terminal), progress.step("a step with a long name", 3):
        assert terminal.line == "train, a step with a long nam"


def test_nothing_is_told_before_it_has_taken_long(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 1e6)
    with shown("train", terminal):
        for _ in progress.steps(range(9), "aligning"):
            pass
    assert terminal.getvalue() == ""


def test_nothing_is_told_where_there_is_no_terminal(terminal: Terminal) -> None:
    pipe = io.StringIO()
    with shown("train", pipe):
        for _ in progress.steps(range(9), "aligning"):
            assert not progress.is_shown()
        assert sys.stderr is pipe
    assert pipe.getvalue() == ""


def test_messages_take_the_place_of_the_line(terminal: Terminal) -> None:
    with shown("apply", terminal, terminal):
        print("glyphone: an item failed", file=sys.stderr)
        with progress.step("reading"):
            print("casa", end="")
            with progress.step("not told behind half a line"):
                print("\tk a s a")
    text = terminal.getvalue()
    assert "not told" not in text
    lines = [line.split(CLEAR)[-1] for line in text.split("\n")]
    assert lines == ["glyphone: an item failed", "casa\tk a s a", ""]


def test_bytes_take_the_place_of_the_line(terminal: Terminal) -> None:
    class Both(Terminal):
        """A terminal that takes bytes, too."""

        @property
        def buffer(self) -> Both:
            return self

        def write(self, text: str | bytes) -> int:  # type: ignore[override]
            return super().write(text.decode() if isinstance(text, bytes) else text)

    both = Both()
    with shown("apply", both, both):
        sys.stdout.buffer.write(b"casa\n")  # type: ignore[arg-type]
        assert both.getvalue() == f"{CLEAR}apply: 00:00{CLEAR}casa\n"


def test_a_person_who_types_sees_no_line(terminal: Terminal) -> None:
    with shown("apply", terminal):
        progress.leave_to_person()
        assert terminal.line == ""
        with progress.step("answering"):
            pass
        assert terminal.line == ""


def test_of_parts_that_are_worked_on_at_once_one_is_told(terminal: Terminal) -> None:
    begun, done = threading.Event(), threading.Event()

    def part() -> None:
        with progress.step("one part"):
            begun.set()
            done.wait()

    with shown("train", terminal), progress.step("training without a part", 2):
        worker = threading.Thread(target=part)
        worker.start()
        begun.wait()
        other = threading.Thread(target=lambda: next(progress.steps("abc", "the other")))
        other.start()
        other.join()
        done.set()
        worker.join()
    assert "training without a part 1/2, one part: 00:00" in terminal.getvalue()
    assert "training without a part 1/2, the other:   0%" in terminal.getvalue()


def test_work_that_tells_nothing_is_watched(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = threading.Event()
    monkeypatch.setattr(progress, "TICK", 0.001)
    monkeypatch.setattr(progress.Display, "draw", lambda display: drawn.set())
    with shown("train", terminal):
        drawn.clear()
        assert drawn.wait(60)


def test_errors_end_steps(terminal: Terminal) -> None:
    with (
        pytest.raises(ValueError, match="odd"),
        shown("train", terminal),
        progress.step("aligning"),
    ):
        raise ValueError("odd")
    assert terminal.line == "" and not progress.is_shown()
    with shown("again", terminal):
        assert terminal.line == "again: 00:00"


def test_compiling_of_kernels_is_told(terminal: Terminal) -> None:
    kernel = jit.compiled(sum_kernels).collect_keys
    with shown("train", terminal), pytest.raises(TypeError, match="invalid signature"):
        kernel.compile(7)
    assert "train, compiling collect_keys: 00:00" in terminal.getvalue()
