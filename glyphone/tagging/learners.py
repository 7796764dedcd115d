"""Learners of labels for tokens in columns, by the names that `glyphone train --learner` has.

>>> make_learner("latent", ["u:%x[0,0]\\nB"], {"states": 2, "iterations": 50}).max_iter
50
>>> make_learner("markov", [], {"states": 2})
Traceback (most recent call last):
glyphone.data.errors.GlyphoneError: a markov tagger has no option states (leave it out; it ...)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.learners.sequences.clusters import CLUSTER

if TYPE_CHECKING:
    from glyphone.learners.sequences.sentences import SentenceEstimator

CRF, LATENT, SEMI_MARKOV, MARKOV = "crf", "latent", "semi-markov", "markov"
PATTERNS, DEV = "patterns", "dev"
# Options that have another name in learners.
NAMES = {"iterations": "max_iter", "weights_of": "weights"}
_WEIGHTS = ("min_count", "rho1", "rho2", "iterations", "clusters")
_FIELD = (*_WEIGHTS, PATTERNS)


@dataclass(frozen=True)
class TaggerKind:
    """A kind of tagger: its name in reports, its options, and how it is made from these.

    With `watches`, its training can end by the error on other sentences.
    """

    told: str
    options: tuple[str, ...]
    make: Callable[..., SentenceEstimator]
    watches: bool = True


def make_crf(texts: Sequence[str], *, jobs: int, seed: int, **options: Any) -> SentenceEstimator:
    from glyphone.learners.crf.estimator import MEMORY, SequenceCRF

    return SequenceCRF(
        templates=[*texts] if len(texts) > 1 else texts[0],
        n_jobs=jobs,
        random_state=seed,
        verbose=sys.stderr.isatty() or MEMORY,
        **{"weights": "seen", **options},
    )


def make_latent(texts: Sequence[str], *, jobs: int, seed: int, **options: Any) -> SentenceEstimator:
    from glyphone.learners.latent.estimator import LatentCRF

    return LatentCRF(
        templates="\n".join(texts),
        n_jobs=jobs,
        random_state=seed,
        verbose=sys.stderr.isatty(),
        **options,
    )


def make_segments(
    texts: Sequence[str], *, jobs: int, seed: int, **options: Any
) -> SentenceEstimator:
    from glyphone.learners.semimarkov.estimator import SemiMarkovCRF

    del texts, seed  # nothing is random
    if options.get("filter") == 0:
        options["filter"] = None
    return SemiMarkovCRF(n_jobs=jobs, verbose=sys.stderr.isatty(), **options)


def make_markov(texts: Sequence[str], *, jobs: int, seed: int, **options: Any) -> SentenceEstimator:
    from glyphone.learners.entities.tagger import MarkovTagger

    del texts, jobs, seed  # nothing is random, or done in threads
    return MarkovTagger(**{"scheme": None, **options})


KINDS = {
    CRF: TaggerKind(
        "conditional random field",
        (*_FIELD, "optimizer", "polish", "memory", "weights_of", "resume"),
        make_crf,
    ),
    LATENT: TaggerKind(
        "latent-dynamic conditional random field",
        (*_FIELD, "states", "order", "decoder", "starts"),
        make_latent,
    ),
    SEMI_MARKOV: TaggerKind(
        "semi-Markov conditional random field",
        (*_WEIGHTS, "max_length", "filter"),
        make_segments,
    ),
    MARKOV: TaggerKind(
        "conditional Markov model", ("min_count", "clusters"), make_markov, watches=False
    ),
}


def find_tagger(name: str) -> TaggerKind:
    """The kind of tagger of a name."""
    if name not in KINDS:
        raise UnknownName("learner of labels", name, KINDS)
    return KINDS[name]


def check_options(name: str, options: Mapping[str, Any]) -> None:
    """Refuses options of other learners."""
    kind = find_tagger(name)
    for option in options:
        if option not in kind.options:
            having = ", ".join(one for one, other in KINDS.items() if option in other.options)
            remedy = f"leave it out; it is for {having}"
            raise GlyphoneError(f"a {name} tagger has no option {option}", remedy=remedy)


def make_learner(
    name: str, texts: Sequence[str], options: Mapping[str, Any], *, jobs: int = 1, seed: int = 0
) -> SentenceEstimator:
    """A learner with texts of patterns and with options; it has learnt nothing yet."""
    check_options(name, options)
    given = {NAMES.get(option, option): value for option, value in options.items()}
    return KINDS[name].make(texts, jobs=jobs, seed=seed, **given)


def default_patterns(width: int, *, clusters: bool = False) -> str:
    """Patterns for sentences with so many columns before labels: words, their ends, columns.

    With `clusters`, classes of words too, and the larger ones that beginnings of bits stand for.

    >>> print(default_patterns(1).splitlines()[2], default_patterns(2).splitlines()[-2])
    *0:%X[0,0] *-2/-1/0.1:%x[-2,1]/%x[-1,1]/%x[0,1]
    """
    lines = [window("*", "X", 0, rows) for rows in ((-2,), (-1,), (0,), (1,), (2,))]
    lines += [window("u", "X", 0, rows) for rows in ((-1, 0), (0, 1))]
    for name, expression in ENDS.items():
        lines += [f'u{name}{n}:%m[0,0,"{expression.format(n)}"]' for n in (1, 2, 3, 4)]
    lines += [f'u{name}:%t[0,0,"{expression}"]' for name, expression in SHAPES.items()]
    for column in range(1, width):
        places = range(-2, 3)
        lines += [window("*", "x", column, (row,)) for row in places]
        lines += [window("*", "x", column, rows) for rows in pairwise(places)]
        lines += [window("*", "x", column, (row, row + 1, row + 2)) for row in (-1, 0, -2)]
    if clusters:
        for row, bits in product((-1, 0, 1), CLUSTER_BITS):
            lines.append(f'ubits{row}.{bits}:%m[{row},{CLUSTER},"^.{{1,{bits}}}"]')
    return "\n".join([*lines, "B"])


def window(mark: str, kind: str, column: int, rows: Sequence[int]) -> str:
    """The pattern of the values of a column at some rows.

    >>> window("u", "x", 1, (-1, 0))
    'u-1/0.1:%x[-1,1]/%x[0,1]'
    """
    cells = "/".join(f"%{kind}[{row},{column}]" for row in rows)
    return f"{mark}{'/'.join(map(str, rows))}{f'.{column}' if column else ''}:{cells}"


ENDS = {"prefix": "^.{{{}}}", "suffix": ".{{{}}}$"}
# Bits of classes that are looked at (Miller, Guinness and Zamanian 2004).
CLUSTER_BITS = (4, 6, 10, 20)
SHAPES = {
    "capital": r"^\u",
    "capitals": r"^\u+$",
    "inner": r".\u",
    "digit": r"\d",
    "number": r"^[\d.,]+$",
    "hyphen": "-",
    "punctuation": r"^\p+$",
}
