"""The aligner against every alignment of small pairs, written out, and the checks of the spec."""

from __future__ import annotations

import gzip
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glyphone
from glyphone.data import jit
from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.records import Alignment, Pair
from glyphone.fst import align_kernels, align_paths
from glyphone.fst.align import (
    ONE_TO_ONE,
    AlignmentModel,
    AlignmentOptions,
    Unit,
    bag_counts,
    fit,
    slots,
)

SHARED = Path(glyphone.__path__[0]).parents[1] / "shared"

Cut = tuple[Unit, ...]


def pair(source: str, target: str, weight: float = 1.0) -> Pair:
    return Pair(tuple(source), tuple(target), weight)


def shown(alignment: Alignment | Cut) -> str:
    units = alignment.units if isinstance(alignment, Alignment) else alignment
    return " ".join("".join(x) + ":" + ("".join(y) or "-") for x, y in units)


def every_cut(
    source: tuple[str, ...], target: tuple[str, ...], options: AlignmentOptions, run: int = 0
) -> Iterator[Cut]:
    """All alignments of a pair."""
    if not source and not target:
        yield ()
    for s, t in options.steps:
        if s > len(source) or t > len(target) or (s == 0 and run == options.insertions):
            continue
        unit = source[:s], target[:t]
        for rest in every_cut(source[s:], target[t:], options, run + 1 if s == 0 else 0):
            yield (unit, *rest)


def probability(model: AlignmentModel, cut: Cut) -> float:
    listed = dict(zip(model.units, model.probabilities.tolist(), strict=True))
    result: float = math.prod(listed.get(unit, model.unlisted) for unit in cut)
    return result


def cuts_of(model: AlignmentModel, item: Pair) -> dict[Cut, float]:
    """Every alignment that has a probability, with it."""
    every = every_cut(item.source, item.target, model.options)
    return {cut: p for cut in every if (p := probability(model, cut)) > 0}


def posteriors(model: AlignmentModel, item: Pair) -> dict[Unit, float]:
    cuts, expected = cuts_of(model, item), defaultdict[Unit, float](float)
    for cut, p in cuts.items():
        for unit in cut:
            expected[unit] += p / sum(cuts.values())
    return dict(expected)


weights = st.sampled_from([0.5, 1.0, 3.0])
words = st.text("abc", max_size=4)
lexicons = st.lists(st.builds(pair, words, st.text("xy", max_size=4), weights), max_size=5)
variants = st.builds(
    AlignmentOptions,
    max_source=st.integers(1, 3),
    max_target=st.integers(1, 2),
    many_to_many=st.booleans(),
    deletions=st.booleans(),
    insertions=st.integers(0, 2),
    rounds=st.integers(0, 3),
    initial=st.sampled_from(["bag", "uniform", "random"]),
    weights=st.sampled_from([None, (0.0, 0.9, 0.1)]),
    tolerance=st.just(0.0),
)


@settings(deadline=None, max_examples=80)
@given(lexicons, variants)
def test_sums_and_best_paths_are_those_of_all_alignments(
    pairs: list[Pair], options: AlignmentOptions
) -> None:
    model = fit(pairs, options)
    alignments, refused = model.align_all(pairs)
    assert [item.index for item in refused] == [k for k, a in enumerate(alignments) if a is None]
    for item, alignment in zip(pairs, alignments, strict=True):
        cuts = cuts_of(model, item)
        assert (alignment is None) == (not cuts)
        if alignment is None:
            assert model.log_probability(item) == -math.inf
            assert model.nbest(item) == [] and model.posterior_units(item) == {}
            with pytest.raises(ItemError):
                model.align(item)
            continue
        assert model.log_probability(item) == pytest.approx(math.log(sum(cuts.values())))
        assert model.posterior_units(item) == pytest.approx(posteriors(model, item))
        assert alignment.pair == Pair(item.source, item.target)
        ranked = sorted(map(math.log, cuts.values()), reverse=True)
        found = model.nbest(item, 6)
        assert found[0][0] == alignment == model.align(item)
        assert [p for _, p in found] == pytest.approx(ranked[:6])
        assert len({a.units for a, _ in found}) == min(6, len(cuts))
        for nth, p in found:
            assert math.log(cuts[nth.units]) == pytest.approx(p)


