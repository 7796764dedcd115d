"""Checks of the arrays of a learner from a file, before compiled code follows their indices.

A check returns the fault of an object, or None. It looks at the types of arrays too: kernels
are compiled for those that fitting makes. Indices are compared with bounds, never
by differences, which might overflow.

>>> from glyphone.learners.trees.estimator import SymbolicTree
>>> tree = SymbolicTree(min_leaf=1).fit([["a"], ["b"]], ["x", "y"]).tree_
>>> tree_problem(tree), tree_problem(tree._replace(classes=tree.classes + 1))
(None, 'a tree has classes that there are not')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from glyphone.learners.crf.chain.choices import Choices
from glyphone.learners.crf.chain.model import ChainModel
from glyphone.learners.crf.features import weights as features_weights
from glyphone.learners.crf.features.numbering import Tests
from glyphone.learners.crf.kernels.arrays import Family, Space
from glyphone.learners.entities.markov_kernels import Counts
from glyphone.learners.latent import model as latent_model
from glyphone.learners.latent.arrays import Grams, Shape
from glyphone.learners.latent.model import LatentModel
from glyphone.learners.semimarkov import model as semimarkov_model
from glyphone.learners.semimarkov.arrays import Features
from glyphone.learners.semimarkov.bayes import SpanFilter
from glyphone.learners.semimarkov.features import SegmentTests
from glyphone.learners.semimarkov.model import Candidacy, SegmentModel
from glyphone.learners.semimarkov.templates import FILTERING, parse_templates
from glyphone.learners.sequences.clusters import Clusters
from glyphone.learners.sequences.contexts import Contexts
from glyphone.learners.sequences.words import KnownWords
from glyphone.learners.trees.arrays import ATTRIBUTE, LEAF, Tree
from glyphone.learners.trees.columns import Columns

if TYPE_CHECKING:
    from glyphone.learners.entities.markov import MarkovModel

INDICES, CODES, NUMBERS = ("int32", "int64"), ("uint8", "int32"), ("float64",)
# The columns of a tree, but for its nodes and tables.
COLUMNS = {
    **dict.fromkeys("decisions parents widths starts classes".split(), INDICES),
    **dict.fromkeys("totals counts".split(), NUMBERS),
}


def tree_problem(tree: Tree) -> str | None:
    """The first problem of the arrays of a tree."""
    columns = all(is_array(getattr(tree, name), types) for name, types in COLUMNS.items())
    if not columns or not is_array(tree.tables, CODES) or not is_array(tree.nodes, INDICES, 2):
        return "the arrays of a tree have no shape, or not the types that they should have"
    if type(tree.n_classes) is not int or not is_number(tree.smoothing):
        return "a tree has no number of classes, or no smoothing"
    n, starts = len(tree.nodes), tree.starts
    sizes = [len(tree.parents), len(tree.totals), len(tree.decisions), len(starts) - 1]
    if not n or tree.nodes.shape[1] != 3 or sizes != [n] * 4:
        return "the arrays of a tree do not fit together"
    if len(tree.counts) != len(tree.classes) or not is_division(starts, len(tree.classes)):
        return "the counts of a tree are not divided among its nodes"
    for numbers in (tree.classes, tree.decisions):
        if not all_within(numbers, tree.n_classes):
            return "a tree has classes that there are not"
    behind = (tree.parents < np.arange(n)).all() and tree.parents.min() >= LEAF
    return None if behind and branches_lead_on(tree) else "the nodes of a tree are no tree"


def branches_lead_on(tree: Tree) -> bool:
    """Whether every branch leads to a node behind its own."""
    for node in np.flatnonzero(tree.nodes[:, ATTRIBUTE] != LEAF).tolist():
        attribute, offset, before = tree.nodes[node].tolist()
        if not 0 <= attribute < len(tree.widths) or offset < 0 or before < node:
            return False
        table = tree.tables[offset : offset + int(tree.widths[attribute])]
        if not 0 < len(table) == tree.widths[attribute]:
            return False
        if table.min() < 0 or before + int(table.max()) >= len(tree.nodes):
            return False
    return True


def columns_problem(columns: Columns) -> str | None:
    """The first problem of the symbols of columns, which give the widths of their codes."""
    symbols = columns.symbols
    valid = type(symbols) is tuple and all(type(row) is tuple for row in symbols)
    return None if valid else "the symbols of columns are not listed column by column"


def trees_problem(learner: Any) -> str | None:
    """The first problem of a learner of trees, each of which has been checked alone."""
    found = vars(learner)
    trees = found.get("trees_", ())
    if type(trees) is not tuple or not all(type(tree) is Tree for tree in trees):
        return "its trees are none"
    if not trees:
        return None
    if type(found.get("columns_")) is not Columns or not is_flat(found.get("classes_")):
        return "its trees have no columns, or no classes"
    for tree in trees:
        if not np.array_equal(tree.widths, found["columns_"].widths):
            return "its trees ask about other columns than it has"
        if tree.n_classes != len(found["classes_"]):
            return "its trees have other classes than it has"
    return None


def contexts_problem(contexts: Contexts) -> str | None:
    """The first problem of the values of contexts, whose number is that of the rows that follow."""
    names, keys = contexts.contexts, contexts.keys
    if type(contexts.known) is not KnownWords or not are_texts(names) or type(keys) is not list:
        return "there are no contexts, or none with values"
    if len(keys) != len(names) or not all(is_array(key, INDICES) and len(key) for key in keys):
        return "contexts do not have values each"
    codes = contexts.codes
    valid = type(codes) is dict and all(type(numbers) is dict for numbers in codes.values())
    if not valid or not all(type(n) is int for row in codes.values() for n in row.values()):
        return "the values of features have no codes"
    return None


def clusters_problem(clusters: Clusters) -> str | None:
    """The first problem of the bit strings of words, which become values of columns."""
    bits, counts = clusters.bits, clusters.counts
    if type(bits) is not dict or type(counts) is not dict:
        return "its classes have no words"
    texts = are_texts((*bits, *bits.values(), *counts))
    counted = all(type(count) is int for count in counts.values())
    return None if texts and counted else "its words have no classes, or no counts"


def classes_problem(classes: Any) -> str | None:
    """The first problem of a learner of classes, whose bit strings have been checked alone."""
    found = vars(classes)
    if "clusters_" not in found:
        return None
    fits = type(found["clusters_"]) is Clusters and are_texts(found.get("bits_"))
    return None if fits else "its words have no classes"


def counts_problem(counts: Counts) -> str | None:
    """The first problem of counts of labels behind labels."""
    if not all(is_array(array, INDICES) for array in (counts.starts, counts.labels, counts.counts)):
        return "the counts of labels have no shape, or not the types that they should have"
    if not all(type(n) is int and n > 0 for n in (counts.n_before, counts.n_labels)):
        return "there are counts of no labels"
    if counts.n_labels > counts.n_before:
        return "labels stand behind labels that there are not"
    if len(counts.labels) != len(counts.counts) or not is_division(
        counts.starts, len(counts.labels)
    ):
        return "the counts of labels are not divided among contexts"
    if not all_within(counts.labels, counts.n_labels):
        return "there are counts of labels that there are not"
    return None if counts.counts.min(initial=1) > 0 else "labels are counted less than once"


def markov_problem(model: MarkovModel) -> str | None:
    """The reason why the kernels of a conditional Markov model could look up counts that are not
    there, or None.
    """
    counts, order, cuts = model.counts, model.order, model.cuts
    if type(counts) is not Counts or type(model.contexts) is not Contexts:
        return "a model has no counts, or no contexts"
    if not is_array(model.biases, NUMBERS, 2) or not is_array(model.weights, NUMBERS):
        return "the weights of chains have no shape, or not the types that they should have"
    if model.biases.shape != (counts.n_before, counts.n_labels):
        return "the counts of labels have no shape"
    if type(model.start) is not int or not 0 <= model.start < counts.n_before:
        return "labels stand behind labels that there are not"
    if len(counts.starts) != model.contexts.size * counts.n_before + 1:
        return "there are not as many counts as contexts"
    if (
        not is_array(order, INDICES)
        or not is_array(cuts, INDICES)
        or not is_division(cuts, len(order))
    ):
        return "contexts are not divided among chains"
    if model.weights.shape != (len(cuts) - 1,):
        return "there are not as many weights as chains"
    if not all_within(order, len(model.contexts.contexts)):
        return "chains look at contexts that there are not"
    return None


def tagger_problem(tagger: Any) -> str | None:
    """The first problem of a tagger by such a model, which has been checked alone."""
    from glyphone.learners.entities.markov import MarkovModel  # brings optimisers, which take long

    model = vars(tagger).get("model_")
    if model is None:
        return None
    if type(model) is not MarkovModel:
        return "its model is none"
    classes = vars(tagger).get("classes_")
    fits = is_flat(classes) and len(classes) == model.counts.n_labels
    return None if fits else "its model has other labels than it has"


def tests_problem(tests: Tests) -> str | None:
    """The first problem of the numbers of tests."""
    known = (tests.unigrams, tests.bigrams)
    return None if all(map(is_numbered, known)) else "its tests are not numbered"


def family_problem(family: Family) -> str | None:
    """The first problem of the arrays of a family of weights; see `chain_problem` for the rest."""
    indices = (family.firsts, family.lasts, family.cells_at, family.cells)
    valid = all(is_array(array, INDICES) for array in indices) and is_array(family.dues, NUMBERS)
    return None if valid else "the arrays of tests have no shape, or not the types of such arrays"


def space_problem(space: Space) -> str | None:
    """The first problem of the parts of a space; see `chain_problem` for the rest."""
    families = (space.unigrams, space.bigrams)
    if type(space.n_labels) is not int or not all(type(one) is Family for one in families):
        return "there is no number of labels, or no families of tests"
    pairs = is_array(space.befores, INDICES) and is_array(space.afters, INDICES)
    return None if pairs else "pairs of labels have no shape, or not the types of such arrays"


def choices_problem(choices: Choices) -> str | None:
    """The first problem of the labels that tokens may have; see `chain_problem` for the rest."""
    starts, labels, numbers = choices.starts, choices.labels, choices.numbers
    if not is_array(starts, INDICES) or not is_array(labels, INDICES):
        return "the labels of choices have no shape, or not the types of such arrays"
    if not is_division(starts, len(labels)) or (starts[1:] == starts[:-1]).any():
        return "labels are not divided among choices"
    if type(numbers) is not dict or not all(
        type(number) is int and 0 <= number < len(starts) - 1 for number in numbers.values()
    ):
        return "there are choices of labels that there are not"
    return None


def chain_problem(model: ChainModel) -> str | None:
    """The first problem of a conditional random field, whose parts have been checked alone."""
    choices, weights = model.choices, model.weights
    parts = type(model.tests) is Tests and type(model.space) is Space
    if not parts or not are_texts(model.labels) or not isinstance(weights, np.ndarray):
        return "a field has no labels, tests, space or weights"
    if choices is not None:
        if type(choices) is not Choices:
            return "the choices of a field are none"
        if len(choices.starts) < 2 or not all_within(choices.labels, len(model.labels)):
            return "there are choices of labels that there are not"
    n_tests = len(model.tests.unigrams), len(model.tests.bigrams)
    return features_weights.problem_of(model.space, len(model.labels), n_tests, weights)


def sequence_problem(learner: Any) -> str | None:
    """The first problem of a learner of such a field, which has been checked alone."""
    model = vars(learner).get("model_")
    return None if model is None or type(model) is ChainModel else "its model is none"


def shape_problem(shape: Shape) -> str | None:
    """The first problem of the numbers of labels, states and labels of a context."""
    whole = all(type(n) is int and n > 0 for n in shape)
    return None if whole and shape.order <= 2 else "there are no labels, states or contexts"


def grams_problem(grams: Grams) -> str | None:
    """The first problem of the arrays of weights of tests; see `latent_problem` for the rest."""
    valid = all(is_array(array, INDICES) for array in grams)
    return None if valid else "the arrays of tests have no shape, or not the types of such arrays"


def latent_problem(model: LatentModel) -> str | None:
    """The first problem of a latent-dynamic field, whose parts have been checked alone."""
    parts = type(model.shape) is Shape and type(model.grams) is Grams
    if not parts or not are_texts(model.labels) or not is_array(model.weights, NUMBERS):
        return "a field has no labels, shape, tests or weights"
    tests = model.tests
    if type(tests) is not tuple or not all(type(known) is dict for known in tests):
        return "its tests are none"
    numbers = [number for known in tests for number in known.values()]
    if [*map(whole_number, numbers)] != [*range(len(numbers))]:
        return "its tests are not numbered"
    return latent_model.problem_of(model)


def latent_learner_problem(learner: Any) -> str | None:
    """The first problem of a learner of such a field, which has been checked alone."""
    model = vars(learner).get("model_")
    return None if model is None or type(model) is LatentModel else "its model is none"


def segment_weights_problem(features: Features) -> str | None:
    """The first problem of the arrays of weights of segments; see `segment_field_problem`."""
    indices = features.starts, features.codes, features.roles
    if not all(is_array(array, INDICES) for array in indices):
        return "the arrays of features have no shape, or not the types of such arrays"
    numbers = features.n_classes, features.n_preceding
    return None if all(type(n) is int and n > 0 for n in numbers) else "there are no classes"


def span_filter_problem(found: SpanFilter) -> str | None:
    """The first problem of a filter of spans."""
    rows = found.keys, found.odds
    if type(found.templates) is not str or not all(type(row) is list for row in rows):
        return "a filter has no templates, or no odds"
    keyed = [is_array(row, INDICES) for row in found.keys]
    known = [is_array(row, NUMBERS) and np.isfinite(row).all() for row in found.odds]
    sizes = [[*map(len, found.keys)], [len(row) - 1 for row in found.odds]]
    fits = all([*keyed, *known]) and sizes[0] == sizes[1]
    if not fits or type(found.prior) is not float or not np.isfinite(found.prior):
        return "the odds of a filter have no shape, or are no numbers"
    n = len(parse_templates(found.templates, roles=FILTERING))
    return None if len(found.keys) == n else "a filter has other odds than templates"


def candidacy_problem(candidacy: Candidacy) -> str | None:
    """The first problem of the rule by which spans are candidates."""
    if type(candidacy.max_length) is not int or candidacy.max_length < 1:
        return "segments have no bound of their length"
    if candidacy.filter is not None and type(candidacy.filter) is not SpanFilter:
        return "its filter is none"
    return None if is_number(candidacy.threshold) else "the threshold of a filter is no number"


def segment_tests_problem(tests: SegmentTests) -> str | None:
    """The first problem of the features of segments."""
    keys, chains, most = tests.keys, tests.chains, tests.max_length
    if type(tests.templates) is not str or type(most) is not int or most < 1:
        return "features of segments have no templates, or no bound of lengths"
    if type(keys) is not list or not all(is_array(row, INDICES) for row in keys):
        return "features of segments have no keys"
    whole = {one.name for one in parse_templates(tests.templates) if one.role == "whole"}
    if type(chains) is not dict or chains.keys() != whole:
        return "whole segments have no numbers"
    for chain in chains.values():
        if type(chain) is not list or len(chain) != most - 1:
            return "there are numbers of segments of other lengths"
        if not all(is_array(row, INDICES) for row in chain):
            return "the numbers of segments have no shape"
    return None


def segment_field_problem(model: SegmentModel) -> str | None:
    """The first problem of a semi-Markov field, whose parts have been checked alone."""
    known = model.known
    parts = (type(model.tests), type(model.features), type(model.candidacy))
    if parts != (SegmentTests, Features, Candidacy) or not are_texts(model.kinds):
        return "a field has no kinds, features or weights"
    if type(known) is not dict or not all(type(codes) is dict for codes in known.values()):
        return "the values of features have no codes"
    for codes in known.values():
        if [*map(whole_number, codes.values())] != [*range(1, len(codes) + 1)]:
            return "the values of features are not numbered"
    if model.candidacy.max_length != model.tests.max_length:
        return "candidates have another bound than features"
    if not is_array(model.weights, NUMBERS):
        return "its weights have no shape, or not the type of such arrays"
    return semimarkov_model.problem_of(model)


def segments_problem(learner: Any) -> str | None:
    """The first problem of a learner of such a field, which has been checked alone."""
    model = vars(learner).get("model_")
    return None if model is None or type(model) is SegmentModel else "its model is none"


def phrases_problem(features: Any) -> str | None:
    """The first problem of the columns of features, which become those of a sparse matrix."""
    found = vars(features)
    if "columns_" not in found:
        return None
    columns, values = found["columns_"], found.get("values_")
    fits = is_numbered(columns) and is_array(values, NUMBERS) and len(values) == len(columns)
    return None if fits else "its features are not numbered, or have no values"


def matcher_problem(matcher: Any) -> str | None:
    """The first problem of a matcher of names, whose weights are those of our features."""
    from glyphone.learners.matching.curves import KNOTS  # brings scikit-learn with its folder
    from glyphone.learners.matching.evidence import FEATURES

    found = vars(matcher)
    if found.get("speller") is not None:
        return "it has a speller, which no file holds"
    if "weights_" not in found:
        return None
    if found.get("feature_names_") != FEATURES:
        return "it weighs other features than this version has"
    shapes = {"weights_": (len(FEATURES), KNOTS), "ranges_": (2, len(FEATURES))}
    for name, shape in shapes.items():
        array = found.get(name)
        if not is_array(array, NUMBERS, 2) or array.shape != shape or not np.isfinite(array).all():
            return "its weights have no shape, or are no numbers"
    counts, n_names, intercept = (found.get(x) for x in ("counts_", "n_names_", "intercept_"))
    if type(intercept) is not float or not np.isfinite(intercept):
        return "it has no intercept"
    counted = type(n_names) is int and type(counts) is dict and are_texts((*counts,))
    if not counted or not all(type(n) is int and 0 <= n <= n_names for n in counts.values()):
        return "its words are not counted"
    return None


def combinations_problem(learner: Any) -> str | None:
    """The first problem of products of features, whose factors are columns of the rows asked."""
    from scipy import sparse  # which takes long

    found = vars(learner)
    if "products_" not in found:
        return None
    products, n_features, classes = (
        found.get(x) for x in ("products_", "n_features_in_", "classes_")
    )
    if not is_array(products, ("int32",), 2) or type(n_features) is not int:
        return "its products have no shape, or not the type that they should have"
    if not 1 <= products.shape[1] <= 3 or not all_within(products + 1, n_features + 1):
        return "its products have factors that there are not"
    there = products >= 0
    if not there[:, 0].all() or (there[:, 1:] > there[:, :-1]).any():
        return "its products have no factors where they should begin"
    if not is_flat(classes) or len(classes) < 2:
        return "its products are of no classes"
    n_scored = 1 if len(classes) == 2 else len(classes)
    weights, intercept = found.get("weights_"), found.get("intercept_")
    if not is_array(intercept, NUMBERS) or intercept.shape != (n_scored,):
        return "its constant has no weights, or not one for each class"
    if type(weights) is not sparse.csr_array or not is_array(weights.data, NUMBERS):
        return "its products have no weights"
    if weights.shape != (len(products), n_scored):
        return "its products have not as many weights as there are products and classes"
    return None


def vocabulary_problem(vectorizer: Any) -> str | None:
    """The first problem of a vocabulary, whose numbers become the columns of a sparse matrix."""
    vocabulary = vars(vectorizer).get("vocabulary_", {})
    if type(vocabulary) is not dict or sorted(map(whole_number, vocabulary.values())) != [
        *range(len(vocabulary))
    ]:
        return "its vocabulary is not numbered"
    return None


def encoder_problem(encoder: Any) -> str | None:
    """The first problem of the columns that an encoder has for the values of each column."""
    found = vars(encoder)
    if "categories_" not in found:
        return None
    sizes = [len(values) for values in found["categories_"]]
    rows = found.get("_default_to_infrequent_mappings") or [None] * len(sizes)
    dropped = found.get("_drop_idx_after_grouping")
    chosen = [None] * len(sizes) if dropped is None else [*dropped]
    columns = found.get("_n_features_outs", [])
    if not len(sizes) == len(rows) == len(chosen) == len(columns):
        return "its columns are not divided among those that it encodes"
    for size, row, drop, width in zip(sizes, rows, chosen, columns, strict=True):
        if row is not None:
            if not is_array(row, INDICES) or len(row) != size or not all_within(row, size):
                return "values are put together that there are not"
            size = int(row.max(initial=-1)) + 1
        if drop is not None and not 0 <= whole_number(drop) < size:
            return "a value is left out that there is not"
        if whole_number(width) != size - (drop is not None):
            return "its columns are not divided among those that it encodes"
    return None


def recoded_problem(binarizer: Any) -> str | None:
    """A binarizer makes the numbers of classes anew, unless it has kept some."""
    kept = vars(binarizer).get("_cached_dict")
    return None if kept is None else "it has numbers of classes that it should make anew"


def is_array(array: Any, types: tuple[str, ...], dimensions: int = 1) -> bool:
    """Whether this is an array of one of some types, and of so many dimensions."""
    plain = type(array) is np.ndarray and array.ndim == dimensions
    return plain and array.dtype.isnative and array.dtype.name in types


def is_flat(array: Any) -> bool:
    """Whether this is an array of one dimension."""
    return type(array) is np.ndarray and array.ndim == 1


def is_number(value: Any) -> bool:
    """Whether this is a number from 0 on, and finite."""
    return type(value) in (int, float) and 0 <= value < np.inf


def is_numbered(names: Any) -> bool:
    """Whether this gives names the numbers of their order."""
    return type(names) is dict and [*map(whole_number, names.values())] == [*range(len(names))]


def are_texts(values: Any) -> bool:
    """Whether this is a tuple of strings."""
    return type(values) is tuple and all(type(value) is str for value in values)


def whole_number(value: Any) -> int:
    """A whole number as Python's; ValueError for any other value."""
    if type(value) is not int and not isinstance(value, np.integer):
        raise ValueError(f"{value!r:.60} is no whole number")
    return int(value)


def all_within(numbers: Any, size: int) -> bool:
    """Whether all are from 0 on, and below the size."""
    return bool(numbers.min(initial=0) >= 0 and numbers.max(initial=-1) < size)


def is_division(starts: Any, size: int) -> bool:
    """Whether `starts` are the offsets of rows that divide `size` items, the end of the last too.

    >>> is_division(np.array([0, 2, 3]), 3)
    True
    >>> is_division(np.array([0, 2**63 - 1, -(2**63), -1, 3]), 3)
    False
    """
    inside = len(starts) > 0 and starts[0] == 0 and starts[-1] == size
    return bool(inside and (starts[:-1] <= starts[1:]).all())
