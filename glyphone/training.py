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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from glyphone.calibration import Calibration, calibrate
from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.lexicon import read_lexicon
from glyphone.data.records import Pair, Symbols
from glyphone.data.writing import Writing
from glyphone.evaluation import BOUNDED, Evaluation, evaluate
from glyphone.fst.align import AlignmentOptions, Refusal, fit
from glyphone.fst.answers import available_cores
from glyphone.fst.ensemble import EnsembleModel
from glyphone.fst.joint import JointModel
from glyphone.fst.joint_training import JointOptions, fit_joint

LETTERS, PHONES = Writing(), Writing(unit="token")

# What is left to the number of words, and for how many of them that is an ensemble.
AUTO, ENSEMBLE_WORDS = "auto", (500, 10_000)
Lexicon = str | os.PathLike[str] | Iterable[Pair]
Stage = Callable[[str], None]
Learned = JointModel | EnsembleModel


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What every kind of model is told; `chosen` are the options of its own."""

    source: Writing = LETTERS
    target: Writing = PHONES
    seed: int = 0
    jobs: int = 1
    name: str = ""
    on_stage: Stage | None = None
    chosen: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Learnt:
    """A model, the pairs that it could not learn from, its options and its size in numbers."""

    model: Learned
    refusals: tuple[Refusal, ...]
    options: dict[str, Any]
    sizes: dict[str, int]


@dataclass(frozen=True)
class Kind:
    """How models of one kind are made and saved, and if they come with honest posteriors."""

    learn: Callable[[Sequence[Pair], Settings], Learnt]
    save: Callable[[Any, str], None]
    calibrated: bool = False


class NothingLearnt(GlyphoneError):
    """No pair can be learnt from; `refusals` say why."""

    refusals: tuple[Refusal, ...] = ()

    @classmethod
    def of(cls, refusals: tuple[Refusal, ...]) -> NothingLearnt:
        reason = refusals[0].reason
        error = cls(f"no pair can be learnt from, the first of {len(refusals)} because {reason}")
        error.refusals = refusals
        return error


def learn_joint(pairs: Sequence[Pair], settings: Settings) -> Learnt:
    options = joint_options(settings.chosen, settings.seed)
    try:
        fitted = fit_joint(
            pairs,
            options,
            source=settings.source,
            target=settings.target,
            jobs=settings.jobs,
            name=settings.name or "joint",
        )
    except GlyphoneError as error:
        raise reason_of(error, pairs, options) from error
    model = fitted.model
    sizes = {"units": len(model.units), "n-grams": len(model.ngrams.tokens)}
    return Learnt(model, fitted.refusals, asdict(options), sizes)


def learn_ensemble(pairs: Sequence[Pair], settings: Settings) -> Learnt:
    """Of the options, those that are not of ensembles are of its first member."""
    from glyphone.fst.ensemble_training import EnsembleOptions, fit_ensemble

    own = {field.name for field in fields(EnsembleOptions)} - {"joint"}
    rest = {name: value for name, value in settings.chosen.items() if name not in own}
    joint = joint_options(rest, settings.seed, known=own)
    chosen = {name: value for name, value in settings.chosen.items() if name in own}
    options = EnsembleOptions(joint=joint, **{"seed": settings.seed, **chosen})
    try:
        fitted = fit_ensemble(
            pairs,
            options,
            source=settings.source,
            target=settings.target,
            jobs=settings.jobs,
            name=settings.name or "ensemble",
            on_stage=settings.on_stage,
        )
    except GlyphoneError as error:
        raise reason_of(error, pairs, joint) from error
    models = [member.model for member in fitted.model.members]
    sizes = {
        "units": len(models[0].units),
        "n-grams": sum(len(model.ngrams.tokens) for model in models),
        "members": len(fitted.model.reranker.shares),
    }
    return Learnt(fitted.model, fitted.refusals, {**asdict(options), **fitted.report}, sizes)


def joint_options(
    chosen: Mapping[str, Any], seed: int, *, known: Iterable[str] = ()
) -> JointOptions:
    """Options of a joint model; those of alignments go to the aligner. `known` are for errors."""
    options = JointOptions()
    own = {field.name for field in fields(JointOptions)} - {"alignment"}
    aligner = {field.name for field in fields(AlignmentOptions)} - own
    for name in chosen:
        if name not in own | aligner:
            kind = "an ensemble" if known else "a joint model"
            raise UnknownName(f"option of {kind}", name, own | aligner | {*known})
    cut = {name: value for name, value in chosen.items() if name in aligner}
    alignment = replace(options.alignment, **{"seed": seed, **cut})
    rest = {name: value for name, value in chosen.items() if name in own}
    # Who says how long the target of a unit may be does not want it longer.
    rest = {"seed": seed, "widen": "max_target" not in chosen, **rest}
    return replace(options, alignment=alignment, **rest)


def reason_of(error: GlyphoneError, pairs: Sequence[Pair], options: JointOptions) -> GlyphoneError:
    """The same error, unless it is that no pair can be aligned."""
    refusals = fit(pairs, replace(options.alignment, rounds=0)).refusals
    return error if len(refusals) < len(pairs) else NothingLearnt.of(refusals)


def save_joint(model: Any, path: str) -> None:
    from glyphone.fst import joint_file

    joint_file.save(model, path)


def save_ensemble(model: Any, path: str) -> None:
    from glyphone.fst import ensemble_file

    ensemble_file.save(model, path)


KINDS: dict[str, Kind] = {
    "joint": Kind(learn_joint, save_joint),
    "ensemble": Kind(learn_ensemble, save_ensemble, calibrated=True),
}


@dataclass(frozen=True, eq=False)
class Trained:
    """A model, the pairs that it could not learn from, and how right it is on held-out words.

    `counts` are of pairs, `repeated` ones, words that are `contradictory` (they have several
    pronunciations), units and n-grams.
    """

    kind: str
    model: Learned
    refusals: tuple[Refusal, ...]
    counts: dict[str, int]
    evaluation: Evaluation | None = None
    calibration: Calibration | None = None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file; equal models are equal byte for byte."""
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
    on_stage: Stage | None = None,
    **options: Any,
) -> Trained:
    """A model of a lexicon, given as pairs or as the path of a TSV file.

    The kind "auto" is an ensemble of a lexicon so small that this takes seconds and gains most, and
    else a joint model: see `kind_for`.
    With `dev`, words that are not in the lexicon, the model is evaluated, and unless `calibrated`
    is False its posteriors are fitted to them (those of an ensemble, which are fitted to parts of
    the lexicon already, only if it is True); the figures are kept in its description. `options`
    are those of the kind: for "joint", of `JointOptions` and of `AlignmentOptions`; for "ensemble",
    of `EnsembleOptions` too. What cannot be learnt from is in the answer's `refusals`.
    """
    if kind not in (AUTO, *KINDS):
        raise UnknownName("kind of model", kind, [AUTO, *KINDS])
    if calibrated and dev is None:
        remedy = "give some that are not in the lexicon"
        raise GlyphoneError("posteriors cannot be calibrated without dev words", remedy=remedy)
    jobs = jobs or available_cores()
    tell = on_stage or (lambda stage: None)
    pairs = pairs_of(lexicon, source, target)
    held_out = None if dev is None else pairs_of(dev, source, target)
    if not pairs:
        raise GlyphoneError("there is nothing to train on", remedy="give one pair or more")
    if held_out is not None and not held_out:
        raise GlyphoneError("the dev words are none", remedy="give some, or leave them out")
    kind = kind_for(pairs) if kind == AUTO else kind
    tell("aligning and counting")
    settings = Settings(
        source=source,
        target=target,
        seed=seed,
        jobs=jobs,
        name=name,
        on_stage=on_stage,
        chosen=options,
    )
    learnt = KINDS[kind].learn(pairs, settings)
    model: Any = learnt.model
    calibration, evaluation = None, None
    if calibrated is None:
        calibrated = not KINDS[kind].calibrated
    if held_out is not None and calibrated:
        tell("fitting a temperature")
        calibration = calibrate(model, held_out, jobs=jobs)
        model = replace(model, temperature=calibration.temperature)
    if held_out is not None:
        tell("evaluating")
        evaluation = evaluate(model, held_out, jobs=jobs)
    refused = {refusal.index for refusal in learnt.refusals}
    used = [pair for number, pair in enumerate(pairs) if number not in refused]
    counts = {**counts_of(used), "refused": len(refused), **learnt.sizes}
    description = {
        **model.description,
        "training": {"kind": kind, "seed": seed, **learnt.options},
        "lexicon": {**counts, "digest": digest(pairs)},
        "metrics": metrics(evaluation, calibration),
    }
    if held_out is not None:
        description["dev"] = {"pairs": len(held_out), "digest": digest(held_out)}
    model = replace(model, description=json.loads(json.dumps(description)))
    return Trained(kind, model, learnt.refusals, counts, evaluation, calibration)