@settings(deadline=None, max_examples=60)
@given(lexicons, variants, st.sampled_from(["soft", "viterbi"]))
def test_one_round_of_em(pairs: list[Pair], options: AlignmentOptions, method: Any) -> None:
    options = replace(options, weights=None, initial="bag", method=method)
    before = fit(pairs, replace(options, rounds=0))
    after = fit(pairs, replace(options, rounds=1))
    counts, log_likelihood = defaultdict[Unit, float](float), 0.0
    for item, best in zip(pairs, before.align_all(pairs)[0], strict=True):
        if best is None:
            continue
        if method == "soft":
            log_likelihood += item.weight * before.log_probability(item)
            expected = posteriors(before, item)
        else:
            log_likelihood += item.weight * math.log(probability(before, best.units))
            expected = {unit: float(k) for unit, k in Counter(best.units).items()}
        for unit, count in expected.items():
            counts[unit] += item.weight * count
    assert after.log_likelihoods == pytest.approx((log_likelihood,))
    expected = {unit: count / sum(counts.values()) for unit, count in counts.items()}
    found = dict(zip(after.units, after.probabilities.tolist(), strict=True))
    assert found == pytest.approx(expected)


@settings(deadline=None, max_examples=60)
@given(lexicons, variants, st.sampled_from(["soft", "viterbi"]), st.booleans())
def test_the_likelihood_never_falls(
    pairs: list[Pair], options: AlignmentOptions, method: Any, rules: bool
) -> None:
    rule_pairs = [pair("ab", "x"), pair("c", "")] if rules and method == "soft" else []
    weights = (0.3, 0.6, 0.1) if rule_pairs else None
    options = replace(options, rounds=8, method=method, weights=weights)
    model = fit(pairs, options, rule_pairs=rule_pairs)
    for earlier, later in pairwise(model.log_likelihoods):
        assert later >= earlier - 1e-9 * abs(earlier)


@settings(deadline=None, max_examples=40)
@given(lexicons, variants, st.sampled_from([0.0, 0.5, 2.0, math.inf]))
def test_lattices_hold_the_good_alignments(
    pairs: list[Pair], options: AlignmentOptions, beam: float
) -> None:
    model = fit(pairs, options)
    lattices = model.lattices(pairs, beam=beam)
    for k, item in enumerate(pairs):
        cuts = cuts_of(model, item)
        arcs = slice(lattices.bounds[k], lattices.bounds[k + 1])
        sources, targets = lattices.sources[arcs], lattices.targets[arcs]
        if not cuts:
            assert lattices.n_states[k] == 0 and len(sources) == 0
            continue
        assert (sources < targets).all() and (np.diff(sources) >= 0).all()
        assert (targets < lattices.n_states[k]).all()
        units, shares = lattices.units[arcs], lattices.posteriors[arcs]
        good = {cut: p for cut, p in cuts.items() if p >= max(cuts.values()) * math.exp(-beam)}
        kept = {cut: p for cut, p in cuts.items() if cut in set(paths(item, lattices, arcs, model))}
        assert set(good) <= set(kept)
        assert lattices.costs[k] == pytest.approx(-math.log(sum(kept.values())))
        if len(sources):
            assert shares[sources == 0].sum() == pytest.approx(1.0)
        expected = defaultdict[Unit, float](float)
        for cut, p in kept.items():
            for unit in cut:
                expected[unit] += p / sum(kept.values())
        for number in set(units.tolist()) - {-1}:
            found = shares[units == number].sum()
            assert found == pytest.approx(expected[model.units[number]])


def paths(item: Pair, lattices: Any, arcs: slice, model: AlignmentModel) -> list[Cut]:
    """Every path of one lattice."""
    found: dict[int, list[tuple[int, int, Cut]]] = {0: [(0, 0, ())]}
    rows = (lattices.sources[arcs], lattices.targets[arcs], lattices.moves[arcs])
    last = 0
    for state, to, move in zip(*(row.tolist() for row in rows), strict=True):
        s, t = model.options.steps[move]
        last = max(last, to)
        for i, j, cut in found[state]:
            unit = item.source[i : i + s], item.target[j : j + t]
            found.setdefault(to, []).append((i + s, j + t, (*cut, unit)))
    return [cut for _, _, cut in found[last]]


