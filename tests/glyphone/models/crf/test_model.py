"""The surface of conditional random fields over letters: what all models offer."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.alignment.training import AlignmentOptions
from glyphone.models.crf.training import CrfOptions, fit_crf
from glyphone.models.explanation import explain
from tests.glyphone.models.crf.twins import drawn

LEXICON = {
    "cacha": "kaSa", "chico": "Siko", "hoja": "oxa", "taxi": "taksi", "noche": "noSe",
    "cocina": "kosina", "hacha": "aSa", "nicho": "niSo", "cinco": "sinko", "jota": "xota",
}  # fmt: skip
PAIRS = [Pair(tuple(word), tuple(sounds)) for word, sounds in LEXICON.items()]
OPTIONS = CrfOptions(templates="3-grm", rho1=0.05, optimizer="owl-qn", iterations=60)
WIDE = AlignmentOptions(max_source=2, max_target=2)


def test_a_field_knows_its_lexicon() -> None:
    model = fit_crf(PAIRS, OPTIONS, target=Writing()).model
    assert {word: model(word).output for word in LEXICON} == LEXICON
    assert [one.output for one in model.apply(LEXICON) if one] == [*LEXICON.values()]


def test_posteriors_of_all_outputs_are_one_and_scores_are_theirs() -> None:
    model = drawn(3).model()
    for text in ("abc", "b", "cab", ""):
        found = model.nbest(text, 500)
        assert sum(one.posterior for one in found) == pytest.approx(1.0)
        for rank, one in enumerate(found[:5], 1):
            scored = model.score(text, one.output)
            assert scored.posterior == pytest.approx(one.posterior)
            assert scored.log_probability == pytest.approx(math.log(one.posterior))
            assert scored.rank == rank
            assert "".join("".join(x) for x, _ in scored.alignment.units) == text
            assert "".join("".join(y) for _, y in scored.alignment.units) == one.output
    assert model.score("b", "qqqqq").log_probability == -math.inf


def test_temperatures_change_posteriors_alone() -> None:
    field = drawn(3)
    cold, warm = field.model(), field.model(temperature=2.0)
    one, other = cold("abc"), warm("abc")
    assert (one.output, one.cost) == (other.output, pytest.approx(other.cost))
    best = max(field.outputs((1, 2, 3), 0.5).values())
    assert other.posterior == pytest.approx(best[1])
    assert warm.score("abc", other.output).posterior == pytest.approx(other.posterior)
    assert cold.score("abc", other.output).log_probability == pytest.approx(
        warm.score("abc", other.output).log_probability
    )


def test_spans_trace_outputs_to_letters() -> None:
    model = fit_crf(PAIRS, OPTIONS, target=Writing()).model
    best = model("taxi")
    assert best.output == "taksi"
    units = model.score("taxi", "taksi").alignment.units
    wanted = [letter for (letter,), sounds in units for _ in sounds]
    assert ["taxi"[a:b] for a, b in best.spans] == wanted


def test_units_of_several_letters() -> None:
    options = replace(OPTIONS, alignment=WIDE)
    model = fit_crf(PAIRS, options, target=Writing()).model
    assert {word: model(word).output for word in LEXICON} == LEXICON
    units = model.score("nicho", "niSo").alignment.units
    assert any(len(x) == 2 for x, _ in units)
    assert "".join("".join(x) for x, _ in units) == "nicho"
    told = explain(model, "nicho")[0].units
    assert [len(used.letters) for used in told] == [len(x) for x, _ in units]


def test_explanations_cost_what_the_answer_costs() -> None:
    model = fit_crf(PAIRS, OPTIONS, target=Writing()).model
    for told in explain(model, "chacha", 3):
        assert sum(used.cost for used in told.units) == pytest.approx(told.hypothesis.cost)
        assert any(used.because for used in told.units)


def test_what_there_is_not() -> None:
    model = fit_crf(PAIRS, OPTIONS, target=Writing()).model
    with pytest.raises(ItemError, match="not in the alphabet"):
        model("queso")
    with pytest.raises(GlyphoneError, match="no inverse"):
        model.invert()
    assert math.isinf(model.exact().beam)
    assert model.exact().fingerprint() != model.fingerprint()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"templates": "4-grm"}, "no set of templates"),
        ({"pairs": "none"}, "no set of templates"),
        ({"alignment": AlignmentOptions(insertions=1)}, "letters that they stand at"),
    ],
)
def test_options_that_cannot_be(options: dict[str, object], message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        CrfOptions(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options", [{"rho1": math.nan}, {"optimizer": "adam"}, {"optimizer": "lbfgs"}]
)
def test_options_of_training_are_refused_before_the_long_work(options: dict[str, object]) -> None:
    with pytest.raises(GlyphoneError):
        fit_crf(PAIRS, CrfOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize("optimizer", ["owl-qn", "sgd", "bcd"])
def test_every_optimizer(optimizer: str) -> None:
    options = replace(OPTIONS, optimizer=optimizer, iterations=20)
    if optimizer == "bcd":
        with pytest.raises(GlyphoneError, match="not bcd"):
            fit_crf(PAIRS, options, target=Writing())
        return
    model = fit_crf(PAIRS, options, target=Writing()).model
    assert model("chico").output == "Siko"


def test_one_pair_and_silence() -> None:
    assert fit_crf([Pair(("a",), ("x",))]).model("aaa").output == "x x x"
    silent = fit_crf([Pair(("a",), ()), Pair(("a", "a"), ())]).model
    assert silent("aaa").output == "" and silent("").output == ""


@pytest.mark.parametrize("templates", ["5-grm+", "7-grm++", "5-grm*"])
def test_letters_are_decoded_as_they_were_learnt(
    templates: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = replace(OPTIONS, templates=templates)
    learner = options.learner(jobs=1, verbose=False)
    monkeypatch.setattr(CrfOptions, "learner", lambda self, **told: learner)
    model = fit_crf(PAIRS, options, target=Writing()).model
    for word in ("a", "ch", "chica", "jocha", "cinconoche"):
        letters = tuple(str(model.source.symbols[letter]) for letter in word)
        best = learner.predict_nbest([letters], n=1)[0][0]
        assert model(word).cost == pytest.approx(-math.log(best.probability), abs=1e-4)


def test_a_stop_signal_leaves_a_usable_model(monkeypatch: pytest.MonkeyPatch) -> None:
    from glyphone.learners.crf.training.gradient_descent import GradientDescent

    iterate, left = GradientDescent.iterate, [8]

    def stopped(self: GradientDescent) -> tuple[float, str]:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return iterate(self)

    monkeypatch.setattr(GradientDescent, "iterate", stopped)
    fitted = fit_crf(PAIRS, CrfOptions(rho1=0.05), target=Writing())
    assert (fitted.ended, len(fitted.history)) == ("stop signal", 8)
    assert fitted.model("chico").output == "Siko"
