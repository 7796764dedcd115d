"""From pairs to verdicts: words with all their references, the answers to them, and how far off.

>>> pairs = [Pair(("ñ",), ("x",)), Pair(("n", "\u0303"), ("y",)), Pair(("ñ",), ("x",))]
>>> gather_items(pairs, Writing(), Writing("token"))
([Item(text='ñ', references=(('x',), ('y',)), pairs=(0, 1, 2))], [(2, 0)])
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain

from glyphone.data import progress
from glyphone.data.errors import ItemError, NoOutput
from glyphone.data.records import Pair, Symbols
from glyphone.data.writing import Writing
from glyphone.evaluation import measures
from glyphone.fst.interface.model import Model

# Stress is a digit at a vowel of ARPAbet, or a mark of the IPA.
_STRESSED = re.compile(r"(A[AEHOWXY]|AXR|E[HRY]|I[HXY]|O[WY]|U[HWX])[012]")
_MARKS = str.maketrans("", "", "ˈˌ")


@dataclass(frozen=True)
class Item:
    """A source word, its distinct references, and the numbers (from 0) of their pairs."""

    text: str
    references: tuple[Symbols, ...]
    pairs: tuple[int, ...]


@dataclass(frozen=True)
class Answer:
    """The answer of a model to a word; `rank` is that of the first correct answer, 0 for none.

    `precision` is the word's share in map_ref; `source` is the stage that answered, where several
    could.
    """

    output: Symbols | None
    posterior: float
    rank: int
    truncated: bool = False
    error: ItemError | None = None
    precision: float = 0.0
    source: str = ""


@dataclass(frozen=True)
class Verdict:
    """A word with its answer, the reference nearest to it, and how far they are apart."""

    item: Item
    answer: Answer
    nearest: Symbols
    edits: int
    f_score: float


def gather_items(
    pairs: Iterable[Pair], source: Writing, target: Writing
) -> tuple[list[Item], list[tuple[int, int]]]:
    """Items in the order of their first pairs, and the pairs that only repeat an earlier one.

    Source words are one item if they are canonically equivalent. What else a model takes to be the
    same, such as both cases of a letter, stays apart: Polish and polish are two words to be got
    right, and items must not become fewer, and easier, with a model that looks less closely.
    """
    texts: dict[str, str] = {}
    places_of: dict[str, dict[Symbols, list[int]]] = {}
    repeated = []
    for number, pair in enumerate(pairs):
        text = source.join(pair.source)
        reference = target.split(target.join(pair.target)).symbols
        if not reference:
            raise ItemError("the reference is empty", item=text, remedy="leave the pair out")
        key = unicodedata.normalize("NFC", text)
        texts.setdefault(key, text)
        places = places_of.setdefault(key, {}).setdefault(reference, [])
        if places:
            repeated.append((number, places[0]))
        places.append(number)
    items = [
        Item(texts[key], tuple(references), tuple(sorted(chain.from_iterable(references.values()))))
        for key, references in places_of.items()
    ]
    return items, repeated


def answer_items(
    model: Model, items: Sequence[Item], nbest: int, jobs: int | None
) -> Iterator[Answer]:
    """The answer to each item, in order."""
    cut = model.target.writing.split
    waiting = iter(items)
    texts = (item.text for item in items)
    with progress.step(f"asking {model.name}", len(items)) as asking:
        for answers in model.blocks(texts, n=nbest, jobs=jobs):
            size = len(answers.firsts) - 1
            # The answers come first, for zip takes from both until the shorter one ends.
            for number, item in zip(range(size), waiting, strict=False):
                truncated = number in answers.truncated
                # What a lexicon has its entries from is no stage.
                source = answers.sources[number].partition(":")[0] if answers.sources else ""
                places = range(answers.firsts[number], answers.firsts[number + 1])
                error = answers.failures.get(number)
                if error is None and not places:
                    error = NoOutput("no answer within the budget", item=item.text)
                if error is not None:
                    yield Answer(None, math.nan, 0, truncated, error, source=source)
                    continue
                outputs = [cut(answers.outputs[place]).symbols for place in places]
                correct = [output in item.references for output in outputs]
                rank = correct.index(True) + 1 if True in correct else 0
                precision = measures.average_precision(correct, len(item.references))
                share = answers.posteriors[places[0]]
                yield Answer(outputs[0], share, rank, truncated, precision=precision, source=source)
            asking.advance(size)


def judge_answers(items: Sequence[Item], answers: Sequence[Answer]) -> list[Verdict]:
    """Each answer beside the reference nearest to it."""
    wrong = [pair for pair in zip(items, answers, strict=True) if pair[1].rank != 1]
    compared = [
        (reference, answer.output or ()) for item, answer in wrong for reference in item.references
    ]
    edits = measures.edit_distances(compared).tolist()
    indels = measures.edit_distances(compared, substitution=2).tolist()
    place = 0
    verdicts = []
    for item, answer in zip(items, answers, strict=True):
        output, references = answer.output or (), item.references
        if answer.rank == 1:
            verdicts.append(Verdict(item, answer, output, 0, 1.0))
            continue
        here = slice(place, place + len(references))
        place = here.stop
        distance, nearest = nearest_of(references, edits[here])
        by_indels, matched = nearest_of(references, indels[here])
        f_score = measures.f_score(len(output), len(matched), by_indels)
        verdicts.append(Verdict(item, answer, nearest, distance, f_score))
    return verdicts


def nearest_of(references: Sequence[Symbols], distances: Sequence[int]) -> tuple[int, Symbols]:
    """The smallest distance, and the longest reference at it; of equally long ones the first."""
    return min(
        zip(distances, references, strict=True), key=lambda entry: (entry[0], -len(entry[1]))
    )


def judge_without_stress(items: Sequence[Item], answers: Sequence[Answer]) -> list[Verdict]:
    """Verdicts on the best answers, both sides without stress; none if no reference has any."""
    bare = [
        replace(item, references=tuple(dict.fromkeys(map(without_stress, item.references))))
        for item in items
    ]
    if bare == list(items):
        return []
    bare_answers = []
    for item, answer in zip(bare, answers, strict=True):
        output = None if answer.output is None else without_stress(answer.output)
        bare_answers.append(replace(answer, output=output, rank=int(output in item.references)))
    return judge_answers(bare, bare_answers)


def without_stress(symbols: Symbols) -> Symbols:
    """A pronunciation with nothing said of stress.

    >>> without_stress(("P", "AA1", "L", "IH0")), without_stress(("ˈ", "p", "ˌoʊ", "1"))
    (('P', 'AA', 'L', 'IH'), ('p', 'oʊ', '1'))
    """
    return tuple(bare for bare in map(_bare, symbols) if bare)


@cache
def _bare(symbol: str) -> str:
    vowel = _STRESSED.fullmatch(symbol)
    return vowel[1] if vowel else symbol.translate(_MARKS)
