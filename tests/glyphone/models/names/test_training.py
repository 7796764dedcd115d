"""Learning names: what pairs are cut into, and what becomes of those that cannot be learnt."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glyphone as library
from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.records import Pair
from glyphone.fst.alignment.refusals import NothingLearnt
from glyphone.models.names.languages import Language
from glyphone.models.names.script import script_of
from glyphone.models.names.training import (
    discount_targets,
    fit_names,
    options_of,
    split_pair,
    words_of,
)
from tests.glyphone.models.names.support import TARALI, VELM, VELM_NAMES, pairs_of, tarali, velm
from tests.glyphone.support import glyphone

KANA = Language(code="x", name="X", script="Kana", letters="ミ ラ ノ", space="・", hyphen="＝")


def pair(latin: str, native: str, weight: float = 1.0) -> Pair:
    return Pair(tuple(latin), tuple(native), weight)


def cut(latin: str, native: str, language: Language = KANA) -> list[tuple[str, str]]:
    return [
        ("".join(one.source), "".join(one.target))
        for one in split_pair(pair(latin, native, 2.0), language)
    ]


def test_pairs_are_cut_at_the_separators_of_both_sides() -> None:
    expected = [("mira", "ミラ"), ("no", "ノ")]
    for native in ("ミラ・ノ", "ミラ＝ノ", "ミラ ノ", "ミラ-ノ", "\u200fミラ・\u200fノ "):
        assert cut("Mira-No", native) == expected
    assert [one.weight for one in split_pair(pair("Mira No", "ミラ・ノ", 2.0), KANA)] == [2.0, 2.0]
    with pytest.raises(ItemError, match="item 'Mira No': is of 2 parts, and ミラノ of 1"):
        cut("Mira No", "ミラノ")
    with pytest.raises(ItemError, match="is abbreviated"):
        cut("M. No", "ミ・ノ")


WORDS = {"mira": "միրա", "bora": "բորա", "elin": "ելին"}
BAD = {"x": "x", "nora lola": "նորա", "a. b": "ա բ", "mira xo": "միրա xո", "xi xo": "xի xո"}


@given(st.lists(st.sampled_from([*WORDS.items(), *BAD.items()]), max_size=8))
def test_a_pair_is_learnt_or_refused_as_a_whole(rows: list[tuple[str, str]]) -> None:
    pairs = [pair(*row) for row in rows]
    words, refusals = words_of(pairs, script_of(VELM))
    learnt, refused = [index for index, _ in words], [one.index for one in refusals]
    assert sorted([*learnt, *refused]) == [*range(len(rows))]
    assert {rows[index][0] for index in refused} <= BAD.keys()
    assert all(one.pair is pairs[one.index] for one in refusals)
    if learnt:
        assert [one.index for one in fit_names(pairs, VELM).refusals] == sorted(refused)


def reasons(pairs: Sequence[Pair], language: Language = VELM) -> list[str]:
    return [one.reason for one in fit_names(pairs, language).refusals]


def test_reasons_of_refusals() -> None:
    bad = [pair("mira", "միрա"), pair("Mira N", "Միրա"), pair("i", "միրամիրամիրա"), pair("-", "ա")]
    assert reasons([*pairs_of(VELM_NAMES), *bad]) == [
        "item 'միрա': at 2: 'р' U+0440 is no letter of Velm",
        "item 'Mira N': is of 2 parts, and Միրա of 1",
        "1 source symbols cannot give 12 target symbols: at most 2",
        "item '-': is no name (there is no letter in it)",
    ]
    (reason,) = reasons([pair("mira", "მ\u0307რ"), pair("mira", "\u0307მრ")], TARALI)
    assert reason.startswith("item '\u0307მრ': tarali: no output")


def test_nothing_to_learn_from() -> None:
    with pytest.raises(NothingLearnt, match="velm: there is nothing to train on"):
        fit_names([], VELM)
    bad = [pair("i", "միրամիրա"), pair("a", "x"), pair("a b", "ա")]
    for some in (bad[:1], bad[1:], bad):
        with pytest.raises(NothingLearnt, match=f"the first of {len(some)} because") as caught:
            fit_names(some, VELM)
        refusals = caught.value.refusals
        assert [one.index for one in refusals] == [*range(len(some))]
        assert [one.pair for one in refusals] == some


def test_what_is_learnt() -> None:
    for names, model in ((VELM_NAMES, velm()), ({"salo": "სლ\u030a"}, tarali())):
        right = [model(latin).output == native for latin, native in names.items()]
        assert sum(right) >= 0.8 * len(right)
    assert velm().name == "names.velm" and velm().joint.name == "velm"
    assert fit_names(pairs_of(VELM_NAMES), VELM, name="mine").model.name == "mine"
    # What is common counts for more.
    rival = [pair("ta", "տա", 9.0), pair("ta", "դա"), pair("to", "տո"), pair("so", "սո")]
    assert fit_names(rival, VELM).model("ta").output == "տա"
    others = [replace(one, weight=10.0 - one.weight) for one in rival]
    assert fit_names(others, VELM).model("ta").output == "դա"


def test_many_spellings_of_one_word_count_less_than_as_many_words() -> None:
    latin = "tan taan tann taann thaan taahn tahn than".split()
    spellings = [pair(spelling, "տան") for spelling in latin]
    words = [pair("tal", "դալ"), pair("tam", "դամ"), pair("tas", "դաս"), pair("tor", "դոր")]
    weights = [one.weight for one in discount_targets([*spellings, *words, pair("o", "ո", 3.0)])]
    assert weights == pytest.approx([1 / math.sqrt(8)] * 8 + [1.0] * 4 + [3.0])
    rest = [pair("bo", "բո"), pair("na", "նա"), pair("ha", "հա")]
    model = fit_names([*spellings, *words, *rest], replace(VELM, letters=VELM.letters + "հ")).model
    # Eight spellings are 2.8 words, fewer than the four that have դ.
    assert model("tab").output.startswith("դ")


def test_options_of_a_file() -> None:
    language = replace(VELM, training=replace(VELM.training, order=2, max_source=2, max_target=1))
    options = options_of(language, seed=7)
    alignment = options.alignment
    assert (options.order, options.seed, alignment.seed) == (2, 7, 7)
    assert (alignment.max_source, alignment.max_target) == (2, 1)
    pairs = [pair("sha", "շա"), pair("sho", "շո"), pair("ha", "հա"), pair("sa", "սա")]
    wide = fit_names(pairs, replace(language, letters="շ ա ո հ ս")).model
    assert max(map(len, wide.joint.units.sources)) == 2


def test_models_do_not_depend_on_the_number_of_jobs() -> None:
    one, two = (fit_names(pairs_of(VELM_NAMES), VELM, jobs=jobs).model for jobs in (1, 2))
    assert one.fingerprint() == two.fingerprint() == velm().fingerprint()


TOML = 'name = "Velm"\nscript = "Armn"\nletters = "ա բ ե ի լ մ ն ո ր"\ncased = true\n'


def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("velm.toml").write_text(TOML, encoding="utf-8")
    rows = ["Mira\tՄիրա", "Bora\tԲորա", "Elin Mira\tԵլին Միրա", "Mira\tмира", "Nora"]
    Path("names.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    train = ["train", "names.tsv", "--language", "velm.toml", "-o", "velm.glyphone"]
    ran = glyphone(*train)
    assert ran.code == 1 and "names model names.velm" in ran.out
    told = Path("velm.glyphone.errors.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert [row.split("\t")[0] for row in told] == ["4", "5"]
    assert "is no letter of Velm" in told[0] and "column 2 is missing" in told[1]
    names = "MIRA-bora\nM. Elin\nElin 2\n"
    ran = glyphone("apply", "velm.glyphone", "--format", "jsonl", stdin=names.encode())
    (row,) = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 1 and row["hypotheses"][0]["output"] == "Միրա-բորա"
    assert "is abbreviated" in ran.err and "DIGIT TWO" in ran.err
    assert library.load("velm.glyphone")("mira").output == "միրա"
    Path("names.tsv").write_text("Mira\tмира\n", encoding="utf-8")
    assert glyphone(*train).code == 2
    told = Path("velm.glyphone.errors.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert len(told) == 1 and "is no letter of Velm" in told[0]


def test_languages_are_asked_for_and_options_checked() -> None:
    pairs = pairs_of(VELM_NAMES)
    with pytest.raises(GlyphoneError, match=r"names of which language. .one of .*hin.*toml file"):
        library.train(pairs, kind="names")
    with pytest.raises(GlyphoneError, match=r"no language named 'hni' .did you mean hin"):
        library.train(pairs, kind="names", language="hni")
    with pytest.raises(GlyphoneError, match="no option of names named 'ordr'"):
        library.train(pairs, kind="names", language="hin", ordr=3)