@settings(deadline=None, max_examples=25)
@given(lexicons, variants, st.sampled_from(["soft", "viterbi"]))
def test_both_tiers_agree(pairs: list[Pair], options: AlignmentOptions, method: Any) -> None:
    options = replace(options, method=method)
    results = []
    for worked in (-(10**9), 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(jit, "_worked", worked)
            model = fit(pairs, options)
            best = [model.nbest(item, 3) for item in pairs]
            results.append((model, best, model.align_all(pairs)[0], model.lattices(pairs)))
    (plain, *plain_answers, plain_lattices), (fast, *fast_answers, fast_lattices) = results
    assert np.array_equal(plain.keys, fast.keys)
    assert np.array_equal(plain.probabilities, fast.probabilities)
    assert plain.log_likelihoods == fast.log_likelihoods
    assert plain_answers == fast_answers
    for plain_row, fast_row in zip(plain_lattices, fast_lattices, strict=True):
        assert plain_row.dtype == fast_row.dtype
        assert np.array_equal(plain_row, fast_row)


def generated(size: int) -> list[Pair]:
    """Pairs of a made-up language in which `sh` is one phone and `x` is two."""
    sounds = {"a": "A", "b": "B", "c": "K", "sh": "S", "x": "KZ", "e": "", "m": "M"}
    noise = np.random.default_rng(7)
    letters = list(sounds)
    chosen = noise.integers(len(letters), size=(size, 6))
    lengths = noise.integers(2, 7, size=size)
    rows = [[letters[k] for k in row[:n]] for row, n in zip(chosen, lengths, strict=True)]
    return [pair("".join(row), "".join(map(sounds.__getitem__, row))) for row in rows]


@pytest.mark.parametrize("method", ["soft", "viterbi"])
def test_results_do_not_depend_on_jobs(method: Any) -> None:
    pairs, options = generated(5000), AlignmentOptions(method=method, rounds=3, starts=2)
    one, three = fit(pairs, options), fit(pairs, options, jobs=3)
    assert np.array_equal(one.probabilities, three.probabilities)
    assert one.log_likelihoods == three.log_likelihoods
    assert one.align_all(pairs) == three.align_all(pairs, jobs=3)
    for row, other in zip(one.lattices(pairs), three.lattices(pairs, jobs=3), strict=True):
        assert np.array_equal(row, other)


def test_a_language_is_learned() -> None:
    pairs = generated(3000)
    model = fit(pairs)
    assert shown(model.align(pair("shaxe", "SAKZ"))) == "sh:S a:A x:KZ e:-"
    assert model.refusals == ()


def test_several_starts_keep_the_best() -> None:
    pairs = generated(300)
    options = AlignmentOptions(initial="random", rounds=5, tolerance=0.0, seed=3)
    alone = fit(pairs, options)
    best = fit(pairs, replace(options, starts=4))
    assert best.log_likelihoods[-1] >= alone.log_likelihoods[-1]
    again = fit(pairs, replace(options, starts=4))
    assert np.array_equal(best.probabilities, again.probabilities)
    other = fit(pairs, replace(options, seed=4))
    assert other.log_likelihoods != alone.log_likelihoods


@pytest.mark.parametrize("options", [AlignmentOptions(), ONE_TO_ONE], ids=["default", "one"])
def test_long_pairs_do_not_underflow(options: AlignmentOptions) -> None:
    noise = np.random.default_rng(1)
    source, target = noise.choice(list("abcdefgh"), 600), noise.choice(list("xyzuvw"), 500)
    item = pair("".join(source), "".join(target))
    pairs = [item, *generated(2000)]
    model = fit(pairs, options)
    assert model.refusals == ()
    assert -math.inf < model.log_probability(item) < -700
    assert model.align(item).pair == Pair(item.source, item.target)
    for earlier, later in pairwise(model.log_likelihoods):
        assert later >= earlier - 1e-9 * abs(earlier)
    lattice = model.lattices([item])
    assert lattice.posteriors[lattice.sources == 0].sum() == pytest.approx(1.0)


def test_ties_prefer_matches_and_short_ones_at_the_end() -> None:
    model = fit([pair("ab", "x")], AlignmentOptions(initial="uniform", rounds=0, max_source=1))
    assert [shown(a) for a, _ in model.nbest(pair("ab", "x"), 9)] == ["a:- b:x", "a:x b:-"]
    options = AlignmentOptions(
        initial="uniform", rounds=0, insertions=1, max_source=1, max_target=1
    )
    model = fit([pair("a", "x")], options)
    ranked = [shown(a) for a, _ in model.nbest(pair("a", "x"), 9)]
    assert ranked == ["a:x", ":x a:-", "a:- :x"]


def test_every_refusal_has_a_reason() -> None:
    pairs = [
        pair("abc", "xxxxxxxxx"),
        pair("", "x"),
        pair("a", ""),
        pair("", ""),
        pair("a", "x", math.nan),
        pair("a", "x"),
        pair("a" * 3000, "x" * 3000),
        pair("aaaaa", "x"),
    ]
    model = fit(pairs, AlignmentOptions(deletions=False))
    reasons = {item.index: item.reason for item in model.refusals}
    assert reasons == {
        0: "3 source symbols cannot give 9 target symbols: at most 6",
        1: "the source is empty and cannot give 1 target symbols",
        2: "the target is empty, which 1 source symbols cannot give",
        4: "the weight is nan, not a finite number of at least 0",
        6: "3000 by 3000 symbols are too many to align: cut the pair into shorter ones",
        7: "5 source symbols cannot give 1 target symbols: at least 3",
    }
    alignments, refused = model.align_all([*pairs, pair("ß", "x"), pair("ab", "x")])
    assert tuple(refused[:-2]) == model.refusals
    assert refused[-2].reason == "the source symbol 'ß' U+00DF was never seen in training"
    assert refused[-1].reason == "every alignment needs a unit of probability zero"
    assert alignments[3] == Alignment(())
    with pytest.raises(ItemError, match="at most 6"):
        model.align(pairs[0])


def test_a_uniform_share_aligns_what_was_never_seen() -> None:
    model = fit([pair("ab", "xy")], AlignmentOptions(weights=(0.0, 0.9, 0.1)))
    item = pair("aßb", "xyz")
    assert model.align(item).pair == Pair(item.source, item.target)
    assert sum(model.posterior_units(item).values()) == pytest.approx(3, abs=1)
    assert -1 in model.lattices([item]).units


@pytest.mark.parametrize("pairs", [[], [pair("", "")], [pair("a", "x")], [pair("", "xyz")]])
@pytest.mark.parametrize("options", [None, ONE_TO_ONE, AlignmentOptions(method="viterbi")])
def test_small_lexicons(pairs: list[Pair], options: AlignmentOptions | None) -> None:
    model = fit(pairs, options, jobs=2)
    assert len(model.align_all(pairs)[0]) == len(pairs)
    assert len(model.lattices(pairs).costs) == len(pairs)
    assert len(model.units) == len(model.probabilities)


def test_options_are_checked() -> None:
    wrongs: list[dict[str, Any]] = [
        {"max_source": 0},
        {"rounds": -1},
        {"insertions": -1},
        {"method": "hard"},
        {"initial": "bags"},
        {"weights": (0.5, 0.6, 0.0)},
    ]
    for wrong in wrongs:
        with pytest.raises(GlyphoneError):
            AlignmentOptions(**wrong)
    with pytest.raises(GlyphoneError, match="no rules"):
        fit([], AlignmentOptions(weights=(0.5, 0.5, 0.0)))
    with pytest.raises(GlyphoneError, match="not one-to-one"):
        fit([]).one_to_one_all([])


def test_weights_count() -> None:
    twice = fit([pair("ab", "xy"), pair("ab", "xy"), pair("b", "x")])
    weighted = fit([pair("ab", "xy", 2.0), pair("b", "x")])
    assert weighted.log_likelihoods == pytest.approx(twice.log_likelihoods)
    assert weighted.probabilities == pytest.approx(twice.probabilities)


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
        row = slots(alignment)
        assert len(row) == 2 * len(item.source) + 1
        assert tuple(y for symbol in row for y in symbol.split()) == item.target
        assert all(len(y) <= 1 for _, y in alignment.units)
    assert slots(model.one_to_one(words[3])) == ("k s",)


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
        [phone == (written or "-") for phone, written in zip(phones, slots(a)[1::2], strict=True)]
        for (_, phones), a in zip(hand, alignments, strict=True)
        if a is not None
    ]
    assert 100 * np.mean(np.concatenate(right)) == pytest.approx(letters, abs=0.5)
    assert 100 * np.mean([all(word) for word in right]) == pytest.approx(words, abs=0.5)


def test_compiled_kernels_run_alone() -> None:
    keys = np.array([3, 17, 40], np.int64)
    for module in (align_kernels, jit.compiled(align_kernels)):
        table = module.table_of(keys, 8)
        assert [int(table.ids[module.slot(table.keys, key)]) for key in keys] == [0, 1, 2]
    posteriors = np.array([1.0, 1.0])
    arcs = np.array([[0, 1, 7, 0], [0, 1, 8, 1]], np.int32)
    assert align_paths.share_out(arcs, posteriors, 2) == pytest.approx(1 - math.log(2))
    assert posteriors.tolist() == pytest.approx([0.5, 0.5])


def test_more_shapes_of_units_than_kernels_can_tell_apart_are_refused() -> None:
    with pytest.raises(GlyphoneError, match="lower max_source or max_target"):
        AlignmentOptions(max_source=13, max_target=13, many_to_many=True)
