"""Steps of long work, and their display on a terminal.

Work names its steps, one within another, and counts in them. That costs next to nothing where no
display is open; the command line opens one, which writes a line after three seconds:

    train, training without a part 2/6, aligning:  30%|███       | 3/10 [00:05<00:12, 0.60/s]

Text that is written to the terminal meanwhile takes the place of the line, which comes back below.

>>> import io
>>> with shown("train", io.StringIO()) as display:
...     for letter in steps("abcd", "aligning"):
...         if letter == "c": print(display.text(100).partition("%")[0])
train, aligning:  50
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO, TypeVar

# Seconds until the first step is told of, between two drawings, and between looks of the watch.
PATIENCE, PAUSE, TICK = 3.0, 0.1, 0.5
LEFT = "{desc}: {percentage:3.0f}%|{bar}| {n:,}/{total:,} [{elapsed}<{remaining}, {rate_noinv_fmt}]"
DONE = "{desc}: {n:,} [{elapsed}, {rate_noinv_fmt}]"
PASSED = "{desc}: {elapsed}"
CLEAR = "\r\x1b[K"

Item = TypeVar("Item")


@dataclass(eq=False)
class Step:
    """Work under way: `done` of `total` parts, if the total is known; `before` were done before."""

    name: str
    total: int | None = None
    done: int = 0
    before: int = 0
    began: float = field(default_factory=time.monotonic)
    thread: int = field(default_factory=threading.get_ident)

    def advance(self, parts: int = 1) -> None:
        """Counts parts that are done."""
        self.done += parts
        redraw()

    @property
    def place(self) -> str:
        """The name, and the part that is under way.

        >>> Step("training", total=3, done=1).place
        'training 2/3'
        """
        return self.name if self.total is None else f"{self.name} {self.done + 1}/{self.total}"


_steps: list[Step] = []
_displays: list[Display] = []


@contextmanager
def step(name: str, total: int | None = None, *, before: int = 0) -> Iterator[Step]:
    """A step, under way in the block; `before` parts of it were done by an earlier run."""
    one = Step(name, total, done=before, before=before)
    _steps.append(one)
    redraw()
    try:
        yield one
    finally:
        _steps.remove(one)
        redraw()


def steps(items: Iterable[Item], name: str, *, total: int | None = None) -> Iterator[Item]:
    """The items, each a part of a step, done when the next is asked for."""
    if total is None and isinstance(items, Sized):
        total = len(items)
    with step(name, total) as one:
        for item in items:
            yield item
            one.advance()


def steps_in_line() -> list[Step]:
    """The steps of the first thread, and those of the thread that began the last step.

    Of parts of a step that are worked on at once, one is enough to see.
    """
    under_way = [*_steps]
    threads = {one.thread for one in (*under_way[:1], *under_way[-1:])}
    return [one for one in under_way if one.thread in threads]


def redraw() -> None:
    """Draws the line anew, if a display is open and has not just drawn it."""
    for display in _displays[-1:]:
        display.look()


@contextmanager
def shown(name: str, stream: TextIO | None = None) -> Iterator[Display]:
    """A display of the step `name` and those within it, on a stream, by default stderr.

    By default it is open on a terminal only, and what else is written there goes through it.
    """
    display = Display(stream or sys.stderr)
    terminal = stream is None and sys.stderr.isatty()
    if not terminal and stream is None:
        yield display
        return
    kept = sys.stdout, sys.stderr
    if terminal:
        sys.stderr = Beside(sys.stderr, display)
        if sys.stdout.isatty():
            sys.stdout = Beside(sys.stdout, display)
        display.watch()
    _displays.append(display)
    try:
        with step(name):
            yield display
    finally:
        _displays[:] = [one for one in _displays if one is not display]
        display.close()
        if terminal:
            sys.stdout, sys.stderr = kept


def is_shown() -> bool:
    """Whether a display is open."""
    return bool(_displays)


def leave_to_person() -> None:
    """Closes the display: a person is typing, and reads the answers."""
    for display in _displays:
        display.close()
    _displays.clear()


def end_watches() -> None:
    """Ends the threads of displays, beside which nothing can be forked; steps still redraw."""
    for display in _displays:
        display.end_watch()


class Display:
    """A line of a terminal that shows the steps under way, after some seconds.

    Steps draw it when they advance; a thread draws, too, for work that takes long to.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._lock = stream, threading.RLock()
        self._drawn_at, self._visible, self._at_line_start = -PAUSE, False, True
        self._ended, self._thread = threading.Event(), threading.Thread(target=self._tick)

    def look(self) -> None:
        """Draws the line if it is time to."""
        if time.monotonic() - self._drawn_at >= PAUSE:
            self.draw()

    def draw(self) -> None:
        with self._lock:
            now = time.monotonic()
            self._drawn_at = now
            under_way = [*_steps]
            if not under_way or now - under_way[0].began < PATIENCE:
                return
            if self._at_line_start:
                width = shutil.get_terminal_size().columns - 1
                self._stream.write(f"{CLEAR}{self.text(width)}")
                self._stream.flush()
                self._visible = True

    def text(self, width: int) -> str:
        """The steps under way, cut to a width: the places of outer ones, and the innermost."""
        # Nothing but a long wait should wait for this import.
        from tqdm import tqdm

        *outer, last = steps_in_line()
        form = PASSED if not last.done and last.total is None else DONE
        return tqdm.format_meter(
            last.done,
            last.total,  # type: ignore[arg-type]  # None is allowed
            max(time.monotonic() - last.began, 0.0),
            ncols=width,
            prefix=", ".join([*(one.place for one in outer), last.name]),
            unit="",
            initial=last.before,
            bar_format=LEFT if last.total else form,
        )[:width]

    @contextmanager
    def aside(self, text: str | bytes = "") -> Iterator[None]:
        """In the block some text can be written where the line was."""
        with self._lock:
            if self._visible:
                self._stream.write(CLEAR)
                self._stream.flush()
                self._visible = False
            yield
            if text:
                self._at_line_start = text[-1:] in ("\n", b"\n")

    def watch(self) -> None:
        """Starts the thread that draws."""
        self._thread.daemon = True
        self._thread.start()

    def _tick(self) -> None:
        while not self._ended.wait(TICK):
            self.look()

    def end_watch(self) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def close(self) -> None:
        """Takes the line away for good."""
        self.end_watch()
        with self.aside():
            pass


class Beside:
    """A stream to the terminal of a display, whose line makes room for what is written."""

    def __init__(self, stream: Any, display: Display) -> None:
        self._stream, self._display = stream, display

    def write(self, text: Any) -> Any:
        with self._display.aside(text):
            return self._stream.write(text)

    def flush(self) -> None:
        with self._display.aside():
            self._stream.flush()

    @property
    def buffer(self) -> Beside:
        return Beside(self._stream.buffer, self._display)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


# A process that is forked has no terminal to itself.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_displays.clear)
