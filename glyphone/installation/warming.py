"""Machine code compiled before anyone waits for it, by small examples of common work.

>>> list(EXAMPLES)
['rules', 'cascade', 'joint', 'ensemble', 'tree', 'crf', 'voicemail']
>>> len(example_pairs(20))
20
"""

from __future__ import annotations

import contextlib
import io
import random
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from glyphone.catalog.names import load
from glyphone.data import progress
from glyphone.data.errors import NotInstalled
from glyphone.data.kernels import cache_folder, jit
from glyphone.data.records import Hypothesis, Pair
from glyphone.training.train import train

# One transducer, whose strings mostly have one path, and three, which need lattices.
RULES, CASCADE = "spa.letter_to_sound:CASTILIAN", "fra.letter_to_sound:FRENCH"
LETTERS = "abdefgiklmnoprstu"
N_PAIRS, N_MESSAGES = 60, 40


@dataclass(frozen=True)
class Warmth:
    """The number of kernels compiled, the seconds that took, and the folder of machine code."""

    compiled: int
    seconds: float
    cache: str

    def __str__(self) -> str:
        return f"{self.compiled} kernels compiled in {self.seconds:.1f} s\n{self.cache}"


def warm_kernels(examples: Mapping[str, Callable[[Path], None]] | None = None) -> Warmth:
    """Run examples, by default all, with compiled kernels, which stay in the cache."""
    examples = EXAMPLES if examples is None else examples
    before, start = set(cache_folder.cache_entries()), time.perf_counter()
    jit.end_plain_tier()
    with tempfile.TemporaryDirectory() as folder:
        for name, run in progress.steps(examples.items(), "compiling kernels of examples"):
            # Reports of training are of no use here, and errors are raised.
            with progress.step(name), contextlib.redirect_stderr(io.StringIO()):
                run(Path(folder))
    compiled = set(cache_folder.cache_entries()) - before
    return Warmth(len(compiled), time.perf_counter() - start, cache_folder.describe_cache())


def example_pairs(n: int, *, seed: int = 7) -> list[Pair]:
    """Generated words that are written as they sound, in alphabetical order."""
    rng = random.Random(seed)
    words = set[str]()
    while len(words) < n:
        words.add("".join(rng.choices(LETTERS, k=rng.randint(3, 8))))
    return [Pair(tuple(word), tuple(word)) for word in sorted(words)]


def use_model(model: Any) -> None:
    """Answer words with spans and without, with one output and several, and score a pair."""
    words = ["".join(pair.source) for pair in example_pairs(N_PAIRS)]
    answers = [answer for answer in model.apply(words) if isinstance(answer, Hypothesis)]
    model.answer(words)
    model.nbest(words[0], 3)
    model.score(words[0], answers[0].output)


def use_grammar(name: str, folder: Path) -> None:
    """Answer words by a grammar, if it is compiled."""
    with contextlib.suppress(NotInstalled):
        use_model(load(name))


def train_kind(kind: str, folder: Path) -> None:
    """Train a model of some kind, measure it on other words, and answer words by its file."""
    pairs, path = example_pairs(N_PAIRS), folder / f"{kind}.glyphone"
    train(pairs[::2], kind=kind, dev=pairs[1::2]).save(path)
    use_model(load(str(path)))


def train_voicemail(folder: Path, *, n_messages: int = N_MESSAGES, max_iter: int = 5) -> Path:
    """The file of a model of callers and numbers that is trained on generated messages."""
    from glyphone.voicemail import model
    from glyphone.voicemail.callers.options import CallerOptions
    from glyphone.voicemail.generator.generate import generate
    from glyphone.voicemail.training import train_model

    messages, path = list(generate(n_messages, seed=1)), folder / "voicemail.glyphone"
    options = CallerOptions(places=16, max_iter=max_iter, min_count=2)
    model.save(train_model(messages, callers=options), path)
    return path


def use_voicemail(folder: Path) -> None:
    """Train a model of voicemail, and find the callers and numbers of messages by its file."""
    from glyphone.voicemail import model
    from glyphone.voicemail.generator.generate import generate

    found = model.load(train_voicemail(folder))
    list(found.apply(message.words for message in generate(N_MESSAGES, seed=1)))


EXAMPLES: dict[str, Callable[[Path], None]] = {
    "rules": partial(use_grammar, RULES),
    "cascade": partial(use_grammar, CASCADE),
    **{kind: partial(train_kind, kind) for kind in ("joint", "ensemble", "tree", "crf")},
    "voicemail": use_voicemail,
}
