"""One symbol to one: the bags, rules and alignments by hand of the specification."""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glyphone
from glyphone.data.records import Pair
from glyphone.fst.alignment.training import (
    ONE_TO_ONE,
    AlignmentOptions,
    Unit,
    bag_counts,
    fit,
    slot_outputs,
)
from tests.fst.alignment.twins import pair, shown, words

SHARED = Path(glyphone.__path__[0]).parents[1] / "shared"
TEXTE = pair("texte", "tEkst")


def test_bags_of_the_specification() -> None:
    counts = bag_counts([TEXTE])
    assert counts[("t",), ()] == 10 and counts[("t",), ("t",)] == 4
    assert counts[("t",), ("k",)] == 2 and counts[("x",), ("k",)] == 1
    assert counts[(), ("t",)] == 10 and sum(counts.values()) == 75
    assert counts[("e",), ()] == 10
    model = fit([TEXTE], replace(ONE_TO_ONE, rounds=0, weights=None))
    assert model.probabilities * 75 == pytest.approx(list(counts.values()))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.builds(pair, words, st.text("xy", max_size=5)), max_size=4))
def test_bags_are_products_of_numbers_of_symbols(pairs: list[Pair]) -> None:
    expected = Counter[Unit]()
    for item in pairs:
        letters = Counter([(x,) for x in item.source] + [()] * len(item.target))
        phones = Counter([(y,) for y in item.target] + [()] * len(item.source))
        for (x, n), (y, p) in product(letters.items(), phones.items()):
            if x or y:
                expected[x, y] += n * p
    assert bag_counts(pairs) == +expected


def test_one_symbol_for_each_slot() -> None:
    model = fit([TEXTE, pair("tex", "tEks"), pair("te", "t")], ONE_TO_ONE)
    words = [TEXTE, pair("t", "tEkst"), pair("", ""), pair("", "ks"), pair("te", "")]
    alignments, refused, composed = model.one_to_one_all(words)
    assert not refused and composed == [1, 3]
    for item, alignment in zip(words, alignments, strict=True):
        assert alignment is not None
        row = slot_outputs(alignment)
        assert len(row) == 2 * len(item.source) + 1
        assert tuple(y for symbol in row for y in symbol.split()) == item.target
        assert all(len(y) <= 1 for _, y in alignment.units)
    assert slot_outputs(model.one_to_one(words[3])) == ("k s",)


def french() -> list[Pair]:
    path = SHARED / "data/wikipron/fra_latn_broad_filtered.tsv.gz"
    if not path.exists():
        pytest.skip(f"{path} is absent")
    first: dict[str, tuple[str, ...]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, phones = unicodedata.normalize("NFC", line.rstrip("\n")).split("\t")
            if word.isalpha() and word.islower() and len(word) >= 2:
                first.setdefault(word, tuple(phones.split()))
    return [Pair(tuple(word), phones) for word, phones in first.items()][:16_200]


def french_rules() -> list[Pair]:
    path = SHARED / "spec/letter-to-sound.md"
    if not path.exists():
        pytest.skip(f"{path} is absent")
    text = path.read_text("utf-8").partition("## Appendix")[2]
    found = re.findall(r"(?<=\s)(\w+):(\S*)", "\n".join(re.findall(r"^    .*", text, re.M)))
    phones = [re.findall(r".[\u0300-\u036f]*", target) for _, target in found]
    return [Pair(tuple(x), tuple(y)) for (x, _), y in zip(found, phones, strict=True)]


def test_rules_repair_alignments() -> None:
    pairs, rules = french(), french_rules()
    assert len(rules) == 108
    texte = pair("texte", "tɛkst")
    options = replace(ONE_TO_ONE, rounds=0)
    assert shown(fit(pairs, options).one_to_one(texte)) == "t:t e:ɛ x:k t:s e:t"
    model = fit(pairs, replace(options, weights=(0.9, 0.09, 0.01)), rule_pairs=rules)
    assert shown(model.one_to_one(texte)) == "t:t e:ɛ x:k :s t:t e:-"
    assert shown(model.one_to_one(pair("exact", "ɛɡza"))) == "e:ɛ :ɡ x:z a:a c:- t:-"
    assert shown(model.one_to_one(pair("oiseau", "wazo"))) == "o:w i:a s:z e:- a:o u:-"


@pytest.mark.parametrize(
    ("options", "letters", "words"),
    [
        (replace(ONE_TO_ONE, rounds=0), 87.0, 59.7),
        (replace(ONE_TO_ONE, method="viterbi"), 87.9, 61.6),
        (ONE_TO_ONE, 91.6, 71.5),
    ],
    ids=["bag", "viterbi", "soft"],
)
def test_against_alignments_made_by_hand(
    options: AlignmentOptions, letters: float, words: float
) -> None:
    files = [SHARED / f"data/nettalk/nettalk.{part}.tsv" for part in ("train", "dev")]
    if not all(path.exists() for path in files):
        pytest.skip("the NETtalk data are absent")
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()]
    hand = [line.split("\t")[:2] for line in lines]
    pairs = [pair(word, phones.replace("-", "")) for word, phones in hand]
    alignments, refused, composed = fit(pairs, options).one_to_one_all(pairs)
    assert not refused and not composed
    right = [
        [
            phone == (written or "-")
            for phone, written in zip(phones, slot_outputs(a)[1::2], strict=True)
        ]
        for (_, phones), a in zip(hand, alignments, strict=True)
        if a is not None
    ]
    assert 100 * np.mean(np.concatenate(right)) == pytest.approx(letters, abs=0.5)
    assert 100 * np.mean([all(word) for word in right]) == pytest.approx(words, abs=0.5)
