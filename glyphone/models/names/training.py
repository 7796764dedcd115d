"""A model of names from pairs of names.

Names of several parts are cut, and their parts learnt as pairs of their own; where both sides have
not as many, the pair is refused, as is one whose native side is not well-formed. What many pairs
write is weaker evidence than as many words: each of n pairs with one target counts 1 / sqrt(n).

>>> from glyphone.models.names.languages import find_language
>>> names = {"rana": "राना", "nara": "नारा", "naran": "नारान"}
>>> pairs = [Pair(tuple(name), tuple(native)) for name, native in names.items()]
>>> fit_names(pairs, find_language("hin")).model("Ranara").output
'रानारा'
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.alignment.refusals import NothingLearnt, fit_or_explain
from glyphone.fst.alignment.training import AlignmentOptions, Refusal
from glyphone.fst.composed.letters import train_letters
from glyphone.fst.composed.vocabulary import vocabulary_of
from glyphone.fst.interface.learning import LearningResult, LearningSettings, with_alignment
from glyphone.fst.joint.training import JointOptions, fit_joint
from glyphone.models.names import languages
from glyphone.models.names import words as lists
from glyphone.models.names.languages import Language
from glyphone.models.names.model import NameModel
from glyphone.models.names.parts import parts_of
from glyphone.models.names.script import Script, script_of

LATIN, NATIVE = Writing(case="lower"), Writing()
# How much a letter model of Latin names counts: what served katakana best, of 0.15, 0.3 and 0.5.
LATIN_SHARE = 0.3
# At which windows are learnt: found in train, by cross-validation.
WINDOW_RATE = 0.1


@dataclass(frozen=True, eq=False)
class FittedNames:
    """A model, and the pairs that it could not be trained on."""

    model: NameModel
    refusals: tuple[Refusal, ...]


def fit_names(
    pairs: Sequence[Pair],
    language: Language,
    *,
    options: JointOptions | None = None,
    words: Sequence[tuple[str, float]] = (),
    jobs: int = 1,
    name: str = "",
) -> FittedNames:
    """A model of pairs of names, Latin letters first unless the language is out of a script.

    A pair counts as its weight says, and less if others have its target: see `discount_targets`.
    `words` are a prior with their frequencies: into a script the model prefers these words, into
    Latin letters it prefers the letter sequences of these and of the names that it learns from.
    """
    script = script_of(language)
    parts, refusals = words_of(pairs, script)
    if not pairs:
        raise NothingLearnt("there is nothing to train on", stage=language.code)
    if not parts:
        raise NothingLearnt.of(refusals_of_pairs((), parts, pairs, refusals))
    options = options or options_of(language)
    examples = discount_targets([pair for _, pair in parts])
    try:
        fitted = fit_or_explain(
            fit_joint,
            examples,
            options,
            options.alignment,
            source=language.source,
            target=script.writing,
            jobs=jobs,
            name=language.code,
        )
    except NothingLearnt as nothing:
        raise NothingLearnt.of(
            refusals_of_pairs(nothing.refusals, parts, pairs, refusals)
        ) from None
    joint = replace(fitted.model, beam=float(language.training.beam))
    model = NameModel(language, joint, script.writer, name or f"names.{language.code}")
    if language.to_latin:
        learnt = [(script.writing.join(pair.target), 1.0) for pair in examples]
        listed = [(word, 1.0) for word, _ in words]
        letters = train_letters([*learnt, *listed], model.target, share=LATIN_SHARE)
        model = replace(model, prior=letters)
    elif words:
        model = replace(model, prior=vocabulary_of(words, model.target))
    return FittedNames(model, refusals_of_pairs(fitted.refusals, parts, pairs, refusals))


def learn_names(pairs: Sequence[Pair], settings: LearningSettings) -> LearningResult:
    """Of the options, `language` is a code or a file, `words` a list; the others are of the joint
    model."""
    rest = dict(settings.chosen)
    try:
        language = languages.find_language(rest.pop("language"))
    except KeyError:
        remedy = f"one of {', '.join(languages.language_codes())}, or a .toml file"
        raise GlyphoneError("names of which language?", remedy=remedy) from None
    rest.pop("best_form", None)
    chosen = rest.pop("words", None)
    code = language.code.removesuffix(languages.TO_LATIN)
    listed = [] if chosen is None else lists.read_shares(chosen, code, language.script)
    options = with_alignment(options_of(language), rest, settings.seed, kind="names")
    fitted = fit_names(
        pairs, language, options=options, words=listed, jobs=settings.jobs, name=settings.name
    )
    joint = fitted.model.joint
    sizes = {"units": len(joint.units), "n-grams": len(joint.ngrams.tokens)}
    report = {**asdict(options), "language": language.code, "words": chosen}
    return LearningResult(fitted.model, fitted.refusals, report, sizes)


def discount_targets(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, the weight of each divided by the square root of how many have its target.

    Spellings of one word share most of their units, so that counts of n of them are not of n
    events, nor of one: dividing by n itself served held-out words of Bengali and Kannada worse.

    >>> spellings = [Pair(tuple(latin), ("न",)) for latin in ("na", "n", "nna", "naa")]
    >>> [pair.weight for pair in discount_targets([*spellings, Pair(("r", "a"), ("र",), 3.0)])]
    [0.5, 0.5, 0.5, 0.5, 3.0]
    """
    counts = Counter(pair.target for pair in pairs)
    return [replace(pair, weight=pair.weight / math.sqrt(counts[pair.target])) for pair in pairs]


