"""Models from lexicons: one function for every kind of model, with what came of it.

>>> lexicon = {"phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> trained = train(pairs, target=Writing(), order=4)
>>> trained.model("graphi").output
'grafi'
>>> trained.model.description["training"]["order"], trained.counts["pairs"]
(4, 5)
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.lexicons.tsv import read_lexicon
from glyphone.data.parallel import available_cores
from glyphone.data.records import Pair, Symbols
from glyphone.data.writing import LETTERS, PHONES, Writing
from glyphone.evaluation.evaluate import BOUNDED, Evaluation, evaluate
from glyphone.fst.alignment.training import Refusal
from glyphone.fst.interface.learning import LearningResult, LearningSettings
from glyphone.fst.interface.model import Learned
from glyphone.models.kinds import AUTO, KINDS, resolve_name
from glyphone.training.calibration import Calibration, calibrate

# For how many words a kind that is left open is an ensemble.
ENSEMBLE_WORDS = (500, 10_000)
Lexicon = str | os.PathLike[str] | Iterable[Pair]


@dataclass(frozen=True, eq=False)
class Trained:
    """A model, the pairs that it could not learn from, and how right it is on held-out words.

    `counts` are of pairs, `repeated` ones, words that are `contradictory` (they have several
    pronunciations), and `sizes` of the model, such as units and n-grams.
    """

    kind: str
    model: Learned
    refusals: tuple[Refusal, ...]
    counts: dict[str, int]
    evaluation: Evaluation | None = None
    calibration: Calibration | None = None
    sizes: dict[str, int] = field(default_factory=dict)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file; equal models are equal byte for byte."""
        with progress.step(f"saving {os.fspath(path)}"):
            KINDS[self.kind].save(self.model, os.fspath(path))


def train(
    lexicon: Lexicon,
    *,
    kind: str = AUTO,
    dev: Lexicon | None = None,
    source: Writing = LETTERS,
    target: Writing = PHONES,
    calibrated: bool | None = None,
    seed: int = 0,
    jobs: int | None = None,
    name: str = "",
    **options: Any,
) -> Trained:
    """A model of a lexicon, given as pairs or as the path of a TSV file.

    The kind "auto" is an ensemble of a lexicon so small that this takes seconds and gains most, and
    else a joint model: see `kind_for`.
    With `dev`, words that are not in the lexicon, the model is evaluated, and unless `calibrated`
    is False its posteriors are fitted to them (those of an ensemble, which are fitted to parts of
    the lexicon already, only if it is True); the figures are kept in its description. `options`
    are those of the kind: for "joint", of `JointOptions` and of `AlignmentOptions`; for "ensemble",
    of `EnsembleOptions` too. `refusals` of the result are the pairs that cannot be aligned.
    """
    check_kind(kind)
    if calibrated and dev is None:
        remedy = "give some that are not in the lexicon"
        raise GlyphoneError("posteriors cannot be calibrated without dev words", remedy=remedy)
    jobs = jobs or available_cores()
    pairs = pairs_of(lexicon, source, target)
    held_out = None if dev is None else pairs_of(dev, source, target)
    if not pairs:
        raise GlyphoneError("there is nothing to train on", remedy="give one pair or more")
    if held_out is not None and not held_out:
        raise GlyphoneError("the dev words are none", remedy="give some, or leave them out")
    kind = kind_for(pairs) if kind == AUTO else kind
    settings = LearningSettings(
        source=source,
        target=target,
        seed=seed,
        jobs=jobs,
        name=name,
        chosen=options,
    )
    learnt: LearningResult = resolve_name(KINDS[kind].learn)(pairs, settings)
    model: Any = learnt.model
    calibration, evaluation = None, None
    if calibrated is None:
        calibrated = not KINDS[kind].calibrated
    if held_out is not None and calibrated:
        calibration = calibrate(model, held_out, jobs=jobs)
        model = replace(model, temperature=calibration.temperature)
    if held_out is not None:
        # Names have no inflected forms.
        learnt_words = () if KINDS[kind].of_names else (source.join(pair.source) for pair in pairs)
        evaluation = evaluate(model, held_out, jobs=jobs, learnt=learnt_words)
    counts = {**counts_of_learnt(pairs, learnt.refusals), **learnt.sizes}
    description = {
        **model.description,
        "training": {"kind": kind, "seed": seed, **learnt.options},
        "lexicon": {**counts, "digest": digest_of_pairs(pairs)},
        "metrics": metrics_of_dev(evaluation, calibration),
    }
    if held_out is not None:
        description["dev"] = {"pairs": len(held_out), "digest": digest_of_pairs(held_out)}
    model = replace(model, description=json.loads(json.dumps(description)))
    return Trained(kind, model, learnt.refusals, counts, evaluation, calibration, learnt.sizes)


