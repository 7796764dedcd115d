"""The kinds of models that can be trained: how each is learnt from pairs, and what it is told.

>>> lexicon = {"phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> learnt = KINDS["joint"].learn(pairs, Settings(target=Writing(), chosen={"order": 4}))
>>> learnt.model("graphi").output, learnt.options["order"], sorted(learnt.sizes)
('grafi', 4, ['n-grams', 'units'])
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar

from glyphone.crf.model import CrfModel
from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.records import Pair
from glyphone.data.writing import LETTERS, PHONES, Writing
from glyphone.fst import align
from glyphone.fst.align import AlignmentOptions, Refusal
from glyphone.fst.ensemble import EnsembleModel
from glyphone.fst.joint import JointModel
from glyphone.fst.joint_training import JointOptions, fit_joint
from glyphone.kanji.model import KanjiModel
from glyphone.names.model import NameModel
from glyphone.tree_model import TreeModel

if TYPE_CHECKING:
    from glyphone.crf.training import CrfOptions
    from glyphone.tree_training import TreeOptions

Options = TypeVar("Options", JointOptions, "TreeOptions", "CrfOptions")
Fitted = TypeVar("Fitted")
AUTO: Final = "auto"
CHANNEL: Final = "channel"
NAMES: Final = "names"
# For how many words a kind that is left open is an ensemble.
ENSEMBLE_WORDS = (500, 10_000)
Stage = Callable[[str], None]
Learned = JointModel | EnsembleModel | TreeModel | CrfModel | NameModel | KanjiModel


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
    """How models of one kind are made, which module saves them, and if posteriors are honest."""

    learn: Callable[[Sequence[Pair], Settings], Learnt]
    files: str
    calibrated: bool = False

    def save(self, model: Learned, path: str) -> None:
        import_module(self.files).save(model, path)


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
    fitted = fitted_by(fit_joint, pairs, options, options.alignment, settings, name="joint")
    model = fitted.model
    sizes = {"units": len(model.units), "n-grams": len(model.ngrams.tokens)}
    return Learnt(model, fitted.refusals, asdict(options), sizes)


def learn_ensemble(pairs: Sequence[Pair], settings: Settings) -> Learnt:
    """Of the options, `judges` names models of other kinds, `unlabelled` is a file of words."""
    from glyphone.crf import teaching
    from glyphone.fst.agreement import read_words
    from glyphone.fst.ensemble_members import EnsembleOptions
    from glyphone.fst.ensemble_training import fit_ensemble

    own = {field.name for field in fields(EnsembleOptions)} - {"joint"}
    rest = {k: v for k, v in settings.chosen.items() if k not in {*own, "judges", "unlabelled"}}
    joint = joint_options(rest, settings.seed, known=own | {"judges", "unlabelled"})
    chosen = {"seed": settings.seed, **{k: v for k, v in settings.chosen.items() if k in own}}
    options = EnsembleOptions(joint=joint, **chosen)
    judges = teaching.named(settings.chosen.get("judges"), joint.alignment, len(pairs))
    teachers = teaching.teachers_of(judges, seed=settings.seed)
    words = read_words(settings.chosen.get("unlabelled"))
    fit = partial(fit_ensemble, on_stage=settings.on_stage, teachers=teachers, unlabelled=words)
    fitted = fitted_by(fit, pairs, options, joint.alignment, settings, name="ensemble")
    sizes = {
        "units": len(fitted.model.first.units),
        "n-grams": sum(len(member.model.ngrams.tokens) for member in fitted.model.members),
        "members": len(fitted.model.reranker.shares),
    }
    told = {**asdict(options), "judges": judges, **fitted.report}
    return Learnt(fitted.model, fitted.refusals, told, sizes)


def learn_tree(pairs: Sequence[Pair], settings: Settings) -> Learnt:
    from glyphone.tree_training import TreeOptions, fit_tree

    defaults = TreeOptions.of(trees=settings.chosen.get("trees", 1))
    options = with_alignment(defaults, settings.chosen, settings.seed, kind="a tree")
    fitted = fitted_by(fit_tree, pairs, options, options.alignment, settings, name="tree")
    trees = fitted.model.trees
    sizes = {
        "units": len(fitted.model.units),
        "trees": len(trees),
        "nodes": sum(len(tree.nodes) for tree in trees),
        "leaves": sum(int(tree.leaves.sum()) for tree in trees),
    }
    return Learnt(fitted.model, fitted.refusals, asdict(options), sizes)


def learn_crf(pairs: Sequence[Pair], settings: Settings) -> Learnt:
    from glyphone.crf.training import CrfOptions, fit_crf
    from glyphone.learners.crf.estimator import MEMORY

    kind = "a conditional random field"
    options = with_alignment(CrfOptions(), settings.chosen, settings.seed, kind=kind)
    fit = partial(fit_crf, verbose=sys.stderr.isatty() or MEMORY)
    fitted = fitted_by(fit, pairs, options, options.alignment, settings, name="crf")
    table = fitted.model.table
    sizes = {
        "labels": len(fitted.model.chunks),
        "windows": table.n_nodes,
        "weights": len(table.weights) + len(table.pair_weights),
    }
    told = {**asdict(options), "ended": fitted.ended, "iterations done": len(fitted.history)}
    return Learnt(fitted.model, fitted.refusals, told, sizes)


def learn_names(pairs: Sequence[Pair], settings: Settings) -> Learnt:
    """Of the options, `language` is a code or a file, `words` a list; the others are of the joint
    model."""
    from glyphone.names import languages, training, words

    rest = dict(settings.chosen)
    try:
        language = languages.find(rest.pop("language"))
    except KeyError:
        remedy = f"one of {', '.join(languages.codes())}, or a .toml file"
        raise GlyphoneError("names of which language?", remedy=remedy) from None
    rest.pop("best_form", None)
    chosen = rest.pop("words", None)
    code = language.code.removesuffix(languages.TO_LATIN)
    listed = [] if chosen is None else words.read(chosen, code, language.script)
    defaults = training.options_of(language)
    options = with_alignment(defaults, rest, settings.seed, kind="names")
    fitted = training.fit_names(
        pairs, language, options=options, words=listed, jobs=settings.jobs, name=settings.name
    )
    joint = fitted.model.joint
    sizes = {"units": len(joint.units), "n-grams": len(joint.ngrams.tokens)}
    told = {**asdict(options), "language": language.code, "words": chosen}
    return Learnt(fitted.model, fitted.refusals, told, sizes)


def learn_channel(pairs: Sequence[Pair], settings: Settings) -> Learnt:
    """Of the options, `names` is a list of names without readings, and `promote` a dictionary that
    the model has for its own; `with_kana` lets kana in, and `modern_forms` no old kanji."""
    from glyphone.kanji import training
    from glyphone.kanji.mixtures import KanjiOptions

    rest = dict(settings.chosen)
    rest.pop("best_form", None)
    listed, with_kana = rest.pop("names", None), rest.pop("with_kana", False)
    promoted, modern_forms = rest.pop("promote", None), rest.pop("modern_forms", False)
    own = {field.name for field in fields(KanjiOptions)}
    for name in rest:
        if name not in own:
            known = own | {"names", "promote", "with_kana", "modern_forms"}
            raise UnknownName("option of a channel", name, known)
    options = KanjiOptions(**rest)
    dictionary = tuple(training.read_dictionary(promoted)) if promoted else ()
    fitted = training.fit_kanji(
        pairs,
        names=training.read_names(listed) if listed else (),
        options=options,
        with_kana=with_kana,
        modern_forms=modern_forms,
        jobs=settings.jobs,
        name=settings.name,
    )
    model = replace(fitted.model, dictionary=dictionary)
    joint = model.romaji
    sizes = {"units": len(joint.units), "n-grams": len(joint.ngrams.tokens)}
    told = {**asdict(options), "names": listed, "promote": promoted, "with_kana": with_kana}
    told["modern_forms"] = modern_forms
    return Learnt(model, fitted.refusals, told, sizes)


def joint_options(
    chosen: Mapping[str, Any], seed: int, *, known: Iterable[str] = ()
) -> JointOptions:
    """Options of a joint model; `known` are those of an ensemble, for errors."""
    kind = "an ensemble" if known else "a joint model"
    return with_alignment(JointOptions(), chosen, seed, kind=kind, known=known)


def with_alignment(
    options: Options,
    chosen: Mapping[str, Any],
    seed: int,
    *,
    kind: str,
    known: Iterable[str] = (),
) -> Options:
    """Options with what is chosen; those of alignments go to the aligner."""
    own = {field.name for field in fields(options)} - {"alignment"}
    aligner = {field.name for field in fields(AlignmentOptions)} - own
    for name in chosen:
        if name not in own | aligner:
            raise UnknownName(f"option of {kind}", name, own | aligner | {*known})
    cut = {name: value for name, value in chosen.items() if name in aligner}
    alignment = replace(options.alignment, **{"seed": seed, **cut})
    rest = {name: value for name, value in chosen.items() if name in own}
    # Who says how long the target of a unit may be does not want it longer.
    rest = {"seed": seed, "widen": "max_target" not in chosen, **rest}
    return replace(options, alignment=alignment, **rest)


def fitted_by(
    fit: Callable[..., Fitted],
    pairs: Sequence[Pair],
    options: object,
    alignment: AlignmentOptions,
    settings: Settings,
    *,
    name: str,
) -> Fitted:
    """What a fit makes of pairs, by the name of its kind unless another is given.

    Where no pair can be aligned, the error says why.
    """
    try:
        return fit(
            pairs,
            options,
            source=settings.source,
            target=settings.target,
            jobs=settings.jobs,
            name=settings.name or name,
        )
    except GlyphoneError as error:
        refusals = align.fit(pairs, replace(alignment, rounds=0)).refusals
        if len(refusals) < len(pairs):
            raise
        raise NothingLearnt.of(refusals) from error


KINDS: dict[str, Kind] = {
    "joint": Kind(learn_joint, "glyphone.fst.joint_file"),
    "ensemble": Kind(learn_ensemble, "glyphone.fst.ensemble_file", calibrated=True),
    NAMES: Kind(learn_names, "glyphone.names.files"),
    CHANNEL: Kind(learn_channel, "glyphone.kanji.files", calibrated=True),
    "tree": Kind(learn_tree, "glyphone.tree_file"),
    "crf": Kind(learn_crf, "glyphone.crf.files"),
}


def kind_for(pairs: Sequence[Pair]) -> str:
    """Of a few hundred to ten thousand words an ensemble, of more or fewer a joint model.

    >>> kind_for([Pair((letter,), ("x",)) for letter in "abc"])
    'joint'
    """
    fewest, most = ENSEMBLE_WORDS
    return "ensemble" if fewest <= len({pair.source for pair in pairs}) <= most else "joint"
