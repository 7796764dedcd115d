"""The acceptance checks of the specification that need data: its reference run beside ours.

The reference is `spec/letter-to-sound.md`, section 5, items 2 to 5. Its French words had 9.09
letters and those of the list at hand have more, so that samples are not the same; ours are the
first one and the range of three. SIGMORPHON's words are those of dev files, NETtalk's of train and
dev, as test files are not at hand. What is off by more than the tolerance is marked with !.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from french_lexicons import WIKIPRON, entries_of, french, samples_of, shuffled
from nettalk import entries_of as hand_aligned
from slot_trees import BAG, BAG_WITH_RULES, C45, experiment

from glyphone.data.lexicons.tsv import read_lexicon
from glyphone.data.records import Pair
from glyphone.fst.alignment.training import (
    ONE_TO_ONE,
    AlignmentModel,
    AlignmentOptions,
    fit,
    slot_outputs,
)
from glyphone.fst.rules.rule_pairs import rule_pairs
from glyphone.learners.trees.growing import GrowingOptions

VITERBI = replace(ONE_TO_ONE, method="viterbi")
UNPRUNED = GrowingOptions(criterion="gini", splits="questions", min_leaf=1, confidence=None)
# Item 2: words, and how they are aligned without and with rules.
REPAIRED = {
    ("texte", "tɛkst"): ("t:t e:ɛ x:k t:s e:t", "t:t e:ɛ x:k :s t:t e:-"),
    ("exact", "ɛɡza"): ("", "e:ɛ :ɡ x:z a:a c:- t:-"),
    ("oiseau", "wazo"): ("", "o:w i:a s:z e:- a:o u:-"),
}
# Item 3: accuracy, word accuracy and nodes by setting; how far off they may be.
TREES: list[tuple[str, int, AlignmentOptions, GrowingOptions, tuple[float, float, float]]] = [
    ("lexicon, C4.5", 0, BAG, C45, (83.8, 4.8, 55)),
    ("lexicon, C4.5", 1, BAG, C45, (95.7, 50.3, 1351)),
    ("lexicon, C4.5", 2, BAG, C45, (98.5, 80.8, 3032)),
    ("lexicon, C4.5", 3, BAG, C45, (98.7, 83.2, 3846)),
    ("108 rules, C4.5", 3, BAG_WITH_RULES, C45, (98.9, 83.9, 2695)),
    ("lexicon, one value", 3, BAG, UNPRUNED, (99.0, 87.6, 8729)),
    ("Viterbi, one value", 3, VITERBI, UNPRUNED, (99.2, 88.4, 7327)),
]
# Item 4: letters and words aligned as by hand.
HAND = {
    "bag": (BAG, 87.0, 59.7),
    "Viterbi": (VITERBI, 87.9, 61.6),
    "soft": (ONE_TO_ONE, 91.6, 71.5),
}
# Item 5: word error with soft EM and with bags.
ERRORS = {
    "low": {
        "ady": (35, 32), "gre": (26, 25), "ice": (25, 25), "khm": (66, 68), "lav": (65, 87),
        "mlt_latn": (31, 36), "slv": (74, 71), "wel_sw": (24, 24),
    },
    "medium": {"geo": (0.2, 0.2), "hun": (3.7, 5.4), "dut": (22.6, 23.1), "fre": (17.5, 15.4)},
}  # fmt: skip


def page(shared: Path, words: int) -> None:
    """All checks, in the order of the specification, by samples of so many French words."""
    rules = appendix(shared.parent / "spec" / "letter-to-sound.md")
    if not rules or not WIKIPRON.source(shared).exists():
        print("reference: skipped, the specification or WikiPron is absent\n")
        return
    samples = samples_of(shuffled(entries_of(WIKIPRON, shared)), 3, words)
    if len(samples[0]) < words:
        print(f"reference: skipped, there are less than {words} words\n")
        return
    repaired(samples[0], rules)
    trees(samples, rules)
    if (shared / "nettalk").is_dir():
        by_hand(shared / "nettalk")
    if (shared / "sigmorphon2021_g2p").is_dir():
        many_languages(shared / "sigmorphon2021_g2p")


def appendix(path: Path) -> list[Pair]:
    """The pairs of the specification's appendix; a combining tilde belongs to its vowel."""
    if not path.exists():
        return []
    text = path.read_text("utf-8").partition("## Appendix")[2]
    found = re.findall(r"(?<=\s)(\w+):(\S*)", "\n".join(re.findall(r"^    .*", text, re.M)))
    phones = [re.findall(r".[\u0300-\u036f]*", target) for _, target in found]
    return [Pair(tuple(x), tuple(y)) for (x, _), y in zip(found, phones, strict=True)]