def check_kind(kind: str) -> None:
    """Refuses a kind that is not learnt from pairs."""
    known = [AUTO, *(one.name for one in KINDS.values() if one.learn)]
    if kind not in known:
        raise UnknownName("kind of model", kind, known)


def kind_for(pairs: Sequence[Pair]) -> str:
    """Of a few hundred to ten thousand words an ensemble, of more or fewer a joint model.

    >>> kind_for([Pair((letter,), ("x",)) for letter in "abc"])
    'joint'
    """
    fewest, most = ENSEMBLE_WORDS
    return "ensemble" if fewest <= len({pair.source for pair in pairs}) <= most else "joint"


@progress.step("cutting words into symbols")
def pairs_of(lexicon: Lexicon, source: Writing, target: Writing) -> list[Pair]:
    """The pairs of a file, or pairs as they are, cut as the model will cut them."""
    if isinstance(lexicon, str | os.PathLike):
        return list(read_lexicon(lexicon, source=source, target=target))
    return [
        Pair(
            source.split(source.join(pair.source)).symbols,
            target.split(target.join(pair.target)).symbols,
            pair.weight,
            pair.kind,
        )
        for pair in lexicon
    ]


def counts_of_learnt(pairs: Sequence[Pair], refusals: Iterable[Refusal]) -> dict[str, int]:
    """The counts of pairs without those that were refused, and how many these are."""
    refused = {refusal.index for refusal in refusals}
    used = [pair for number, pair in enumerate(pairs) if number not in refused]
    return {**counts_of(used), "refused": len(refused)}


def counts_of(pairs: Sequence[Pair]) -> dict[str, int]:
    """How many pairs there are, how many only repeat another, and how many words contradict."""
    targets: dict[Symbols, set[Symbols]] = {}
    for pair in pairs:
        targets.setdefault(pair.source, set()).add(pair.target)
    return {
        "pairs": len(pairs),
        "words": len(targets),
        "repeated": len(pairs) - sum(map(len, targets.values())),
        "contradictory": sum(len(found) > 1 for found in targets.values()),
    }


@progress.step("adding up the fingerprint of pairs")
def digest_of_pairs(pairs: Iterable[Pair]) -> str:
    """A fingerprint of pairs in any order: the sum of their hashes.

    >>> one, other = Pair(("a",), ("b",)), Pair(("a",), ("c",))
    >>> digest_of_pairs([one, other]) == digest_of_pairs([other, one])
    True
    >>> digest_of_pairs([one, other]) == digest_of_pairs([one, one])
    False
    """
    total = 0
    for pair in pairs:
        kind = [pair.kind] if pair.kind else []
        row = json.dumps([pair.source, pair.target, float(pair.weight), *kind])
        total += int.from_bytes(hashlib.blake2b(row.encode(), digest_size=16).digest(), "big")
    return f"{total % (1 << 128):032x}"


def metrics_of_dev(
    evaluation: Evaluation | None, calibration: Calibration | None
) -> dict[str, Any]:
    """The accuracy and calibration of a model on its dev words, for its description."""
    metrics: dict[str, Any] = {}
    if evaluation is not None:
        metrics = {name: getattr(evaluation, name) for name in (*BOUNDED, "brier")}
        metrics |= {"words": evaluation.items, "failed": evaluation.failed}
        metrics["intervals"] = {name: list(ends) for name, ends in evaluation.intervals.items()}
    if calibration is not None:
        metrics["calibration"] = asdict(calibration)
    return metrics
