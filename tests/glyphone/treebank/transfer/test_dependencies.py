"""Transfer of dependency treebanks: words and orders, counts and errors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from glyphone.data.errors import ItemError
from glyphone.data.treebanks.dependencies import Sentence
from glyphone.treebank.sampling.chains import TOO_LARGE, SamplingOptions
from glyphone.treebank.sampling.impute import ImputationPlan
from glyphone.treebank.transfer.dependencies import DependencyResult, transfer_dependencies
from glyphone.treebank.transfer.dependency_forests import DependencyGrammar
from glyphone.treebank.transfer.lexical import BilingualLexicon
from tests.glyphone.treebank.test_constructions import sentence

VERB_FIRST = sentence(
    ("Viene", "VERB", 0, "root"), ("hoy", "ADV", 1, "advmod"), ("Ana", "PROPN", 1, "nsubj"),
    (".", "PUNCT", 1, "punct"),
)  # fmt: skip
# A determiner that is not beside its noun.
CROSSED = sentence(
    ("la", "DET", 3, "det"), ("Viene", "VERB", 0, "root"), ("chica", "NOUN", 2, "nsubj"),
)  # fmt: skip
DOTS = sentence((".", "PUNCT", 0, "root"))
TEXT = [["ana", "comes"], ["Eva", "comes", "today"], ["Ana", "sleeps", "now"]]
WORDS = BilingualLexicon({"viene": (("comes", 3.0), ("arrives", 1.0)), "hoy": (("today", 1.0),)})


def transferred(
    *given: Sentence, lexicon: BilingualLexicon = WORDS, **options: int
) -> DependencyResult:
    chosen = SamplingOptions(iterations=30, strength=1.0, seed=1, **options)
    return transfer_dependencies(
        given, TEXT, grammar=DependencyGrammar(lexicon=lexicon), plan=ImputationPlan(options=chosen)
    )


def test_words_and_order_are_of_the_text() -> None:
    named = replace(VERB_FIRST, comments=("# sent_id = a", "# text = Viene hoy Ana ."))
    result = transferred(named)
    (found,) = result.sentences
    # The adverb is nearer to the verb than the subject, and stays so.
    assert [word.form for word in found.words] == ["Ana", "Comes", "today", "."]
    assert [word.head for word in found.words] == [2, 0, 2, 2]
    assert found.comment("text") == "Ana Comes today ."
    assert found.comment("transfer_source") == "a"
    assert 0.2 < float(found.comment("transfer_frequency")) <= 1.0
    assert (result.words, result.moved, result.unseen, result.refused) == (3, 0, 0, [])
    rows = {row.name: row for row in result.classes}
    assert set(rows) == {"advmod", "nsubj(VERB)"}
    assert rows["nsubj(VERB)"].source_share == 1.0
    assert rows["nsubj(VERB)"].estimate.mean < 0.5


def test_dependents_are_dropped_where_the_text_has_none() -> None:
    given = sentence(
        ("the", "DET", 3, "det"), ("“", "PUNCT", 1, "punct"), ("rain", "NOUN", 4, "nsubj"),
        ("stops", "VERB", 0, "root"),
    )  # fmt: skip
    shares = {}
    for name, text in (("without", [["NOUN", "VERB"]]), ("with", [["DET", "NOUN", "VERB"]])):
        grammar = DependencyGrammar(reads="tags", dropped=["det"])
        plan = ImputationPlan(options=SamplingOptions(iterations=40, strength=2.0, seed=1))
        result = transfer_dependencies([given] * 5, text * 50, grammar=grammar, plan=plan)
        rows = {row.name: row for row in result.classes}
        assert set(rows) == {"det", "det, dropped", "nsubj(VERB)"}
        shares[name] = rows["det, dropped"].estimate.mean
        words = [word.form for word in result.sentences[0].words]
        if name == "without":
            assert sorted(words) == ["rain", "stops", "“"]
            assert [word.deprel for word in result.sentences[0].words if word.form != "“"] == [
                "nsubj", "root",
            ]  # fmt: skip
            assert result.words == 10
        else:
            assert [word for word in words if word != "“"] == ["the", "rain", "stops"]
            assert rows["det"].estimate.mean < 0.2
            assert result.words == 15
    assert shares["without"] > 0.9 > 0.1 > shares["with"]


def test_sides_in_doubt_have_probabilities() -> None:
    (found,) = transferred(VERB_FIRST, lexicon=BilingualLexicon({})).sentences
    sides = [word.misc for word in found.words if word.deprel in ("nsubj", "advmod")]
    assert all(misc.startswith("Side=0.") and 0.3 < float(misc[5:]) < 1 for misc in sides)
    assert [word.misc for word in found.words if word.deprel in ("root", "punct")] == ["_", "_"]


def test_crossing_arcs_and_unseen_words_are_counted() -> None:
    result = transferred(CROSSED, VERB_FIRST)
    assert (result.words, result.moved) == (6, 2)
    assert result.unseen == 2  # la chica
    assert len(result.sentences) == 2


def test_sentences_are_refused_by_name() -> None:
    result = transferred(VERB_FIRST, DOTS, replace(DOTS, comments=("# sent_id = d",)))
    assert [error.item for error in result.refused] == ["sentence 2", "d"]
    assert len(result.sentences) == 1
    with pytest.raises(ItemError, match="punctuation alone"):
        transferred(DOTS)
    with pytest.raises(ItemError, match="there is nothing to transfer"):
        transferred()


def test_the_best_trees_are_best_of_all_trees() -> None:
    """Against every derivation, weighed by itself with the parameters that were learnt."""
    found = []
    for way in ("best", "frequent"):
        chosen = SamplingOptions(iterations=200, chains=1, strength=1.0, seed=2)
        grammar = DependencyGrammar(lexicon=WORDS)
        plan = ImputationPlan(options=chosen, way=way, n_trees=20)  # type: ignore[arg-type]
        result = transfer_dependencies([VERB_FIRST], TEXT, grammar=grammar, plan=plan)
        found.append(
            {
                " ".join(word.form for word in one.words): float(one.comment("transfer_frequency"))
                for one in result.sentences
            }
        )
    # Two words for one; two dependents on either side, one before the other or behind it.
    best, frequent = found
    assert len(best) == 12
    assert sum(best.values()) == pytest.approx(1.0, abs=0.005)
    assert all(abs(share - best[text]) < 0.25 for text, share in frequent.items())


def test_forests_beyond_the_budget_are_left_out() -> None:
    short = sentence(("si", "INTJ", 0, "root"))
    result = transferred(VERB_FIRST, short, budget=12)
    assert [error.message for error in result.refused] == [TOO_LARGE]
    assert [len(found.words) for found in result.sentences] == [1]
    with pytest.raises(ItemError, match=TOO_LARGE):
        transferred(VERB_FIRST, budget=12)
