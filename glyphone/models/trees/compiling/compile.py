"""Trees back to transducers (Sproat and Riley 1996): the same answers to all strings of letters.

A tree has two transducers. `compile_machine` makes one machine, deterministic and late: the output
of a letter is written once the letters behind it that the tree asks about have been read. It has
as many states as there are contexts that differ for the tree, which may be thousands of times its
leaves; a budget limits them. `compile_cascade` makes a cascade of small machines, one for each
place of the window, about as large as the tree, and slower; its spans are those of the letters.

>>> from glyphone.data.records import Pair
>>> from glyphone.models.trees.training import TreeOptions, fit_tree
>>> lexicon = {"ca": "ka", "ci": "si", "co": "ko", "ici": "isi", "aca": "aka"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> tree = fit_tree(pairs, TreeOptions(left=1, right=1, previous=0)).model
>>> machines = machines_of(tree)
>>> machines[0].n_states, model_of(tree, machines)("cacoci").output
(6, 'k a k o s i')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from glyphone.data.errors import GlyphoneError
from glyphone.fst.automata.far import write_far
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.interface.model import Model
from glyphone.fst.joint.exporting import table_of
from glyphone.fst.rules.cascade import Cascade
from glyphone.fst.transducers import archive
from glyphone.fst.transducers.model import TransducerModel
from glyphone.learners.trees.arrays import Tree
from glyphone.models.trees.compiling.arcs import Labels
from glyphone.models.trees.compiling.automaton import (
    OverBudget,
    machine_of,
    merge_states,
    states_of,
)
from glyphone.models.trees.compiling.levels import Levels, TooLarge, levels_of
from glyphone.models.trees.compiling.stages import plan_of, stages_of
from glyphone.models.trees.model import TreeModel

# Arcs; a file has 16 bytes for each.
BUDGET = 2_000_000
RULE = "TREE"
REMEDY = (
    "--stages makes a cascade of small transducers; or --budget, a smaller window, a pruned tree"
)


@dataclass(frozen=True)
class Sizes:
    """How large the transducers of a tree are, one after the other."""

    states: tuple[int, ...]
    arcs: tuple[int, ...]

    def __str__(self) -> str:
        stages = "" if len(self.states) == 1 else f" in {len(self.states)} stages"
        return f"{sum(self.states):,} states, {sum(self.arcs):,} arcs{stages}"


def compile_model(
    model: Model, path: str | Path, *, rule: str = RULE, stages: bool = False,
    budget: int = BUDGET,
) -> Sizes:  # fmt: skip
    """Writes the transducers of a tree as an archive, FILE.far:RULE."""
    machines = machines_of(model, stages=stages, budget=budget)
    assert isinstance(model, TreeModel)
    first = archive.with_manifest(
        machines[0], archive.manifest_of(cascade_of(model), len(machines))
    )
    later = {f"{rule}.{number}": machine for number, machine in enumerate(machines[1:], 2)}
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    write_far(path, {rule: first, **later})
    return Sizes(tuple(m.n_states for m in machines), tuple(m.n_arcs for m in machines))


def model_of(model: TreeModel, machines: Sequence[Transducer]) -> TransducerModel:
    """The transducers of a tree, ready to answer as it does."""
    return TransducerModel.from_machines(machines, name=model.name, cascade=cascade_of(model))


def cascade_of(model: TreeModel) -> Cascade:
    """How both sides are written, without rules: a tree has none."""
    return Cascade(
        letters=tuple(sorted(model.source.symbols, key=model.source.symbols.__getitem__)),
        phones=tuple(sorted(model.target.symbols, key=model.target.symbols.__getitem__)),
        source=model.source.writing,
        target=model.target.writing,
    )


def machines_of(model: Model, *, stages: bool = False, budget: int = BUDGET) -> list[Transducer]:
    """The transducers whose answer is always the best one of a tree, with their symbols."""
    if not isinstance(model, TreeModel):
        raise GlyphoneError(
            f"{model.name or 'this'} is no model of trees",
            remedy="glyphone distill makes one tree of any model, with --previous 0",
        )
    for wrong, why in (
        (model.previous > 0, f"asks for the last {model.previous} chunks written"),
        (len(model.trees) > 1, f"averages {len(model.trees)} trees"),
    ):
        if wrong:
            raise GlyphoneError(
                f"{model.name} {why}, so that its best answer comes of a search, which no "
                "machine of letters can do",
                remedy="train it with --previous 0 --trees 1, or distill it into such a tree",
            )
    # A node decides for the best unit of its letter, by what is smoothed; a letter has a node.
    tree = model.trees[0]._replace(decisions=model.cold.bests)
    make = (
        compile_cascade
        if stages
        else lambda *given, **options: [compile_machine(*given, **options)]
    )
    machines = make(
        tree, left=model.left, right=model.right, n_letters=model.units.n_labels - 1,
        outputs=model.units.targets, budget=budget,
    )  # fmt: skip
    machines[0] = replace(machines[0], isymbols=table_of(model.source))
    machines[-1] = replace(machines[-1], osymbols=table_of(model.target))
    return machines


def compile_machine(
    tree: Tree, *, left: int, right: int, n_letters: int, outputs: Sequence[Labels],
    budget: int = BUDGET,
) -> Transducer:  # fmt: skip
    """The machine of a tree over windows of letters 1 to n_letters, 0 beyond the ends of a word.

    Class c writes the labels outputs[c]. The answer is right for all strings, also those with
    values that the tree has not seen: it decides at an inner node then, and so does the machine.
    """
    decisions, distinct = distinct_outputs(tree, left, right, n_letters, outputs)
    largest = budget // n_letters
    try:
        levels = levels_of(
            tree, decisions, left=left, right=right, n_letters=n_letters, largest=largest
        )
    except TooLarge as error:
        raise GlyphoneError(
            f"no transducer of this tree was found within {budget:,} arcs: when {error.read} of "
            f"the {left + 1 + right} letters of a window have been read, there are already "
            f"{error.n_known:,} things that may be known; of states with {n_letters} arcs there "
            f"are at most {in_words(count_contexts(n_letters, left + right))}",
            remedy=REMEDY,
        ) from None
    try:
        states = states_of(levels, distinct, largest=largest)
    except OverBudget as error:
        raise GlyphoneError(
            f"no transducer of this tree was found within {budget:,} arcs: there are already "
            f"{error.n_states:,} states of {n_letters} arcs, and at most "
            f"{in_words(bound_of(levels))}",
            remedy=REMEDY,
        ) from None
    return machine_of(merge_states(states))


def compile_cascade(
    tree: Tree, *, left: int, right: int, n_letters: int, outputs: Sequence[Labels],
    budget: int = BUDGET,
) -> list[Transducer]:  # fmt: skip
    """The cascade of a tree; see `compile_machine`."""
    decisions, distinct = distinct_outputs(tree, left, right, n_letters, outputs)
    plan = plan_of(tree, decisions, left=left, right=right, n_letters=n_letters)
    if plan.n_arcs > budget:
        raise GlyphoneError(
            f"the transducers of this tree would have {plan.n_arcs:,} arcs, more than {budget:,}",
            remedy=f"--budget {plan.n_arcs}, a smaller window, a pruned tree",
        )
    return stages_of(plan, distinct, n_letters=n_letters)


def distinct_outputs(
    tree: Tree, left: int, right: int, n_letters: int, outputs: Sequence[Labels]
) -> tuple[list[int], list[Labels]]:
    """Which of the distinct outputs each node decides for, and these."""
    asked = int(tree.nodes[:, 0].max())
    if asked > left + right:
        raise GlyphoneError(
            f"the tree asks for column {asked}, and a window has {left + 1 + right}",
            remedy="only letters may be asked for, not what has been written",
        )
    if n_letters < 1:
        raise GlyphoneError("there are no letters, so that there is nothing to read")
    distinct = sorted(set(outputs))
    numbers = {labels: number for number, labels in enumerate(distinct)}
    return [numbers[outputs[c]] for c in tree.decisions.tolist()], distinct


def bound_of(levels: Levels) -> int:
    """At most so many states: contexts, or classes of each level together."""
    bound, contexts_ = 1, count_contexts(levels.n_letters, levels.left + levels.right)
    for level, step in enumerate(levels.steps[1:], 1):
        bound *= len(step) + int(level > levels.left)
    return min(bound, contexts_)


def count_contexts(n_letters: int, n: int) -> int:
    """How many strings of up to n letters there are."""
    return sum(n_letters**k for k in range(n + 1))


def in_words(number: int) -> str:
    """A size that is not known exactly.

    >>> in_words(1234567), in_words(12)
    ('1.2e+06', '12')
    """
    return f"{number}" if number < 1000 else f"{number:.2g}"
