"""The filter: of candidates those whose native word a model of the others finds for the Latin one.

It starts from an alignment of all candidates: a true pair is far more likely than its letters and
symbols are apart,

    score = (ln P(x, y) - ln P(x) - ln P(y)) / (|x| + |y|)

and the better part by that score is the first training set. Then, round by round, a model is
trained on what was kept, and what has its native word among the n best answers to the Latin word
is kept next (Jansche and Sproat 2009). Words are divided into folds, and a pair is judged by a
model that saw neither its Latin word nor its native one, whatever stood beside them: a translation
cannot vouch for itself, however many places have it in their names.

In the end what is far less likely than the best answer to its Latin word is dropped ("far"), as
is what is far less likely than another native word that is kept for it ("rival"), and a word with a
letter that few others have ("rare letter"). Where a language shares its script, a name in another
one is often near: there all but the best answer are far.

>>> from glyphone.models.names.languages import find_language
>>> from glyphone.models.names.script import script_of
>>> from glyphone.models.names.mining.candidates import candidates_of
>>> from glyphone.data.records import NamePair
>>> words = {"rana": "राना", "nara": "नारा", "ran": "रान", "nar": "नार", "ara": "आरा", "an": "आन"}
>>> names = [NamePair(*pair, "test", pair[0], "name") for pair in words.items()]
>>> names.append(NamePair("naan", "रोटी", "test", "naan", "name"))
>>> script = script_of(find_language("hin"))
>>> pool = candidates_of(names, script)
>>> verdicts = judge_candidates(pool.candidates, script, FilterOptions(seed_share=0.8)).verdicts
>>> [one.reason for one in verdicts if one.candidate.latin == "naan"]
['not found']
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError
from glyphone.data.lexicons.splits import point_of_word
from glyphone.data.records import Pair
from glyphone.fst.alignment.training import AlignmentOptions, fit
from glyphone.fst.joint.training import fit_joint
from glyphone.models.names.languages import Language
from glyphone.models.names.mining.candidates import Candidate
from glyphone.models.names.model import NameModel
from glyphone.models.names.script import Script
from glyphone.models.names.training import LATIN, options_of

NOT_FOUND, FAR, RIVAL, RARE = "not found", "far", "rival", "rare letter"
# Models that only judge need no long histories, and are trained for every round and fold.
ORDER = 4
# A model of few pairs needs most of them.
MANY, FOLDS_OF_MANY, FOLDS_OF_FEW = 20_000, 2, 8
UNCHANGED = 0.05
# How near to the best answer a word must be, where other languages share the script or not.
OWN_FAR, SHARED_FAR = 0.002, 1.0
# Of several spellings that a model knows of, one by one the likeliest may be of another language.
SHARED_LEAST = 0.5


@dataclass(frozen=True, kw_only=True)
class FilterOptions:
    """How candidates are judged; `far` and `rival` are shares of the better one's posterior.

    None leaves `far` to whether other languages share the script.
    """

    nbest: int = 10
    rounds: int = 4
    seed_share: float = 0.6
    far: float | None = None
    rival: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("nbest", "rounds"):
            if getattr(self, name) < 1:
                raise GlyphoneError(f"{name} is {getattr(self, name)}", remedy="at least 1")
        for name, value in (("seed_share", self.seed_share), ("rival", self.rival)):
            if not 0 < value <= 1:
                raise GlyphoneError(f"{name} is {value}", remedy="more than 0, at most 1")


@dataclass(frozen=True)
class Verdict:
    """A candidate, and "" or the reason why it is dropped.

    `rank` counts from 1, 0 for not found; `posterior` is that of its native word, and `best` that
    of the best answer.
    """

    candidate: Candidate
    reason: str = NOT_FOUND
    rank: int = 0
    posterior: float = 0.0
    best: float = 0.0


@dataclass(frozen=True)
class Round:
    """How many were learnt from and found, and how many of these are others than before."""

    learnt: int
    found: int
    changed: int


@dataclass(frozen=True)
class Judged:
    verdicts: list[Verdict]
    rounds: list[Round]


def judge_candidates(
    candidates: Sequence[Candidate],
    script: Script,
    options: FilterOptions | None = None,
    *,
    jobs: int = 1,
) -> Judged:
    """A verdict on each candidate."""
    options = options or FilterOptions()
    pairs = [one.pair for one in candidates]
    texts = [script.writing.join(pair.target) for pair in pairs]
    folds = FOLDS_OF_MANY if len(pairs) >= MANY else FOLDS_OF_FEW
    fold = [int(folds * point_of_word(pair.source, seed=options.seed)) for pair in pairs]
    kept = seed_pairs(pairs, options, jobs=jobs)
    rounds: list[Round] = []
    verdicts: list[Verdict] = [Verdict(one) for one in candidates]
    for _ in progress.steps(range(options.rounds), "judging pairs of names"):
        for number in progress.steps(range(folds), "models of the other parts"):
            held = [item for item, own in enumerate(fold) if own == number]
            hidden = {texts[item] for item in held}
            learnt = [
                pairs[item]
                for item in sorted(kept)
                if fold[item] != number and texts[item] not in hidden
            ]
            if not held or not learnt:
                continue
            found = verdicts_on(
                [candidates[item] for item in held],
                [texts[item] for item in held],
                model_of(learnt, script, jobs=jobs),
                n=options.nbest,
            )
            for item, verdict in zip(held, found, strict=True):
                verdicts[item] = verdict
        now = {item for item, verdict in enumerate(verdicts) if not verdict.reason}
        rounds.append(Round(len(kept), len(now), len(now ^ kept)))
        kept = now
        if rounds[-1].changed <= UNCHANGED * len(kept):
            break
    far = far_of(script.language) if options.far is None else options.far
    least = least_of(script.language) if options.far is None else 0.0
    verdicts = [drop_far(one, far, least) for one in verdicts]
    verdicts = without_rare_letters(verdicts, script.language.sources.rare_letter)
    return Judged(without_rivals(verdicts, options.rival), rounds)


def far_of(language: Language) -> float:
    """The share of the best answer's posterior that a word must have, by what script it shares."""
    sources = language.sources
    if sources.far is not None:
        return sources.far
    return SHARED_FAR if sources.letters else OWN_FAR


def least_of(language: Language) -> float:
    """The posterior that a word must have itself, where other languages share the script."""
    sources = language.sources
    if sources.least is not None:
        return sources.least
    return SHARED_LEAST if sources.letters else 0.0


def seed_pairs(pairs: Sequence[Pair], options: FilterOptions, *, jobs: int) -> set[int]:
    """The better part of pairs by their alignment."""
    alignment = AlignmentOptions(rounds=8, tolerance=1e-3, seed=options.seed)
    joint = fit(pairs, alignment, jobs=jobs).lattices(pairs, jobs=jobs).costs
    apart: Any = 0.0
    for side in (0, 1):
        counts = Counter(symbol for pair in pairs for symbol in pair_side(pair, side))
        total = sum(counts.values())
        costs = {symbol: -math.log(count / total) for symbol, count in counts.items()}
        apart = apart + np.array([sum(costs[s] for s in pair_side(pair, side)) for pair in pairs])
    scores = (apart - joint) / np.array([len(p.source) + len(p.target) for p in pairs])
    order = np.argsort(-scores, kind="stable")[: math.ceil(options.seed_share * len(pairs))]
    return {item for item in order.tolist() if math.isfinite(scores[item])}


def pair_side(pair: Pair, side: int) -> tuple[str, ...]:
    return pair.target if side else pair.source


def model_of(pairs: Sequence[Pair], script: Script, *, jobs: int) -> NameModel:
    """A model that judges: it writes what a script reads, and needs no writer."""
    chosen = options_of(script.language)
    options = replace(chosen, order=min(ORDER, chosen.order), windows=False)
    fitted = fit_joint(pairs, options, source=LATIN, target=script.writing, jobs=jobs)
    return NameModel(replace(script.language, cased=False), fitted.model)


def verdicts_on(
    candidates: Sequence[Candidate], texts: Sequence[str], model: NameModel, *, n: int
) -> list[Verdict]:
    """Whether a model finds the native words of candidates among its n best."""
    words = list(dict.fromkeys(one.latin for one in candidates))
    places = {word: place for place, word in enumerate(words)}
    answers = model.answer(words, n=n)
    verdicts = []
    for one, text in zip(candidates, texts, strict=True):
        place = places[one.latin]
        first, last = answers.firsts[place], answers.firsts[place + 1]
        outputs = answers.outputs[first:last]
        if text in outputs:
            rank = outputs.index(text)
            shares = answers.posteriors[first + rank], answers.posteriors[first]
            verdicts.append(Verdict(one, "", rank + 1, *shares))
        else:
            verdicts.append(Verdict(one))
    return verdicts


def drop_far(verdict: Verdict, far: float, least: float) -> Verdict:
    if verdict.reason or verdict.posterior >= max(far * verdict.best, least):
        return verdict
    return replace(verdict, reason=FAR)


def without_rare_letters(verdicts: Sequence[Verdict], least: int) -> list[Verdict]:
    """Without words that have a letter of fewer than so many words, such as ș."""
    words = {one.candidate.latin for one in verdicts if not one.reason}
    counts = Counter(letter for word in words for letter in set(word))
    return [
        replace(one, reason=RARE)
        if not one.reason and min(counts[letter] for letter in one.candidate.latin) < least
        else one
        for one in verdicts
    ]


def without_rivals(verdicts: Sequence[Verdict], rival: float) -> list[Verdict]:
    """Of several native words for one Latin word the best, and those close to it."""
    best: dict[str, float] = {}
    for one in verdicts:
        if not one.reason:
            best[one.candidate.latin] = max(best.get(one.candidate.latin, 0.0), one.posterior)
    return [
        replace(one, reason=RIVAL)
        if not one.reason and one.posterior < rival * best[one.candidate.latin]
        else one
        for one in verdicts
    ]
