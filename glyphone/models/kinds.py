"""The registry of kinds of models: how each is trained, saved, loaded, explained, measured, drawn.

A kind is one entry. Modules stand in it as names, imported when they are needed, so that reading
the registry costs nothing. A new kind needs an entry, and modules of its own:

    register(Kind(
        name="mine",
        summary="models of mine",
        contents="package.file",               to_contents, from_contents, save
        learn="package.training:learn_mine",   from pairs and `LearningSettings` to `LearningResult`
        options=(*LEXICON, "depth"),
        arguments="package.arguments:add_depth_argument",
    ))

The attribute `kind` of a model is the name of its kind. Answers, scores and the reasons of answers
are methods of `Model`, and need nothing here.

>>> KINDS["tree"].learn, trainable_kinds()
('glyphone.models.trees.training:learn_tree', ['auto', 'channel', 'clusters', 'crf', ...
'voicemail'])
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.fst.storage import registry as storage_registry

if TYPE_CHECKING:
    from glyphone.fst.interface.model import Model

AUTO: Final = "auto"
# Options of `glyphone evaluate` for models of words.
OF_WORDS = (
    *("source_column", "target_column", "source_unit", "target_unit"),
    *(
        "slice_column",
        "slices",
        "lexicon",
        "weight_column",
        "promote",
        "names_are",
        "nbest",
        "relatives",
    ),
)
FROM_LEXICON = "glyphone.training.files:train_lexicon"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of model; functions are named as "module:function".

    `contents` is the module that puts models into files and takes them out; models of kinds without
    one are saved as the kind `file`. A kind is trained from pairs by `learn`, or, where it is not
    from a lexicon that it learns, by `train_file(path, output, dev=, seed=, jobs=, **options)`,
    which returns how many entries it refused. `options` are those that `glyphone train` takes for
    it; `arguments` adds to a parser those that no other kind has added.

    With an option of `marks`, a kind is trained in place of another: names instead of what would be
    chosen by the number of words, if there is a language.
    """

    name: str
    summary: str = ""
    contents: str = ""
    file: str = ""
    learn: str = ""
    train_file: str = ""
    options: tuple[str, ...] = ()
    arguments: str = ""
    marks: tuple[str, ...] = ()
    in_place_of: str = ""
    # From strings to strings, as `Model` has it.
    answers: bool = True
    # Tells whether two names are one.
    compares: bool = False
    # Not in files of its own, only inside those of others.
    part: bool = False
    # Large, and with some way from almost any word to any output, unlike rules that people wrote.
    learned: bool = True
    # Posteriors are fitted in training already, so that dev words need not serve for it.
    calibrated: bool = False
    # Of names in two scripts: sides are text, not units, and no option helps what is refused.
    of_names: bool = False
    # From the name of a model or file to the model.
    load: str = "glyphone.catalog.names:load"
    # From a model, a text and how many answers, to explanations that can be printed; if any.
    explain: str = "glyphone.models.explanation:explain"
    # From a model, an item and a format, to a picture; without, its lattice is drawn.
    draw: str = ""
    # From a model and a format, to a picture of all of it; without, its transducer is drawn.
    picture: str = ""
    # Files that are no containers of models, by the end of their names.
    suffix: str = ""
    # From a model and a gold file to an evaluation, and how many items failed or were refused
    # (`glyphone.evaluation.wrong.measure`); empty for kinds without files of their own.
    measure: str = "glyphone.evaluation.files:measure_file"
    # Options of it, beside those of all kinds.
    measured_with: tuple[str, ...] = OF_WORDS
    # Options of a small model that is learnt from the answers of a large one.
    distilled: str = ""

    @property
    def trainable(self) -> bool:
        return bool(self.learn or self.train_file)

    def load_model(self, name: str) -> Any:
        """The model of a name or file of this kind."""
        return resolve_name(self.load)(name)

    def save(self, model: Any, path: str) -> None:
        """Writes the file of a model."""
        import_module(self.contents).save(model, path)

    def train(
        self,
        path: str,
        output: str,
        *,
        dev: str | None = None,
        seed: int = 0,
        jobs: int | None = None,
        options: Mapping[str, Any],
    ) -> int:
        """Trains on a file, saves and measures; returns how many entries were refused."""
        arguments: dict[str, Any] = {"dev": dev, "seed": seed, "jobs": jobs, **options}
        if self.train_file:
            refused: int = resolve_name(self.train_file)(path, output, **arguments)
        else:
            refused = resolve_name(FROM_LEXICON)(path, output, kind=self.name, **arguments)
        return refused

    def check_measuring(self, options: Iterable[str]) -> None:
        """Refuses an option of `glyphone evaluate` that is for other kinds."""
        for option in options:
            if option not in self.measured_with:
                having = ", ".join(
                    one.name
                    for one in KINDS.values()
                    if one.contents and option in one.measured_with
                )
                told = "--" + option.replace("_", "-")
                message = f"{told} does not go with models of kind {self.name}"
                raise GlyphoneError(message, remedy=f"leave it out; it is for {having}")

    def check(self, options: Iterable[str]) -> None:
        """Refuses an option of other kinds; the error names them."""
        for option in options:
            if option not in self.options:
                others = [one for one in trainable_kinds() if option in KINDS[one].options]
                having = ", ".join(one for one in others if one != AUTO)
                remedy = f"leave it out, or choose a kind that has it: {having}"
                message = f"no option of {self.name} named {option!r}"
                raise GlyphoneError(message, remedy=remedy)


