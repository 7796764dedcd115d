"""Workers: results in order, whoever makes them; no worker outlives its process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from glyphone.data import processes
from glyphone.data.processes import map_in_processes

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")


def python(code: str) -> subprocess.CompletedProcess[str]:
    """A process of its own, in which there are no other threads."""
    found = [sys.executable, "-c", f"from glyphone.data.processes import map_in_processes\n{code}"]
    return subprocess.run(found, capture_output=True, text=True, timeout=60)


def test_results_are_in_the_order_of_work() -> None:
    for jobs in (1, 2, 3):
        found = list(map_in_processes(lambda n: n * n, iter(range(20)), jobs=jobs))
        assert found == [(n, n * n) for n in range(20)]


@forks
def test_work_is_done_by_others_and_not_far_ahead() -> None:
    ran = python(
        "import os, itertools\n"
        "seen = []\n"
        "def works():\n"
        "    for n in itertools.count():\n"
        "        seen.append(n)\n"
        "        yield n\n"
        "rows = map_in_processes(lambda n: (n, os.getpid()), works(), jobs=2)\n"
        "first = [next(rows)[1] for _ in range(10)]\n"
        "rows.close()\n"
        "assert [n for n, _ in first] == list(range(10)), first\n"
        "assert os.getpid() not in {who for _, who in first}\n"
        "assert len(seen) < 20, seen\n"
    )
    assert (ran.returncode, ran.stderr) == (0, "")


@forks
def test_errors_of_work_are_raised_and_ended_workers_told() -> None:
    ran = python("print(list(map_in_processes(lambda n: 1 // n, iter([1, 0, 1]), jobs=2)))")
    assert ran.returncode == 1 and "ZeroDivisionError" in ran.stderr
    ran = python("import os; list(map_in_processes(os._exit, iter([3, 3]), jobs=2))")
    assert ran.returncode == 1 and "a worker was ended from outside" in ran.stderr


@forks
def test_work_is_forked_beside_a_display_of_progress() -> None:
    ran = python(
        "import io, os, sys\n"
        "from glyphone.data import progress\n"
        "class Terminal(io.StringIO):\n"
        "    def isatty(self):\n"
        "        return True\n"
        "sys.stderr = Terminal()\n"
        "def whose(n):\n"
        "    return os.getpid(), progress.is_shown()\n"
        "with progress.shown('run'):\n"
        "    found = {row for _, row in map_in_processes(whose, iter(range(9)), jobs=2)}\n"
        "    assert progress.is_shown()\n"
        "    progress.TICK, progress.PATIENCE, progress.PAUSE = 0.01, 0, 0\n"
        "    drawing, done = progress.redraw, os.pipe()\n"
        "    def redraw():\n"
        "        drawing()\n"
        "        os.write(done[1], b'.')\n"
        "    progress.redraw = redraw\n"
        "    [*map_in_processes(lambda _: os.read(done[0], 1), iter(range(2)), jobs=2)]\n"
        "    assert 'run: 00:0' in sys.stderr.getvalue()\n"
        "assert os.getpid() not in {who for who, _ in found}, found\n"
        "assert not any(shown for _, shown in found)\n"
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_beside_other_threads_there_are_no_forks() -> None:
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        assert not processes.can_fork()
        found = list(map_in_processes(lambda n: (n, os.getpid()), iter(range(5)), jobs=2))
    finally:
        done.set()
        other.join()
    assert found == [(n, (n, os.getpid())) for n in range(5)]


@forks
def test_workers_end_with_a_process_that_is_killed() -> None:
    code = (
        "import os, signal\n"
        "from glyphone.data.processes import map_in_processes\n"
        "rows = map_in_processes(lambda n: os.getpid(), iter(range(9)), jobs=2)\n"
        "print(next(rows)[1], flush=True)\n"
        "signal.pause()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as one:
        assert one.stdout is not None
        os.kill(int(one.stdout.readline()), 0)
        one.send_signal(signal.SIGKILL)
        # Workers have their process's stdout, whose end is read when the last of them is gone: they
        # have another parent from now on, and look for that once a second.
        assert one.communicate(timeout=20) == ("", None)
