"""Transfer of a treebank of constituents to another language, by the rules of a grammar.

The grammar (`glyphone.treebank.transfer.constituent_forests`) gives forests of target trees, and
multinomials P(source | target); `glyphone.treebank.sampling.chains` samples both.

>>> from glyphone.data.records import Tree
>>> from glyphone.treebank.transfer.constituent_forests import OrderRule
>>> grammar = ConstituentGrammar((OrderRule(("S",), (("a", "n"), ("n", "a"))),))
>>> tree = Tree("S", (Tree("a", (Tree("vieja"),)), Tree("n", (Tree("casa"),))))
>>> result = transfer_constituents([tree], [["n", "a"]] * 9, grammar=grammar, plan=ImputationPlan())
>>> str(result.trees[0])
'(S (n casa) (a vieja))'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from glyphone.data.errors import ItemError
from glyphone.data.records import Tree
from glyphone.fst.forests.forest import Forest
from glyphone.treebank.sampling.chains import Posterior
from glyphone.treebank.sampling.diagnostics import Estimate
from glyphone.treebank.sampling.impute import ImputationPlan, impute
from glyphone.treebank.sampling.multinomials import Multinomials
from glyphone.treebank.transfer.constituent_forests import ConstituentGrammar

NAMED = "tree {}"


@dataclass(frozen=True, eq=False)
class ConstituentResult:
    """Imputed trees, the number of the source tree of each, and their frequencies.

    Parameters of the posterior are in the order of the outcomes of the rows of the grammar.
    `unseen` counts the words or tags of the trees that are not in the text.
    """

    trees: list[Tree]
    sources: list[int]
    frequencies: list[float]
    posterior: Posterior
    refused: list[ItemError]
    unseen: int

    def estimate(self, parameter: int) -> Estimate:
        return Estimate.of(self.posterior.params[:, :, parameter])


def transfer_constituents(
    source: Sequence[Tree],
    text: Sequence[Sequence[str]],
    *,
    grammar: ConstituentGrammar,
    plan: ImputationPlan,
    numbers: Sequence[int] | None = None,
) -> ConstituentResult:
    """Trees of the target language; `text` has sentences of its words or tags.

    Errors name trees by their `numbers` (default: from 1).
    """
    numbers = range(1, len(source) + 1) if numbers is None else numbers
    forests, refused = build_forests(dict(zip(numbers, source, strict=True)), grammar)
    small = grammar.reads == "words"
    lines = [[grammar.symbol_code(x.lower() if small else x) for x in line] for line in text]
    prior = np.array([count for row in grammar.rows for count in row.prior])
    imputation = impute(
        forests,
        lines,
        Multinomials(prior, grammar.offsets),
        n_symbols=len(grammar.symbols),
        plan=plan,
        refused=refused,
        name=NAMED.format,
    )
    chosen = [(number, *tree) for number, trees in imputation.chosen.items() for tree in trees]
    return ConstituentResult(
        [forests[number].tree_of(tree) for number, tree, _ in chosen],
        [number for number, _, _ in chosen],
        [share for _, _, share in chosen],
        imputation.posterior,
        refused,
        imputation.unseen,
    )


def build_forests(
    source: Mapping[int, Tree], grammar: ConstituentGrammar
) -> tuple[dict[int, Forest], list[ItemError]]:
    """Forests by the numbers of their trees, and errors for trees without a forest."""
    forests, refused = {}, []
    for number, tree in source.items():
        try:
            forests[number] = grammar.forest_of(tree)
        except ItemError as error:
            error.item = NAMED.format(number)
            refused.append(error)
    return forests, refused
