"""Finding with grammars and asking transducers, beside asking about every run of words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from glyphone.data.fields import WrongSetting
from glyphone.data.writing import Writing
from glyphone.fst.interface.unknown_symbols import lenient
from glyphone.fst.rules.cascade import Cascade, cascade, table_of
from glyphone.fst.transducers.model import NOTHING, TransducerModel
from glyphone.pipelines.registry import Item
from glyphone.pipelines.stages import scanning
from glyphone.pipelines.stages.scanning import WORD, Scanner
from glyphone.pipelines.stages.transducing import IMPOSSIBLE, Find, Score, Transduce
from tests.glyphone.conftest import rule

pytest.importorskip("pynini", reason="compiling a grammar needs pynini")


def of_words() -> Cascade:
    """A grammar over words, in which a run needs not begin with a run."""
    entries = {("area", "code", "one"): ["1"], ("two",): ["2"], ("three", "four"): ["7"]}
    return cascade(
        letters="area code one two three four",
        phones="1 2 7",
        source=Writing("token", case="lower"),
        partial=True,
        rules=table_of(entries),  # type: ignore[arg-type]
    )


def of_letters() -> Cascade:
    """One over letters, spaces among them, in two steps of which the second refuses."""
    return cascade(
        letters=[*"abc "],
        phones="A B S",
        partial=True,
        ambiguous=True,
        rules=["a -> A | B\nb -> B\n\\  -> S", table_of({"AA": ["A"], "B": ["B"], "S": ["S"]})],
    )


GRAMMARS = {
    "words": (of_words, "area code one Two three four five"),
    "letters": (of_letters, "a aa b ab c bb d"),
}


@pytest.fixture(scope="module", params=GRAMMARS)
def grammar(request: pytest.FixtureRequest) -> tuple[TransducerModel, list[str]]:
    make, words = GRAMMARS[request.param]
    return TransducerModel.of(make(), name=request.param), words.split()


def every_run(model: TransducerModel, text: str, longest: int) -> dict[tuple[int, int], list[str]]:
    """The outputs of each run of words that has any, found by asking about all of them."""
    words = [match.span() for match in WORD.finditer(text)]
    found = {}
    for begin in range(len(words)):
        for end in range(begin + 1, min(len(words), begin + longest) + 1):
            answers = model.answer([text[words[begin][0] : words[end - 1][1]]], n=100)
            if answers.outputs:
                found[words[begin][0], words[end - 1][1]] = list(answers.outputs)
    return found


def test_the_same_as_asking_about_every_run(grammar: tuple[TransducerModel, list[str]]) -> None:
    model, words = grammar
    chooser = random.Random(0)
    found_some = 0
    for _ in range(60):
        gaps = [" ", "  ", "\t", " "] if model.name == "words" else [" "]
        text = "".join(
            chooser.choice(words) + chooser.choice(gaps) for _ in range(chooser.randrange(9))
        )
        longest = chooser.randrange(1, 6)
        expected = every_run(model, text, longest)
        find = Find(model=model, longest=longest, n=100, runs="all")
        (item,) = find([Item(text)])
        values: dict[tuple[int, int], list[str]] = {}
        for candidate in item.candidates:
            values.setdefault(candidate.span, []).append(candidate.value)
            assert candidate.text == text[slice(*candidate.span)]
            assert candidate.features["words"] == len(candidate.text.split())
            around = (text[: candidate.span[0]].split(), text[candidate.span[1] :].split())
            assert [candidate.features[x] for x in ("before", "after")] == [*map(len, around)]
        assert values == expected
        assert list(values) == sorted(values)
        # The longest are those that are inside no other.
        inside = {
            one
            for one in expected
            for other in expected
            if one != other and other[0] <= one[0] and one[1] <= other[1]
        }
        (item,) = Find(model=model, longest=longest, n=100)([Item(text)])
        assert {candidate.span for candidate in item.candidates} == expected.keys() - inside
        found_some += bool(expected)
    assert found_some > 20


def test_what_is_remembered_is_bounded(
    grammar: tuple[TransducerModel, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, words = grammar
    text = " ".join(words * 3)
    expected = Scanner(model).runs(text, longest=20)
    monkeypatch.setattr(scanning, "MOST_STEPS", 3)
    scanner = Scanner(model)
    assert scanner.runs(text, longest=20) == expected
    assert len(scanner.steps) <= 3


def test_texts_with_nothing(grammar: tuple[TransducerModel, list[str]]) -> None:
    model, _ = grammar
    texts = ["", "  ", "\0", "\ud800", "zz zz", "ß"]
    assert [item.candidates for item in Find(model=model)([*map(Item, texts)])] == [()] * 6
    assert Find(model=model)([]) == []


def test_long_texts(grammar: tuple[TransducerModel, list[str]]) -> None:
    model, words = grammar
    (item,) = Find(model=model, longest=3)([Item(" ".join(words * 3000))])
    assert len(item.candidates) > 3000


def test_a_grammar_that_accepts_nothing() -> None:
    model = TransducerModel.of(of_words())
    nothing = TransducerModel((NOTHING,), model.source, model.target)
    found = [len(Find(model=one)([Item("two")])[0].candidates) for one in (model, nothing)]
    assert found == [1, 0]


def test_only_grammars_find(plain: TransducerModel) -> None:
    with pytest.raises(WrongSetting, match=r"model is a LenientModel, .* \(find with a rule of a"):
        Find(model=lenient(plain, "skip"))


def test_answers_and_scores(toy: Path) -> None:
    many = rule(f"{toy}:MANY")
    stages = Transduce(model=many, n=3, feature="many"), Score(model=many, feature="again")
    (item,) = stages[1](stages[0]([Item("ab")]))
    assert [c.value for c in item.candidates] == ["a b", "a c"]
    assert [c.score for c in item.candidates] == pytest.approx([0.75, 0.25])
    for candidate in item.candidates:
        assert candidate.features["again"] == pytest.approx(candidate.features["many"])
    assert Transduce(model=many)([]) == []


def test_a_pair_that_is_impossible(toy: Path) -> None:
    many, plain = rule(f"{toy}:MANY"), rule(f"{toy}:PLAIN")
    (item,) = Transduce(model=plain)([Item("cha")])
    (item,) = Score(model=many, feature="many")([item])
    assert item.candidates[0].features["many"] == IMPOSSIBLE
    assert item.candidates[0].score == 1.0