def kind_for(pairs: Sequence[Pair]) -> str:
    """Of a few hundred to ten thousand words an ensemble, of more or fewer a joint model.

    >>> kind_for([Pair((letter,), ("x",)) for letter in "abc"])
    'joint'
    """
    fewest, most = ENSEMBLE_WORDS
    return "ensemble" if fewest <= len({pair.source for pair in pairs}) <= most else "joint"


def pairs_of(lexicon: Lexicon, source: Writing, target: Writing) -> list[Pair]:
    """The pairs of a file, or pairs as they are, cut as the model will cut them."""
    if isinstance(lexicon, str | os.PathLike):
        return list(read_lexicon(lexicon, source=source, target=target))
    return [
        Pair(
            source.split(source.join(pair.source)).symbols,
            target.split(target.join(pair.target)).symbols,
            pair.weight,
        )
        for pair in lexicon
    ]


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


def digest(pairs: Iterable[Pair]) -> str:
    """A fingerprint of pairs in any order: the sum of their hashes.

    >>> one, other = Pair(("a",), ("b",)), Pair(("a",), ("c",))
    >>> digest([one, other]) == digest([other, one]) != digest([one, one])
    True
    """
    total = 0
    for pair in pairs:
        row = json.dumps([pair.source, pair.target, float(pair.weight)])
        total += int.from_bytes(hashlib.blake2b(row.encode(), digest_size=16).digest(), "big")
    return f"{total % (1 << 128):032x}"


def metrics(evaluation: Evaluation | None, calibration: Calibration | None) -> dict[str, Any]:
    """What a model file says of the model's accuracy on its dev words."""
    found: dict[str, Any] = {}
    if evaluation is not None:
        found = {name: getattr(evaluation, name) for name in (*BOUNDED, "brier")}
        found |= {"words": evaluation.items, "failed": evaluation.failed}
        found["intervals"] = {name: list(ends) for name, ends in evaluation.intervals.items()}
    if calibration is not None:
        found["calibration"] = asdict(calibration)
    return found
