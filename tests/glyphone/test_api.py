"""`glyphone.load(...)`: call, nbest, score, apply, invert."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import glyphone
from glyphone.data.errors import ItemError, NoOutput


def model(toy: Path, rule: str) -> glyphone.Model:
    return glyphone.load(f"{toy}:{rule}")


def test_names_of_the_package() -> None:
    assert set(glyphone.__all__) == {
        "Hypothesis", "Model", "VERSION", "distill", "load", "train",
    }  # fmt: skip
    for name in glyphone.__all__:
        assert getattr(glyphone, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'lod'"):
        _ = glyphone.lod


def test_a_path_may_be_an_object_where_one_rule_is_enough(toy: Path) -> None:
    with pytest.raises(glyphone.data.errors.GlyphoneError, match="holds 3 rules"):
        glyphone.load(toy)


def test_the_best_hypothesis(toy: Path) -> None:
    best = model(toy, "PLAIN")("Chan\u0303a")
    assert isinstance(best, glyphone.Hypothesis)
    assert (best.output, best.posterior, best.cost) == ("tʃ a ɲ a", 1.0, 0.0)
    assert best.symbols == ("tʃ", "a", "ɲ", "a")
    # Offsets count in the user's own string, where ñ is two code points.
    assert best.spans == ((0, 2), (2, 3), (3, 5), (5, 6))


def test_every_hypothesis_in_order_with_its_share(toy: Path) -> None:
    found = model(toy, "MANY").nbest("bb", n=9)
    assert [hypothesis.output for hypothesis in found] == ["b b", "b c", "c b", "c c"]
    assert [hypothesis.posterior for hypothesis in found] == pytest.approx(
        [0.5625, 0.1875, 0.1875, 0.0625]
    )
    two = model(toy, "MANY").nbest("bb", n=2)
    assert [hypothesis.posterior for hypothesis in two] == pytest.approx([0.5625, 0.1875])


def test_scores(toy: Path) -> None:
    scored = model(toy, "MANY").score("bb", "c b")
    assert 2.718281828**scored.log_probability == pytest.approx(0.1875)
    assert scored.posterior == pytest.approx(0.1875)
    assert scored.alignment.units == ((("b",), ("c",)), (("b",), ("b",)))
    assert model(toy, "MANY").score("bb", "a").posterior == 0.0


def test_the_inverse(toy: Path) -> None:
    inverse = model(toy, "MANY").invert()
    assert [hypothesis.output for hypothesis in inverse.nbest("c")] == ["c", "b"]
    assert inverse.invert()("ab").output == "a b"


def test_failures_say_what_and_where(toy: Path) -> None:
    with pytest.raises(ItemError) as caught:
        model(toy, "PLAIN")("chaŋ")
    error = caught.value
    assert (error.symbol, error.offset, error.stage) == ("ŋ", 3, "PLAIN")
    with pytest.raises(NoOutput):
        model(toy, "PARTIAL")("b")
    assert model(toy, "PARTIAL").nbest("b") == []
    with pytest.raises(ItemError, match=r"'á' U\+00E1"):
        model(toy, "PLAIN").nbest("a\u0301\u0301")


def test_near_misses_are_named(toy: Path) -> None:
    with pytest.raises(ItemError, match="lower case"):
        model(toy, "MANY")("A")
    with pytest.raises(ItemError, match=r"look-alike .*LATIN SMALL LETTER A"):
        model(toy, "PLAIN")("\u0430")
    assert model(toy, "PLAIN")("N\u0303").output == "ɲ"


@pytest.mark.parametrize("jobs", [None, 1, 3])
def test_a_lazy_batch_in_input_order(toy: Path, jobs: int | None) -> None:
    texts = ["cha", "q", "a" * 50, "", "\udcff"] * 400
    failed: list[tuple[int, str | None]] = []
    answers = list(
        model(toy, "PLAIN").apply(
            texts, jobs=jobs, on_error=lambda number, error: failed.append((number, error.symbol))
        )
    )
    assert len(answers) == len(texts)
    outputs = [answer and answer.output for answer in answers]
    assert outputs == ["tʃ a", None, " ".join("a" * 50), "", None] * 400
    assert failed == [
        (n, s) for i in range(0, 2000, 5) for n, s in ((i + 1, "q"), (i + 4, "\udcff"))
    ]


def test_an_endless_batch_begins_at_once(toy: Path) -> None:
    taken = 0

    def texts() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "cha"

    first = next(iter(model(toy, "PLAIN").apply(texts(), jobs=2)))
    assert first is not None and first.output == "tʃ a"
    assert taken < 2000


def test_failures_that_nobody_asked_for_go_to_the_log(
    toy: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "glyphone"):
        assert list(model(toy, "PLAIN").apply(["q"])) == [None]
    assert "'q' U+0071" in caplog.text


def test_a_model_may_be_closed_over_by_many_threads(toy: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    shared = model(toy, "MANY")
    words = ["abc"[: n % 3 + 1] * (n % 7) for n in range(300)]
    alone = [shared.nbest(word, 3) for word in words]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda word: shared.nbest(word, 3), words)) == alone


def test_an_archive_may_vanish_once_it_is_loaded(toy: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.far"
    copy.write_bytes(toy.read_bytes())
    loaded = glyphone.load(f"{copy}:PLAIN")
    os.unlink(copy)
    assert loaded("cha").output == "tʃ a"
