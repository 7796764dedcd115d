"""Names as they were heard, and the names of a list that they may be."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.fst.rules.cascade import cascade
from glyphone.fst.transducers.model import TransducerModel
from glyphone.learners.matching.evidence import Spelling
from glyphone.matching.comparer import Comparer
from glyphone.matching.name_lists import NameList
from glyphone.matching.partners import Partner, PartnerFinder, even_together, odds_of
from glyphone.matching.phones import Phones
from tests.glyphone.matching.names import NAMES, small_matcher

# The vowels of the letters are not told apart, nor are c and k.
SOUNDS = cascade(
    letters="a b c d e f i k l m n o r s t v x",
    phones="a b k d f l m n r s t v",
    rules=["c k -> k", "c -> k", "e -> a", "i -> a", "o -> a", "x -> k s"],
)


def finder_of(
    *names: str, sounds: bool = False, least: float = 0.1, most: int = 10
) -> PartnerFinder:
    lines = [(2 * place + 1,) for place in range(len(names))]
    return PartnerFinder(
        Comparer(small_matcher()),
        NameList([*names], lines, []),
        phones=Phones(TransducerModel.of(SOUNDS)) if sounds else None,
        least=least,
        most=most,
    )


def names_of(found: list[Partner]) -> list[str]:
    return [one.name for one in found]


def test_a_name_alone_has_the_probability_of_the_matcher() -> None:
    (found,) = finder_of("Borodin, Anna", "Felix Dvorak").find([[("anna borodin", 1.0)]])
    assert names_of(found) == ["Borodin, Anna"] and found[0].lines == (1,)
    alone = small_matcher().similarity("anna borodin", "Borodin, Anna")
    assert found[0].probability == pytest.approx(alone, abs=0.01)


def test_the_probability_of_what_was_heard_counts() -> None:
    finder = finder_of("Anna Borodin", "Felix Dvorak", least=0.0)
    whole, half = finder.find([[("anna borodin", 1.0)], [("anna borodin", 0.5)]])
    assert half[0].probability == pytest.approx(whole[0].probability / 2)
    (both,) = finder.find([[("anna borodin", 0.5), ("felix dvorak", 0.4)]])
    assert names_of(both) == ["Anna Borodin", "Felix Dvorak"]
    assert both[0].probability == pytest.approx(half[0].probability, abs=0.01)
    assert sum(one.probability for one in both) < 0.9


@given(st.lists(st.floats(0.0, 0.99), min_size=1, max_size=5))
def test_shares_are_those_of_independent_names_of_which_at_most_one_was_said(
    probabilities: list[float],
) -> None:
    worlds = {
        world: prod(p if one else 1 - p for p, one in zip(probabilities, world, strict=True))
        for world in product([0, 1], repeat=len(probabilities))
        if sum(world) <= 1
    }
    odds = [*map(odds_of, probabilities)]
    for place, one in enumerate(odds):
        wanted = sum(share for world, share in worlds.items() if world[place])
        assert one / (1 + sum(odds)) == pytest.approx(wanted / sum(worlds.values()))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_part_of_a_name_is_shared_by_all_who_have_it(count: int) -> None:
    annas = [f"Anna {family}" for family in ("Borodin", "Castell", "Eriksen")][:count]
    for heard, more in (("anna", ()), ("anna", ("Felix Dvorak", "Boris Farkas"))):
        (found,) = finder_of(*more, *annas, least=0.0).find([[(heard, 1.0)]])
        best = found[:count]
        assert names_of(best) == annas
        assert len({one.probability for one in best}) == 1
        assert 0.4 < sum(one.probability for one in best) <= 0.5
    (rare,) = finder_of(*NAMES, "Clara Castellan").find([[("castellan", 1.0)]])
    assert names_of(rare) == ["Clara Castellan"]


def test_shared_too_far_is_not_listed() -> None:
    assert finder_of(*NAMES).find([[("anna", 1.0)]]) == [[]]
    (found,) = finder_of(*NAMES, least=0.05).find([[("anna", 1.0)]])
    assert names_of(found) == [name for name in NAMES if name.startswith("Anna")]


def test_the_name_that_was_heard_is_as_likely_as_any() -> None:
    for names in (["William Dvorak", "Bill Dvorak"], ["Bill Dvorak", "William Dvorak"]):
        (found,) = finder_of(*names).find([[("bill dvorak", 1.0)]])
        best = max(found, key=lambda one: one.probability)
        assert {one.name: one.probability for one in found}["Bill Dvorak"] == best.probability


def test_misheard_names_are_found_by_sounds() -> None:
    names = ["Felix Dvorak", "Anna Borodin", "Clara Castell"]
    heard = [[("falaks tvorick", 1.0)]]
    (letters,) = finder_of(*names, least=0.0).find(heard)
    (sounds,) = finder_of(*names, least=0.0, sounds=True).find(heard)
    assert names_of(sounds)[0] == "Felix Dvorak"
    known = {one.name: one.probability for one in letters}
    assert sounds[0].probability > 2 * known.get("Felix Dvorak", 0.0)
    # A phone that is another makes a name less likely, and a word that none is like has none.
    exact, homophone, other = (
        finder_of(*names, least=0.0, sounds=True).find([[(text, 1.0)]])[0][0].probability
        for text in ("felix dvorak", "falaks dvorac", "falaks tvorac")
    )
    assert exact > homophone > other


def test_words_that_the_model_cannot_read_have_no_sounds() -> None:
    phones = Phones(TransducerModel.of(SOUNDS))
    assert phones.of(["bad", "7", "Ω"]) == [("b", "a", "d"), (), ()]
    assert phones.edits("7", "bad") is None and phones.edits("7", "7") == 0
    finder = finder_of("Борис 7", "Anna Borodin", sounds=True)
    assert names_of(finder.find([[("борис 7", 1.0)]])[0]) == ["Борис 7"]


def test_no_match_is_invented() -> None:
    finder = finder_of(*NAMES, sounds=True)
    heard = ["zzyzx qwerty", "", "?!", "x" * 10_000, "um", "Ω", "\ud800"]
    assert finder.find([[(text, 1.0)] for text in heard]) == [[]] * len(heard)
    assert finder.find([]) == [] and finder.find([[]]) == [[]]


def test_at_most_so_many_are_listed_the_first_of_equal_ones_first() -> None:
    finder = finder_of("Anna Farkas", "Anna Abbott", "Anna Dvorak", least=0.0, most=2)
    (found,) = finder.find([[("anna", 1.0)]])
    assert names_of(found) == ["Anna Farkas", "Anna Abbott"]


def test_a_list_of_one_name() -> None:
    assert names_of(finder_of("Anna Borodin").find([[("borodin anna", 1.0)]])[0]) == [
        "Anna Borodin"
    ]


def test_names_of_another_script_are_candidates() -> None:
    latin = {"бородин": "borodin", "анна": "anna"}

    def speller(words: Sequence[str], script: str, wanted: str) -> list[tuple[Spelling, ...]]:
        return [(Spelling(wanted, latin[word]),) if word in latin else () for word in words]

    matcher = copy(small_matcher())
    matcher.speller = speller
    # More names than candidates: only those that share something with the spelling are compared.
    names = [*(name for name in NAMES if "Borodin" not in name), "Anna Borodin"]
    lines = [(place,) for place in range(len(names))]
    finder = PartnerFinder(Comparer(matcher), NameList(names, lines, []), least=0.0)
    assert names_of(finder.find([[("Анна Бородин", 1.0)]])[0])[0] == "Anna Borodin"


@given(st.dictionaries(st.integers(0, 9), st.floats(1e-3, 1e3), min_size=1, max_size=5))
def test_even_together(odds: dict[int, float]) -> None:
    shared = even_together(odds)
    assert sum(shared.values()) == pytest.approx(max(odds.values()) / (1 + max(odds.values())))
    ratios = [shared[one] / odds[one] for one in odds]
    assert ratios == pytest.approx([ratios[0]] * len(ratios))
