"""Machine code made before anyone waits for it, by small examples of all that people do most.

>>> list(EXAMPLES)
['rules', 'joint', 'ensemble', 'tree', 'crf', 'voicemail']
>>> len(lexicon(20))
20
"""

from __future__ import annotations

import contextlib
import random
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

import glyphone
from glyphone.data.errors import NotInstalled
from glyphone.data.kernels import cache_folder, jit
from glyphone.data.records import Hypothesis, Pair
from glyphone.training.train import train

RULES = "spa.letter_to_sound:CASTILIAN"
SOUNDS = dict(zip("abdefgiklmnoprstu", "a b d e f g i k l m n o p r s t u".split(), strict=True))
N_PAIRS, N_MESSAGES = 60, 40


@dataclass(frozen=True)
class Warmth:
    """How many kernels were compiled, in how many seconds, and the folder that has them all."""

    compiled: int
    seconds: float
    cache: str

    def __str__(self) -> str:
        return f"{self.compiled} kernels compiled in {self.seconds:.1f} s\n{self.cache}"


def warm(examples: Mapping[str, Callable[[Path], None]] | None = None) -> Warmth:
    """Runs all examples, or some, with compiled kernels."""
    examples = EXAMPLES if examples is None else examples
    before, began = set(cache_folder.cache_entries()), time.perf_counter()
    jit.exhaust()
    with tempfile.TemporaryDirectory() as folder:
        for name, run in (bar := tqdm(examples.items(), unit=" examples", disable=None)):
            bar.set_description(name)
            run(Path(folder))
    found = len(set(cache_folder.cache_entries()) - before)
    return Warmth(found, time.perf_counter() - began, cache_folder.describe_cache())


def lexicon(n: int) -> list[Pair]:
    """Words that are written almost as they sound."""
    rng = random.Random(7)
    words = {"".join(rng.choices([*SOUNDS], k=rng.randint(3, 8))) for _ in range(n)}
    return [Pair(tuple(word), tuple(SOUNDS[x] for x in word)) for word in sorted(words)]


def answer(model: Any) -> None:
    """Answers words in all ways: with spans and without, one output and several, and a score."""
    words = ["".join(pair.source) for pair in lexicon(N_PAIRS)]
    answers = [found for found in model.apply(words) if isinstance(found, Hypothesis)]
    model.answer(words)
    model.nbest(words[0], 3)
    model.score(words[0], answers[0].output)


def rules(folder: Path) -> None:
    """Answers words by the rules of a grammar, if it is compiled."""
    with contextlib.suppress(NotInstalled):
        answer(glyphone.load(RULES))


def learnt(kind: str, folder: Path) -> None:
    """Trains a model of some kind, measures it on other words, and answers words by its file."""
    pairs, path = lexicon(N_PAIRS), folder / f"{kind}.glyphone"
    train(pairs[::2], kind=kind, dev=pairs[1::2]).save(path)
    answer(glyphone.load(str(path)))


def voicemail(folder: Path) -> None:
    """Trains a model of generated messages, and finds callers and numbers by its file."""
    from glyphone.voicemail import model
    from glyphone.voicemail.callers.cuts_training import CallerOptions
    from glyphone.voicemail.generator.generate import generate
    from glyphone.voicemail.training import learnt

    messages, path = list(generate(N_MESSAGES, seed=1)), folder / "voicemail.glyphone"
    options = CallerOptions(places=16, max_iter=5, min_count=2)
    model.save(learnt(messages, callers=options), path)
    list(model.load(path).apply(message.words for message in messages))


EXAMPLES: dict[str, Callable[[Path], None]] = {
    "rules": rules,
    **{kind: partial(learnt, kind) for kind in ("joint", "ensemble", "tree", "crf")},
    "voicemail": voicemail,
}