KINDS: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Adds a kind to the registry: for training, files, and the command line."""
    KINDS[kind.name] = kind
    if kind.contents:
        storage_registry.register(kind.name, kind.contents)


def resolve_name(name: str) -> Any:
    """The function, or value, of a name, "module:function"."""
    module, attribute = name.split(":")
    return getattr(import_module(module), attribute)


def find_kind(name: str) -> Kind:
    """The kind of a name, if models of it can be trained."""
    if name not in trainable_kinds():
        raise UnknownName("kind of model", name, trainable_kinds())
    return KINDS[name]


def choose_kind(name: str, options: Collection[str]) -> Kind:
    """The kind of a name, or the kind that takes its place with some of the options.

    >>> choose_kind("crf", ["rho1"]).name, choose_kind("crf", ["rho1", "patterns"]).name
    ('crf', 'tagger')
    """
    for kind in KINDS.values():
        if kind.in_place_of == name and not {*kind.marks}.isdisjoint(options):
            return kind
    return find_kind(name)


def kind_of_suffix(name: str) -> Kind | None:
    """The kind of files that are no containers of models, by the end of a name.

    >>> kind_of_suffix("voicemail.toml").name, kind_of_suffix("eng.glyphone")
    ('pipeline', None)
    """
    return next((x for x in KINDS.values() if x.suffix and name.endswith(x.suffix)), None)


def trainable_kinds() -> list[str]:
    """The kinds that can be trained from files, by name."""
    return sorted(name for name, kind in KINDS.items() if kind.trainable)


def answering_kinds(*, parts: bool = False) -> list[str]:
    """The kinds of models from strings to strings that have files, or are inside those of others.

    >>> answering_kinds()
    ['channel', 'crf', 'ensemble', 'joint', 'names', 'tree']
    """
    return sorted(
        name
        for name, kind in KINDS.items()
        if kind.contents and kind.answers and (parts or not kind.part)
    )


def load(path: str | os.PathLike[str]) -> Model:
    """The model in a file, whatever its kind."""
    from glyphone.fst.storage import container as storage_container

    model: Model = storage_registry.from_contents(
        storage_container.read(path, kinds=answering_kinds()), path=path
    )
    return model


LEXICON = (
    *("source_column", "target_column", "weight_column", "kind_column"),
    *("source_unit", "target_unit", "case", "normal_form", "name", "calibrate", "errors"),
)
_UNITS = ("max_source", "max_target")
_JOINT = (*LEXICON, *_UNITS, "order", "smoothing", "windows")
_ENSEMBLE = (*_JOINT, "members", "margin", "reranker", "judges", "unlabelled")
_OF_LABELS: dict[str, Any] = {
    "load": "glyphone.models.learners.file:load",
    "explain": "",
    "measure": "glyphone.tagging.gold:measure_file",
    "measured_with": ("scheme", "nbest", "against"),
}
_FIELD = ("min_count", "optimizer", "rho1", "rho2", "iterations", "polish", "memory")

for _kind in (
    Kind(
        name=AUTO,
        summary="an ensemble of 500 to 10,000 words, else a joint model; names with --language",
        train_file="glyphone.training.files:train_auto",
        options=_ENSEMBLE,
        answers=False,
        measure="",
        measured_with=(),
    ),
    Kind(
        name="joint",
        summary="n-grams of units of letters and phones",
        contents="glyphone.fst.joint.file",
        learn="glyphone.fst.joint.training:learn_joint",
        options=_JOINT,
        arguments="glyphone.cli.arguments.joint:add_joint_arguments",
    ),
    Kind(
        name="ensemble",
        summary="joint models and others that judge them: the most accurate, and slower",
        contents="glyphone.fst.ensembles.file",
        learn="glyphone.models.ensembles:learn_ensemble",
        options=_ENSEMBLE,
        arguments="glyphone.cli.arguments.joint:add_ensemble_arguments",
        calibrated=True,
    ),
    Kind(
        name="names",
        summary="names into and out of scripts",
        contents="glyphone.models.names.file",
        learn="glyphone.models.names.training:learn_names",
        options=(*_JOINT, "language", "words"),
        arguments="glyphone.cli.arguments.names:add_name_arguments",
        in_place_of=AUTO,
        marks=("language",),
        of_names=True,
    ),
    Kind(
        name="channel",
        summary="Japanese names: kanji restored, and read",
        compares=True,
        contents="glyphone.models.kanji.file",
        learn="glyphone.models.kanji.training:learn_channel",
        options=(
            *(*LEXICON, "order", "smoothing"),
            *("names", "channel_share", "promote", "with_kana", "modern_forms"),
        ),
        arguments="glyphone.cli.arguments.names:add_channel_arguments",
        calibrated=True,
        of_names=True,
    ),
    Kind(
        name="tree",
        summary="decision trees over windows of letters",
        contents="glyphone.models.trees.file",
        learn="glyphone.models.trees.training:learn_tree",
        options=(
            *(*LEXICON, *_UNITS),
            *("left", "right", "previous", "backward", "trees", "min_leaf", "confidence"),
        ),
        arguments="glyphone.cli.arguments.trees:add_tree_arguments",
        distilled="glyphone.models.trees.training:DISTILLED",
    ),
    Kind(
        name="crf",
        summary="a conditional random field over letters",
        contents="glyphone.models.crf.file",
        learn="glyphone.models.crf.training:learn_crf",
        options=(*LEXICON, *_UNITS, *_FIELD, "templates", "pairs", "watched"),
        arguments="glyphone.cli.arguments.crf:add_crf_arguments",
    ),
    Kind(
        name="tagger",
        summary="labels of tokens in columns, by the learner that is named",
        file="learner",
        train_file="glyphone.tagging.columns:train_file",
        options=(
            *(*_FIELD, "weights_of", "patterns", "resume"),
            *("learner", "states", "order", "decoder", "starts", "clusters"),
            *("max_length", "filter"),
        ),
        arguments="glyphone.cli.arguments.taggers:add_tagger_arguments",
        in_place_of="crf",
        marks=("patterns", "resume", "learner"),
        answers=False,
        **_OF_LABELS,
    ),
    Kind(
        name="entities",
        summary="named entities, from tokens with labels in columns",
        file="learner",
        train_file="glyphone.tagging.entities:train_file",
        options=(
            *("scheme", "clusters", "learner", "max_length", "filter"),
            *("min_count", "rho1", "rho2", "iterations"),
        ),
        arguments="glyphone.cli.arguments.taggers:add_entity_arguments",
        answers=False,
        **_OF_LABELS,
    ),
    Kind(
        name="clusters",
        summary="classes of words, from plain text, for taggers and recognisers",
        train_file="glyphone.tagging.clusters:train_file",
        options=("classes", "read", "min_count", "iterations"),
        arguments="glyphone.cli.arguments.taggers:add_class_arguments",
        answers=False,
        measure="",
        measured_with=(),
    ),
    Kind(
        name="voicemail",
        summary="callers and numbers, from what `glyphone voicemail generate` writes",
        contents="glyphone.voicemail.model",
        train_file="glyphone.voicemail.training:train_file",
        options=("callers",),
        arguments="glyphone.cli.arguments.voicemail:add_caller_arguments",
        answers=False,
        load="glyphone.voicemail.model:load",
        explain="glyphone.voicemail.display.explanation:explain",
        draw="glyphone.voicemail.display.pictures:draw_item",
        measure="glyphone.voicemail.measuring:measure_file",
        measured_with=(),
    ),
    Kind(
        name="matcher",
        summary="names that are one, from pairs of names labelled yes and no",
        contents="glyphone.matching.file",
        train_file="glyphone.matching.training:train_file",
        options=("errors", "strength", "min_count"),
        arguments="glyphone.cli.arguments.matching:add_matcher_arguments",
        answers=False,
        compares=True,
        load="glyphone.matching.file:load_named",
        explain="",
        measure="glyphone.matching.measuring:measure_file",
        measured_with=(),
    ),
    Kind(
        name="learner",
        contents="glyphone.models.learners.file",
        answers=False,
        picture="glyphone.drawing.training:draw_training",
        **_OF_LABELS,
    ),
    Kind(
        name="pipeline",
        contents="glyphone.pipelines.file",
        suffix=".toml",
        answers=False,
        load="glyphone.pipelines.pipeline:load",
        explain="",
        measure="glyphone.pipelines.measuring:measure_file",
        measured_with=("nbest",),
    ),
    Kind(
        name="transducer",
        contents="glyphone.fst.transducers.file",
        part=True,
        learned=False,
    ),
    Kind(
        name="spelling",
        contents="glyphone.fst.ensembles.spelling",
        answers=False,
        part=True,
        measure="",
        measured_with=(),
    ),
):
    register(_kind)
