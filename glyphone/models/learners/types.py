"""Types of objects in files of learners: names that stay, whatever modules are called by then.

A file names each of our types as this table does, with a version: where the attributes of a type
change so that older files would be misread, the type gets another name, and the old one a reader.
Each names the class where it lives now, and the check of an object from a file before
anything follows its numbers: a file may come from a stranger.

>>> find_type("glyphone.decision-tree.v1").home
'glyphone.learners.trees.arrays:Tree'
>>> name_of(find_type("glyphone.decision-tree.v1").load())
'glyphone.decision-tree.v1'
>>> find_type("glyphone.nothing.v1")
Traceback (most recent call last):
glyphone.models.learners.types.UnknownType: glyphone.nothing.v1
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from glyphone.models.learners.checks import (
    candidacy_problem,
    chain_problem,
    choices_problem,
    classes_problem,
    clusters_problem,
    columns_problem,
    combinations_problem,
    contexts_problem,
    counts_problem,
    encoder_problem,
    family_problem,
    grams_problem,
    latent_learner_problem,
    latent_problem,
    markov_problem,
    matcher_problem,
    phrases_problem,
    recoded_problem,
    segment_field_problem,
    segment_tests_problem,
    segment_weights_problem,
    segments_problem,
    sequence_problem,
    shape_problem,
    space_problem,
    span_filter_problem,
    tagger_problem,
    tests_problem,
    tree_problem,
    trees_problem,
    vocabulary_problem,
)

Check = Callable[[Any], str | None]
OURS = "glyphone."


class UnknownType(ValueError):
    """A name that is in neither table; the name."""


def no_kernels(_: Any) -> str | None:
    """For types of whose arrays none come to compiled kernels: numpy looks at every index."""
    return None


@dataclass(frozen=True)
class Type:
    """Where a class lives, as `module:Class`, and the check of its objects."""

    home: str
    check: Check

    def load(self) -> type:
        module, _, name = self.home.partition(":")
        found: type = getattr(import_module(module), name)
        return found


TYPES = {
    "glyphone.symbolic-tree.v1": Type(
        "glyphone.learners.trees.estimator:SymbolicTree", trees_problem
    ),
    "glyphone.symbolic-forest.v1": Type(
        "glyphone.learners.trees.ensembles:SymbolicForest", trees_problem
    ),
    "glyphone.symbolic-boosting.v1": Type(
        "glyphone.learners.trees.ensembles:SymbolicBoosting", trees_problem
    ),
    "glyphone.decision-tree.v1": Type("glyphone.learners.trees.arrays:Tree", tree_problem),
    "glyphone.symbol-columns.v1": Type("glyphone.learners.trees.columns:Columns", columns_problem),
    "glyphone.sequence-crf.v1": Type(
        "glyphone.learners.crf.estimator:SequenceCRF", sequence_problem
    ),
    "glyphone.crf-chain.v1": Type("glyphone.learners.crf.chain.model:ChainModel", chain_problem),
    "glyphone.crf-features.v1": Type(
        "glyphone.learners.crf.features.numbering:Tests", tests_problem
    ),
    "glyphone.crf-weight-space.v1": Type(
        "glyphone.learners.crf.kernels.arrays:Space", space_problem
    ),
    "glyphone.crf-weight-family.v1": Type(
        "glyphone.learners.crf.kernels.arrays:Family", family_problem
    ),
    "glyphone.crf-label-choices.v1": Type(
        "glyphone.learners.crf.chain.choices:Choices", choices_problem
    ),
    "glyphone.latent-crf.v1": Type(
        "glyphone.learners.latent.estimator:LatentCRF", latent_learner_problem
    ),
    "glyphone.latent-field.v1": Type("glyphone.learners.latent.model:LatentModel", latent_problem),
    "glyphone.latent-shape.v1": Type("glyphone.learners.latent.arrays:Shape", shape_problem),
    "glyphone.latent-weights.v1": Type("glyphone.learners.latent.arrays:Grams", grams_problem),
    "glyphone.markov-tagger.v1": Type(
        "glyphone.learners.entities.tagger:MarkovTagger", tagger_problem
    ),
    "glyphone.markov-model.v1": Type(
        "glyphone.learners.entities.markov:MarkovModel", markov_problem
    ),
    "glyphone.markov-counts.v1": Type(
        "glyphone.learners.entities.markov_kernels:Counts", counts_problem
    ),
    "glyphone.markov-contexts.v1": Type(
        "glyphone.learners.sequences.contexts:Contexts", contexts_problem
    ),
    "glyphone.known-words.v1": Type("glyphone.learners.sequences.words:KnownWords", no_kernels),
    "glyphone.word-clusters.v1": Type(
        "glyphone.learners.sequences.clusters:Clusters", clusters_problem
    ),
    "glyphone.word-classes.v1": Type(
        "glyphone.learners.clusters.estimator:WordClasses", classes_problem
    ),
    "glyphone.entity-recognizer.v1": Type(
        "glyphone.learners.entities.recognizer:EntityRecognizer", no_kernels
    ),
    "glyphone.phrase-features.v1": Type(
        "glyphone.learners.entities.phrases:PhraseFeatures", phrases_problem
    ),
    "glyphone.semi-markov-crf.v1": Type(
        "glyphone.learners.semimarkov.estimator:SemiMarkovCRF", segments_problem
    ),
    "glyphone.segment-field.v1": Type(
        "glyphone.learners.semimarkov.model:SegmentModel", segment_field_problem
    ),
    "glyphone.segment-candidacy.v1": Type(
        "glyphone.learners.semimarkov.model:Candidacy", candidacy_problem
    ),
    "glyphone.span-filter.v1": Type(
        "glyphone.learners.semimarkov.bayes:SpanFilter", span_filter_problem
    ),
    "glyphone.segment-features.v1": Type(
        "glyphone.learners.semimarkov.features:SegmentTests", segment_tests_problem
    ),
    "glyphone.segment-weights.v1": Type(
        "glyphone.learners.semimarkov.arrays:Features", segment_weights_problem
    ),
    "glyphone.poisson-nb.v1": Type("glyphone.learners.counts.bayes:PoissonNB", no_kernels),
    "glyphone.negative-binomial-nb.v1": Type(
        "glyphone.learners.counts.bayes:NegativeBinomialNB", no_kernels
    ),
    "glyphone.zero-inflated-poisson-nb.v1": Type(
        "glyphone.learners.counts.bayes:ZeroInflatedPoissonNB", no_kernels
    ),
    "glyphone.zero-inflated-negative-binomial-nb.v1": Type(
        "glyphone.learners.counts.bayes:ZeroInflatedNegativeBinomialNB", no_kernels
    ),
    "glyphone.bernoulli-nb.v1": Type("glyphone.learners.counts.bayes:BernoulliNB", no_kernels),
    "glyphone.binomial-nb.v1": Type("glyphone.learners.counts.bayes:BinomialNB", no_kernels),
    "glyphone.beta-binomial-nb.v1": Type(
        "glyphone.learners.counts.bayes:BetaBinomialNB", no_kernels
    ),
    "glyphone.zero-inflated-binomial-nb.v1": Type(
        "glyphone.learners.counts.bayes:ZeroInflatedBinomialNB", no_kernels
    ),
    "glyphone.utility-logistic-regression.v1": Type(
        "glyphone.learners.utility.classifier:UtilityLogisticRegression", no_kernels
    ),
    "glyphone.combination-classifier.v1": Type(
        "glyphone.learners.combinations.estimator:CombinationClassifier", combinations_problem
    ),
    "glyphone.name-matcher.v1": Type(
        "glyphone.learners.matching.matcher:NameMatcher", matcher_problem
    ),
    "glyphone.name-measure.v1": Type("glyphone.learners.matching.measure:NameMeasure", no_kernels),
    "glyphone.string-measure.v1": Type(
        "glyphone.learners.matching.strings:StringMeasure", no_kernels
    ),
    "glyphone.context-measure.v1": Type(
        "glyphone.learners.matching.contexts:ContextMeasure", no_kernels
    ),
    "glyphone.spelling-measure.v1": Type(
        "glyphone.learners.matching.across:SpellingMeasure", no_kernels
    ),
}

# Names in files of format 1: the paths of classes as they were at 87eee11. They are written
# without their first two names, so that nobody who moves modules takes them for paths of today.
_OLD_BEGINNING = "glyphone.learners."
_OLD_PATHS = {
    "counts.bayes.BernoulliNB": "glyphone.bernoulli-nb.v1",
    "counts.bayes.BetaBinomialNB": "glyphone.beta-binomial-nb.v1",
    "counts.bayes.BinomialNB": "glyphone.binomial-nb.v1",
    "counts.bayes.NegativeBinomialNB": "glyphone.negative-binomial-nb.v1",
    "counts.bayes.PoissonNB": "glyphone.poisson-nb.v1",
    "counts.bayes.ZeroInflatedBinomialNB": "glyphone.zero-inflated-binomial-nb.v1",
    "counts.bayes.ZeroInflatedNegativeBinomialNB": "glyphone.zero-inflated-negative-binomial-nb.v1",
    "counts.bayes.ZeroInflatedPoissonNB": "glyphone.zero-inflated-poisson-nb.v1",
    "crf.arrays.Family": "glyphone.crf-weight-family.v1",
    "crf.arrays.Space": "glyphone.crf-weight-space.v1",
    "crf.choices.Choices": "glyphone.crf-label-choices.v1",
    "crf.estimator.SequenceCRF": "glyphone.sequence-crf.v1",
    "crf.model.ChainModel": "glyphone.crf-chain.v1",
    "crf.observations.Tests": "glyphone.crf-features.v1",
    "entities.contexts.Contexts": "glyphone.markov-contexts.v1",
    "entities.markov.Markov": "glyphone.markov-model.v1",
    "entities.markov_kernels.Counts": "glyphone.markov-counts.v1",
    "entities.phrases.PhraseFeatures": "glyphone.phrase-features.v1",
    "entities.recognizer.EntityRecognizer": "glyphone.entity-recognizer.v1",
    "entities.tagger.MarkovTagger": "glyphone.markov-tagger.v1",
    "entities.words.Known": "glyphone.known-words.v1",
    "tree_arrays.Tree": "glyphone.decision-tree.v1",
    "tree_columns.Columns": "glyphone.symbol-columns.v1",
    "tree_ensembles.SymbolicBoosting": "glyphone.symbolic-boosting.v1",
    "tree_ensembles.SymbolicForest": "glyphone.symbolic-forest.v1",
    "trees.SymbolicTree": "glyphone.symbolic-tree.v1",
    "utility.classifier.UtilityLogisticRegression": "glyphone.utility-logistic-regression.v1",
}
OLD_NAMES = {_OLD_BEGINNING + path: name for path, name in _OLD_PATHS.items()}

# Classes of scikit-learn that make sparse matrices out of numbers that they were given, which
# compiled code of scipy then follows. They have the names that scikit-learn gives them.
SCIKIT_CHECKS: dict[str, Check] = {
    "sklearn.feature_extraction._dict_vectorizer.DictVectorizer": vocabulary_problem,
    "sklearn.feature_extraction.text.CountVectorizer": vocabulary_problem,
    "sklearn.feature_extraction.text.TfidfVectorizer": vocabulary_problem,
    "sklearn.preprocessing._encoders.OneHotEncoder": encoder_problem,
    "sklearn.preprocessing._label.MultiLabelBinarizer": recoded_problem,
}

_NAMES = {kind.home: name for name, kind in TYPES.items()}


def find_type(name: str) -> Type:
    """The type of a name, or of a path of a class in files of format 1."""
    found = TYPES.get(OLD_NAMES.get(name, name))
    if found is None:
        raise UnknownType(name)
    return found


def name_of(kind: type) -> str | None:
    """The name of a class in files; None for a class that no file may hold."""
    return _NAMES.get(f"{kind.__module__}:{kind.__qualname__}")
