"""Constituents through the sampler: known posteriors, names of what is refused, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from glyphone.cli import main
from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.records import Tree
from glyphone.fst.transfer import ConstituentGrammar, OrderRule
from glyphone.treebank.constituent_transfer import transfer_constituents
from glyphone.treebank.nearness import LEAST, MOST, nearness, strength_of

RULE = OrderRule(("S",), (("a", "n"), ("n", "a")), same=3.0, other=2.0)
OLD_DOGS = Tree("S", (Tree("a", (Tree("old"),)), Tree("n", (Tree("dogs"),))))
DOGS_OLD = Tree("S", OLD_DOGS.children[::-1])


def test_parameters_have_their_known_posterior() -> None:
    """Text in which a noun is never first: all targets are `a n`, whatever the source."""
    grammar = ConstituentGrammar((RULE,))
    source = [OLD_DOGS] * 6 + [DOGS_OLD] * 4
    text = [["a", "n"]] * 20_000
    result = transfer_constituents(source, text, grammar=grammar, iterations=600, seed=1)
    assert set(map(str, result.trees)) == {str(OLD_DOGS)}
    assert result.frequencies == pytest.approx([1.0] * 10)
    expected = [9 / 15, 6 / 15, 2 / 5, 3 / 5]  # (3 + 6, 2 + 4) of `a n`; the prior of `n a`
    found = result.draws.mean(axis=(0, 1))
    assert found == pytest.approx(expected, abs=0.03)
    assert 0.9 < result.estimate(0).rhat < 1.1
    assert result.unseen == 0


def test_the_same_seed_gives_the_same() -> None:
    def draws(seed: int) -> np.ndarray:
        grammar = ConstituentGrammar((RULE,))
        found: np.ndarray = transfer_constituents(
            [OLD_DOGS] * 3, [["n", "a"]], grammar=grammar, iterations=6, seed=seed, refined=True
        ).draws
        return found

    assert np.array_equal(draws(1), draws(1))
    assert not np.array_equal(draws(1), draws(2))


def test_refusals_name_trees() -> None:
    grammar = ConstituentGrammar((RULE,))
    source = [OLD_DOGS, Tree("X", OLD_DOGS.children), Tree("S")]
    result = transfer_constituents(source, [["a", "n"]], grammar=grammar, iterations=4)
    assert len(result.trees) == 1
    assert [error.item for error in result.refused] == ["tree 2", "tree 3"]
    with pytest.raises(ItemError, match="nothing to transfer"):
        transfer_constituents([], [["a"]], grammar=grammar)
    with pytest.raises(GlyphoneError, match="nothing would be sampled"):
        transfer_constituents(source, [["a"]], grammar=grammar, iterations=1)


def test_forests_beyond_the_budget_are_left_out() -> None:
    grammar = ConstituentGrammar((RULE,), keep=frozenset("*"))
    long = Tree("X", (OLD_DOGS,) * 40)
    text = [["a", "n"]]
    result = transfer_constituents([long, OLD_DOGS], text, grammar=grammar, iterations=4, budget=60)
    assert [error.item for error in result.refused] == ["tree 1"]
    assert len(result.trees) == 1


def test_from_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.trees").write_text("(S (a old) (n dogs))\n(Y (a old) (n dogs))\n")
    (tmp_path / "a.txt").write_text("n a\n" * 9)
    (tmp_path / "x.toml").write_text(
        'kind = "constituents"\n[[orders]]\nlabels = ["S"]\norders = ["a n", "n a"]\n'
    )
    paths = {name: str(tmp_path / name) for name in ("a.trees", "a.txt", "x.toml", "b.trees")}
    words = ["treebank", "transfer", paths["a.trees"], "--text", paths["a.txt"], "--model"]
    assert main([*words, paths["x.toml"], "-o", paths["b.trees"], "--seed", "1"]) == 1
    out, err = capsys.readouterr()
    assert "1 trees" in out
    assert "tree 2" in err
    assert "'Y'" in err
    assert (tmp_path / "b.trees").read_text() == "(S (n dogs) (a old))\n"
    rows = (tmp_path / "b.trees.parameters.tsv").read_text().splitlines()
    assert rows[0].split("\t") == ["multinomial", "outcome", "mean", "low", "high", "rhat"]
    assert len(rows) == 5


def test_nearness_is_that_of_orders() -> None:
    text = [[0, 1, 2, 3]] * 30 + [[0, 2, 1, 3]] * 30
    same = nearness(text, text, n_symbols=4)
    other = nearness([[3, 2, 1, 0]] * 9, text, n_symbols=4)
    half = nearness([[0, 1, 2, 3], [3, 2, 1, 0]] * 9, text, n_symbols=4)
    assert other == LEAST
    assert LEAST < half < same <= MOST
    assert strength_of(text, text, n_symbols=4) > 60 * 0.2
    assert strength_of([[3, 2, 1, 0]], text, n_symbols=4) == 1.0
    with pytest.raises(GlyphoneError, match="no text to compare"):
        nearness([], text, n_symbols=4)