def beside(reference: float, ours: float, tolerance: float, *, shape: str = ".1f") -> str:
    mark = "!" if abs(ours - reference) > tolerance + 1e-9 else " "
    return f"{reference:7{shape}} {ours:7{shape}}{mark}"


def shown(model: AlignmentModel, word: str, phones: str) -> str:
    """An alignment as text, written as in the tests."""
    units = model.one_to_one(Pair(tuple(word), tuple(phones))).units
    return " ".join("".join(x) + ":" + ("".join(y) or "-") for x, y in units)


def repaired(sample: Sequence[Pair], rules: Sequence[Pair]) -> None:
    training = sample[: len(sample) * 9 // 10]
    models = (
        fit(training, BAG),
        fit(training, BAG_WITH_RULES, rule_pairs=rules),
        fit(training, BAG_WITH_RULES, rule_pairs=rule_pairs(french())),
    )
    print("2. Rules repair alignments: lexicon; the appendix's rules; those of the grammar\n")
    for (word, phones), wanted in REPAIRED.items():
        for model, reference in zip(models, (*wanted, wanted[1]), strict=True):
            ours = shown(model, word, phones)
            mark = "!" if reference and ours != reference else ""
            print(f"{reference or '(none given)':28} {ours:28} {mark}")
    print()


def trees(samples: Sequence[Sequence[Pair]], rules: Sequence[Pair]) -> None:
    print(
        f"3. Trees, reference and ours\n\n{'':20} {'context':>7} {'acc %':>16} {'word %':>16}"
        f" {'of three':>11} {'nodes':>16} {'of three':>11}"
    )
    for name, size, alignment, growing, (accuracy, words, nodes) in TREES:
        rows = []
        for sample in samples:
            cut = len(sample) * 9 // 10
            some = rules if alignment is BAG_WITH_RULES else ()
            rows.append(
                experiment(
                    sample[:cut], sample[cut:], size=size, rules=some, alignment=alignment,
                    growing=growing,
                )
            )  # fmt: skip
        first, found = rows[0], sorted(row.scores.words for row in rows)
        sizes = sorted(row.nodes for row in rows)
        print(
            f"{name:20} {size:7} {beside(accuracy, first.scores.accuracy, 0.3)}"
            f" {beside(words, first.scores.words, 1.5)} {f'{found[0]:.1f}-{found[-1]:.1f}':>11}"
            f" {beside(nodes, first.nodes, 0.1 * nodes, shape='.0f')}"
            f" {f'{sizes[0]}-{sizes[-1]}':>11}",
            flush=True,
        )
    print()


def by_hand(folder: Path) -> None:
    entries = [
        entry for part in ("train", "dev") for entry in hand_aligned(folder / f"nettalk.{part}.tsv")
    ]
    pairs = [Pair(tuple(word), tuple(phones.replace("-", ""))) for word, phones in entries]
    print(
        f"4. NETtalk, {len(pairs)} words aligned as by hand, reference and ours\n\n"
        f"{'':10} {'letters %':>16} {'words %':>16}"
    )
    for name, (options, letters, words) in HAND.items():
        found, _, _ = fit(pairs, options).one_to_one_all(pairs)
        right = [
            [
                phone == (slot or "-")
                for phone, slot in zip(phones, slot_outputs(a)[1::2], strict=True)
            ]
            for (_, phones), a in zip(entries, found, strict=True)
            if a is not None
        ]
        ours = 100 * np.mean(np.concatenate(right)), 100 * np.mean(list(map(all, right)))
        print(f"{name:10} {beside(letters, ours[0], 0.5)} {beside(words, ours[1], 0.5)}")
    print()


def many_languages(folder: Path) -> None:
    print(
        "5. SIGMORPHON 2021, context 3, word error %, reference and ours\n\n"
        f"{'':10} {'words':>5} {'soft EM':>16} {'bag':>16}"
    )
    for language, reference, training, test in lexicons(folder):
        found = [
            100 - experiment(training, test, size=3, alignment=alignment).scores.words
            for alignment in (ONE_TO_ONE, BAG)
        ]
        tolerance = 3 if len(test) <= 100 else 1
        columns = (beside(r, f, tolerance) for r, f in zip(reference, found, strict=True))
        print(f"{language:10} {len(test):5} {' '.join(columns)}", flush=True)
    print()


def lexicons(
    folder: Path,
) -> Iterator[tuple[str, tuple[float, float], list[Pair], list[Pair]]]:
    for level, languages in ERRORS.items():
        for language, reference in languages.items():
            train, dev = (folder / level / f"{language}_{part}.tsv" for part in ("train", "dev"))
            if not train.exists():
                print(f"{language}: skipped, {train.name} is absent")
                continue
            yield language, reference, list(read_lexicon(train)), list(read_lexicon(dev))
