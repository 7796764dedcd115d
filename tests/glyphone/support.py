"""The command line run inside the test, or in a process of its own."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from glyphone.cli import main

TOY = r'''"""A few rules for tests."""

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade

LOWER = Writing(case="lower")
PLAIN = cascade(
    letters=[*"abchñ "],
    phones=r"a b k tʃ ɲ |",
    source=LOWER,
    rules=r"""
    c h -> tʃ      ; a digraph
    c   -> k
    h   -> ∅       ; silent
    ñ   -> ɲ
    \   -> \|
    """,
)
MANY = cascade(
    letters="a b c",
    phones="a b c",
    ambiguous=True,
    rules="b -> b <0.75> | c <0.25>",
)
PARTIAL = cascade(letters="a b", phones="a", partial=True, rules="a b -> a")
'''

GOOD_AND_BAD = "cha\nÑa\n\nzz\nca\tsecond column\nn\u0303a\na\0\nAB AB\nzz\n"
GOOD_AND_BAD_ROWS = (
    "cha\ttʃ a\t1\nÑa\tɲ a\t1\n\t\t1\nca\tk a\t1\nn\u0303a\tɲ a\t1\nAB AB\ta b | a b\t1\n"
)


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


def glyphone(*words: str | Path, stdin: bytes = b"") -> Ran:
    """`glyphone WORDS`, here and now."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    handler = signal.getsignal(signal.SIGTERM)
    with mock.patch.object(sys, "stdin", given), redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(list(map(str, words)))
        except SystemExit as exit_:
            code = int(exit_.code or 0)
        finally:
            signal.signal(signal.SIGTERM, handler)
    for stream in (out, err):
        stream.flush()
    texts = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
    return Ran(code, *texts)


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "glyphone", *map(str, words)]


def process(*words: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """`glyphone WORDS` in a process of its own."""
    environment = {**os.environ, **options.pop("env", {})}
    return subprocess.run(
        command(*words), capture_output=True, encoding="utf-8", env=environment, **options
    )


def judged(model: Any, texts: Sequence[str], outputs: Sequence[Sequence[str]]) -> list[float]:
    """The scores of outputs for texts by a judge of an ensemble, end to end."""
    rows = [model.source.encode(text).labels for text in texts]
    flat = [model.target.encode(output).labels for row in outputs for output in row]
    found: list[float] = model.score_outputs(
        np.array([x for row in rows for x in row], np.int32),
        np.cumsum([0, *map(len, rows)]),
        np.cumsum([0, *map(len, outputs)]),
        np.cumsum([0, *map(len, flat)]),
        np.array([x for row in flat for x in row], np.int32),
    ).tolist()
    return found


def scores(model: Any, texts: Sequence[str], outputs: Sequence[Sequence[str]]) -> list[float]:
    """The scores of outputs for texts by a model of its own, one by one."""
    return [
        model.score(text, output).log_probability
        for text, row in zip(texts, outputs, strict=True)
        for output in row
    ]
