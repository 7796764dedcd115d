"""A teacher, its words, and `glyphone distill`, for tests of distillation."""

from __future__ import annotations

from itertools import product

from glyphone.data.lexicons.splits import point_of_word
from glyphone.fst.interface.model import Model
from tests.glyphone.support import Ran, glyphone

LETTERS = "aceho"
WORDS = ["".join(letters) for n in (1, 2, 3, 4) for letters in product(LETTERS, repeat=n)]
FAST = {"seconds": 0.001, "jobs": 1}
RULES = r'''"""A teacher for tests."""

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade

TEACHER = cascade(
    letters="a c e h o z",
    phones="a k s ʃ e o z",
    source=Writing(case="lower"),
    rules=["c h -> ʃ", "c -> s / _ e", "c -> k", "h -> ∅", "e -> ∅ / _ #"],
)
'''


def run(*words: str, stdin: str = "") -> Ran:
    given = ("--words", "words") if "--words" not in words else ()
    named = ("t.far:TEACHER",) if not any(word.startswith("t.far:") for word in words) else ()
    options = ("-o", "m.glyphone", "--jobs", "1")
    return glyphone("distill", *named, *words, *given, *options, stdin=stdin.encode())


def is_held_out(word: str, share: float = 0.1, seed: int = 0) -> bool:
    return point_of_word(tuple(word), seed=seed) >= 1 - share


def outputs(model: Model, words: list[str]) -> list[str]:
    return [found.output if found else "-" for found in model.apply(words, jobs=1)]
