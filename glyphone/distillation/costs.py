"""The cost of a model: bytes on disk, and words per second on one core.

>>> from glyphone.fst.transducers.model import TransducerModel
>>> from glyphone.fst.rules.cascade import cascade
>>> model = TransducerModel.of(cascade(letters="a b", phones="x y", rules=["a -> x", "b -> y"]))
>>> cost = cost_of(model, ["ab", "ba"], seconds=0.01)
>>> cost.bytes > cost.compressed > 0, cost.words_per_second > 0
(True, True)
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from glyphone.data import progress
from glyphone.fst.interface.model import Model
from glyphone.fst.transducers.model import TransducerModel

if TYPE_CHECKING:
    from _typeshed import StrPath

SECONDS = 1.0


@dataclass(frozen=True)
class Cost:
    """Bytes as stored, and after zlib, both None where the file of a model is not known.

    Of a compiled grammar the bytes are those of the transducers of one rule, as an archive has
    them; of a learned model those of its file.
    """

    bytes: int | None
    compressed: int | None
    words_per_second: float


def cost_of(
    model: Model, words: Sequence[str], *, path: StrPath | None = None, seconds: float = SECONDS
) -> Cost:
    """The cost of a model; its bytes are those of the file at `path`, if it was read from one."""
    data = stored_bytes(model, path)
    speed = words_per_second(model, words, seconds=seconds)
    if data is None:
        return Cost(None, None, speed)
    return Cost(len(data), len(zlib.compress(data)), speed)


def stored_bytes(model: Model, path: StrPath | None) -> bytes | None:
    if isinstance(model, TransducerModel):
        from glyphone.fst.automata.openfst import to_bytes

        return b"".join(to_bytes(machine) for machine in model.machines)
    return None if path is None else Path(path).read_bytes()


@progress.step("measuring speed")
def words_per_second(model: Model, words: Sequence[str], *, seconds: float = SECONDS) -> float:
    """How many best answers a model gives in a second of one core, the words over and over.

    The seconds are those of this process, so that others do not slow it down. It has run as long
    before, so that what is compiled, loaded or kept at first use is there.
    """
    count_answers(model, words, seconds)
    done, taken = count_answers(model, words, seconds)
    return done / taken


def count_answers(model: Model, words: Sequence[str], seconds: float) -> tuple[int, float]:
    """How many words are answered until the time is over, and the time."""
    began, done = time.process_time(), 0
    with closing(model.blocks(cycle(words), jobs=1)) as blocks:  # type: ignore[type-var]
        for answers in blocks:
            done += len(answers.firsts) - 1
            taken = time.process_time() - began
            if taken >= seconds:
                break
    return done, taken