def refusals_of_pairs(
    refused: Sequence[Refusal],
    words: Sequence[tuple[int, Pair]],
    pairs: Sequence[Pair],
    before: Sequence[Refusal],
) -> tuple[Refusal, ...]:
    """Refusals of words as those of their pairs, each pair once, among those from before."""
    found = {one.index: one for one in before}
    for one in refused:
        index = words[one.index][0]
        found.setdefault(index, Refusal(index, pairs[index], one.reason))
    return tuple(found[index] for index in sorted(found))


def options_of(language: Language, *, seed: int = 0) -> JointOptions:
    """How the file of a language has its joint model made."""
    training = language.training
    alignment = AlignmentOptions(
        max_source=training.max_source,
        max_target=training.max_target,
        tolerance=1e-3,
        seed=seed,
    )
    return JointOptions(
        order=training.order, alignment=alignment, window_rate=WINDOW_RATE, seed=seed
    )


def words_of(pairs: Sequence[Pair], script: Script) -> tuple[list[tuple[int, Pair]], list[Refusal]]:
    """The pairs of words in pairs of names, with the numbers of these, and the refusals.

    A pair of which one part is refused is refused as a whole, once.
    """
    found: list[tuple[int, Pair]] = []
    refused: dict[int, Refusal] = {}
    for index, pair in enumerate(pairs):
        try:
            found += [(index, word) for word in split_pair(pair, script.language)]
        except ItemError as error:
            refused[index] = Refusal(index, pair, str(error))
    words: list[tuple[int, Pair]] = []
    read = script.read([NATIVE.join(pair.target) for _, pair in found])
    for (index, pair), symbols in zip(found, read, strict=True):
        if isinstance(symbols, ItemError):
            refused.setdefault(index, Refusal(index, pairs[index], str(symbols)))
        else:
            words.append((index, replace(pair, target=symbols)))
    return [word for word in words if word[0] not in refused], [*refused.values()]


def split_pair(pair: Pair, language: Language) -> list[Pair]:
    """The parts of both sides of a pair; ItemError if there are not as many."""
    latin = parts_of(LATIN.join(pair.source))
    native = parts_of(language.latin_separators(NATIVE.join(pair.target)))
    if len(latin) != len(native):
        message = f"is of {len(latin)} parts, and {NATIVE.join(pair.target)} of {len(native)}"
        raise ItemError(message, item=LATIN.join(pair.source))
    return [
        Pair(language.source.split(one.word).symbols, tuple(other.word), pair.weight)
        for one, other in zip(latin, native, strict=True)
    ]
