"""Who called: the caller phrase of a message and the caller's name in it, with their probabilities.

Words are seen as a few common ones and as what others look like (`caller_words`), places by what
stands around them (`caller_columns`). Weights of features at places (`caller_features`) score where
a phrase starts and how it goes on, and a chain puts start and length together (`caller_chain`); or
words are labelled by a conditional random field (`caller_crf`); or both have their say.

>>> from glyphone.voicemail.generator.generate import generate
>>> model = train(list(generate(60, seed=1)), options=CallerOptions(max_iter=20, min_count=2))
>>> [found] = model.find(["hi Sam this is Pat Caller i have a question".split()])
>>> found.phrase, found.name
((2, 6), (4, 6))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.data.version import VERSION
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import Packing
from glyphone.voicemail.callers import column_kernels as caller_column_kernels
from glyphone.voicemail.callers import decoding_kernels as caller_decoding_kernels
from glyphone.voicemail.callers import feature_kernels as caller_feature_kernels
from glyphone.voicemail.callers.cuts_training import CallerOptions, Form, fit, gold_parts
from glyphone.voicemail.callers.shapes import LABELS, PARTS, Shape, block_diagonal, join_shapes
from glyphone.voicemail.callers.words import CAPITAL, FIRST, OTHER, CallerWords
from glyphone.voicemail.records.messages import Message, Span

Array = Any
KIND, FORMAT = "voicemail-callers", 1
SHAPES = {"cuts": PARTS, "crf": LABELS, "both": join_shapes(PARTS, LABELS)}
# Classes that tell nothing about where a sentence begins.
NEUTRAL_CLASSES = ("before", "end", OTHER, "determiner", "adverb", "-ly", "-s", "filler")


class Caller(NamedTuple):
    """What a message says of its caller.

    `anyone` is the probability that there is a caller phrase. Those of `phrase` and `name` are of
    just these words; both are there as the most probable ones, None where nobody says who it is.
    """

    phrase: Span | None
    name: Span | None
    anyone: float
    phrase_probability: float
    name_probability: float


NO_CALLER = Caller(None, None, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class CallerModel:
    """Words, weights of features by their keys, and of steps from state to state.

    A phrase is told if there is one with a probability of at least `least`, and so is the name.
    """

    words: CallerWords
    keys: Array
    weights: Array
    steps: Array
    options: CallerOptions = field(default_factory=CallerOptions)

    @cached_property
    def table(self) -> tuple[Array, Array]:
        kernels = jit.tier(caller_feature_kernels, len(self.keys))
        return kernels.sieve(self.keys), kernels.slots(self.keys)

    @property
    def shape(self) -> Shape:
        return SHAPES[self.options.form]

    @cached_property
    def telling(self) -> Array:
        return role_bits(self.words)

    def find(self, messages: Sequence[Sequence[str]]) -> list[Caller]:
        """The caller of each message."""
        places, most = self.options.places, self.options.most
        found = self.within(messages, places)
        # Who is not there may be further on, as may be the end of a phrase.
        far = [
            k
            for k, one in enumerate(found)
            if len(messages[k]) > places and (one.phrase is None or one.phrase[1] == places)
        ]
        if far and most > places:
            for k, one in zip(far, self.within([messages[k] for k in far], most), strict=True):
                found[k] = one
        return found

    def within(self, messages: Sequence[Sequence[str]], most: int) -> list[Caller]:
        """The caller of each message, if it is in so many words."""
        rows, bounds = column_rows(messages, self.words, self.telling, most, self.options.beyond)
        heads = jit.tier(caller_feature_kernels, rows.size).sums(
            rows, caller_feature_kernels.TEMPLATES, *self.table, self.weights
        )
        shape = self.shape
        mixed = np.full(len(shape.starts), 1 / len(shape.starts))
        found, shares = jit.tier(caller_decoding_kernels, 8 * rows.size).decode(
            heads, self.steps[shape.pairs[:, 0], shape.pairs[:, 1]], shape, mixed, bounds
        )
        least, least_name = self.options.least, self.options.least_name
        callers = []
        for (begin, end, first, last), (anyone, share, named) in zip(
            found.tolist(), shares.tolist(), strict=True
        ):
            name = (first, last) if named >= least_name else None
            one = Caller((begin, end), name, anyone, share, named)
            callers.append(one if anyone >= least else NO_CALLER._replace(anyone=anyone))
        return callers


def role_bits(words: CallerWords) -> Array:
    """What each class tells, for `caller_columns`."""
    found = np.zeros(len(words.names), np.int64)
    rest = set(words.names).difference(NEUTRAL_CLASSES)
    for bit, classes in (
        (caller_column_kernels.CLAUSE, {"clause", "auxiliary", "verb", "-ed"}),
        (caller_column_kernels.SUBJECT, {"subject", "clause"}),
        (caller_column_kernels.NAME, {CAPITAL, FIRST}),
        (caller_column_kernels.PREPOSITION, {"preposition"}),
        (caller_column_kernels.TELLING, rest),
    ):
        found |= bit * words.numbers(classes)
    return found


def column_rows(
    messages: Sequence[Sequence[str]], words: CallerWords, telling: Array, most: int, beyond: int
) -> tuple[Array, Array]:
    """The columns of `most` places of each message at most, and which are those of each."""
    forms, classes, bounds = words.encode(messages, most=most + beyond)
    kernels = jit.tier(caller_column_kernels, 16 * len(forms))
    rows = kernels.columns(forms, classes, bounds, telling, most)
    return rows, np.cumsum([0, *(np.minimum(np.diff(bounds), most) + 1).tolist()])


def train(messages: Sequence[Message], *, options: CallerOptions | None = None) -> CallerModel:
    """A model of messages in which callers are marked."""
    options = options or CallerOptions()
    if not any(message.caller_phrase for message in messages):
        raise GlyphoneError("no message has a caller phrase", remedy="mark some: caller_phrase")
    from glyphone.voicemail.callers import crf_training

    words, learnt = CallerWords.read(), []
    rows, bounds = column_rows(
        [one.words for one in messages], words, role_bits(words), options.places, options.beyond
    )
    kinds = (("cuts", gold_parts, fit), ("crf", crf_training.gold_labels, crf_training.fit))
    for form, marks, fitted in kinds:
        if options.form in (form, "both"):
            marked = [
                marks(len(one.words), one.caller_phrase, one.caller_name, most=options.places)
                for one in messages
            ]
            learnt.append(fitted(rows, bounds, np.concatenate(marked), options))
    return CallerModel(words, *merge_weights(learnt), options)


def merge_weights(learnt: Sequence[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
    """Keys, weights and steps of models as those of one, with all keys.

    >>> one = np.array([3, 5]), np.ones((2, 1)), np.ones((1, 1))
    >>> other = np.array([5]), np.full((1, 2), 2.0), np.full((1, 1), 2.0)
    >>> [array.tolist() for array in merge_weights([one, other])]
    [[3, 5], [[1.0, 0.0, 0.0], [1.0, 2.0, 2.0]], [[1.0, 0.0], [0.0, 2.0]]]
    """
    keys = np.unique(np.concatenate([one[0] for one in learnt]))
    columns = []
    for own, weights, _ in learnt:
        wide = np.zeros((len(keys), weights.shape[1]), weights.dtype)
        wide[np.searchsorted(keys, own)] = weights
        columns.append(wide)
    return keys, np.concatenate(columns, axis=1), block_diagonal([steps for _, _, steps in learnt])


def single_form(model: CallerModel, form: Form) -> CallerModel:
    """One of the two in a model of both."""
    own = SHAPES[form]
    first = form == "cuts"
    columns = slice(own.width) if first else slice(PARTS.width, None)
    states = slice(len(own.chains)) if first else slice(len(PARTS.chains), None)
    weights = model.weights[:, columns]
    kept = weights.any(axis=1)
    return replace(
        model,
        keys=model.keys[kept],
        weights=weights[kept],
        steps=model.steps[states, states],
        options=replace(model.options, form=form),
    )


def pack(model: CallerModel, prefix: str) -> Contents:
    manifest = {
        "format": FORMAT,
        "glyphone": VERSION,
        # A manifest keeps no order of keys, and codes are by the order of words.
        "classes": [[word, kind] for word, kind in model.words.classes.items()],
        "first": sorted(model.words.first),
        "options": asdict(model.options),
        "templates": [list(row) for row in caller_feature_kernels.SETS],
    }
    arrays = {"keys": model.keys, "weights": model.weights, "steps": model.steps}
    return Contents(KIND, manifest, {prefix + name: array for name, array in arrays.items()})


def unpack(contents: Contents, prefix: str, path: FilePath | None) -> CallerModel:
    manifest = contents.manifest
    if manifest["format"] != FORMAT:
        raise ValueError(f"it is of format {manifest['format']!r}, not {FORMAT}")
    if manifest["templates"] != [list(row) for row in caller_feature_kernels.SETS]:
        raise ValueError("its features are those of another version")
    words = CallerWords(
        {str(word): str(kind) for word, kind in manifest["classes"]},
        frozenset(map(str, manifest["first"])),
    )
    # A file of before there were forms has no word for its own.
    options = CallerOptions(**{"form": "cuts", **manifest["options"]})
    arrays = {x: contents.arrays[prefix + x].copy() for x in ("keys", "weights", "steps")}
    return CallerModel(words, **arrays, options=options)


def problem_of(model: CallerModel) -> str | None:
    """What would lead the kernels astray."""
    if model.keys.ndim != 1 or model.keys.dtype != np.int64 or (model.keys < 0).any():
        return "its keys are no column of whole numbers"
    if len(np.unique(model.keys)) != len(model.keys):
        return "a key is twice"
    if model.options.form not in SHAPES:
        return f"its form is {model.options.form!r}"
    states = len(model.shape.chains)
    if model.weights.shape != (len(model.keys), model.shape.width):
        return "it has not as many weights as keys"
    if model.steps.shape != (states, states):
        return "it has not as many steps as states"
    if model.weights.dtype.kind != "f" or not np.isfinite(model.weights).all():
        return "its weights are no finite numbers"
    if model.steps.dtype != np.float64 or not np.isfinite(model.steps).all():
        return "its steps are no finite numbers"
    options = model.options
    if not 1 <= options.places <= options.most <= 1000 or not 0 <= options.beyond <= 1000:
        return f"its options are {options}"
    if len(model.words.forms) >= 1 << caller_feature_kernels.BITS:
        return "it has too many words"
    return None


PACKING = Packing(
    kind=KIND, what="model of callers", pack=pack, unpack=unpack, problem_of=problem_of
)
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents
