"""The graphs of machines, lattices and learned models: what is in them, and what is too much."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.data.errors import GlyphoneError, NoOutput
from glyphone.data.records import Alignment
from glyphone.data.writing import Writing
from glyphone.drawing.graphs import graph_of_item, graph_of_lattice, graph_of_machine, prune_lattice
from glyphone.fst.joint import file as joint_file
from glyphone.fst.joint.training import train_joint
from glyphone.fst.transducers.model import TransducerModel
from tests.fst.support import lattice_paths
from tests.glyphone.drawing.support import INFINITY, machine
from tests.glyphone.support import glyphone


def test_caps_say_how_much_there_is_and_what_to_do() -> None:
    chain = machine([(k, 1, 1, 0, k + 1) for k in range(5)], [0.0] * 6)
    with pytest.raises(GlyphoneError, match=r"6 states and 5 arcs .* 5 states and 1,000 arcs") as a:
        graph_of_machine(chain, max_states=5, title="CHAIN")
    assert "--item WORD" in str(a.value)
    assert "--max-states 6" in str(a.value)
    assert str(a.value).startswith("CHAIN: ")
    with pytest.raises(GlyphoneError, match=r"--max-arcs 5\)"):
        graph_of_machine(chain, max_arcs=4)
    assert len(graph_of_machine(chain, max_states=6, max_arcs=5).edges) == 5


def test_parallel_arcs_count_once_for_the_cap() -> None:
    parallel = machine([(0, k, k, 0, 0) for k in range(1, 8)], [0.0])
    assert len(graph_of_machine(parallel, max_arcs=1).edges) == 1


AMBIGUOUS = TransducerModel.from_machines(
    [
        machine(
            [
                (0, 1, 1, 0, 1),
                (0, 1, 2, 0.5, 1),
                (1, 2, 0, 1, 2),
                (1, 2, 2, 0.25, 2),
                (1, 0, 11, 0, 3),
                (3, 2, 2, 2, 2),
            ],
            [INFINITY, INFINITY, 0.0, INFINITY],
        )
    ],
    name="AMBIGUOUS",
)


def test_a_lattice_shows_what_each_arc_reads_and_writes() -> None:
    graph = graph_of_item(AMBIGUOUS, "a b", title="ab")
    assert (graph.start, graph.title, list(graph.finals.values())) == (0, "ab", [""])
    assert {edge.label for edge in graph.edges} == {
        ("a", "a:b/0.5"),
        ("b/0.25", "b:ε/1"),
        ("ε:ɲ",),
        ("b/2",),
    }
    names = AMBIGUOUS.target.names
    assert graph_of_lattice(AMBIGUOUS.lattice("a b"), ["a", "b"], names, title="ab") == graph
    with pytest.raises(NoOutput):
        graph_of_item(AMBIGUOUS, "b a")
    with pytest.raises(GlyphoneError, match="draw a shorter item"):
        graph_of_item(AMBIGUOUS, "a b", max_states=2)


def test_only_paths_near_the_best_one() -> None:
    """Held against all paths: those within the beam stay, and what is on none of them goes."""
    lattice = AMBIGUOUS.lattice("a b")
    every = {(written, cost) for written, cost, _ in lattice_paths(lattice)}
    best = min(cost for _, cost in every)
    for beam in (0.0, 0.3, 0.6, 1.0, 1.6, 9.0):
        near = {(written, cost) for written, cost, _ in lattice_paths(prune_lattice(lattice, beam))}
        assert {(w, c) for w, c in every if c <= best + beam} <= near <= every
        graph = graph_of_item(AMBIGUOUS, "a b", beam=beam)
        assert len(graph.nodes) == prune_lattice(lattice, beam).n_states
    assert {cost for _, cost in near} == {cost for _, cost in every}
    assert len(list(lattice_paths(prune_lattice(lattice, 0.0)))) == 1
    assert prune_lattice(lattice, INFINITY) is lattice


def test_what_a_learned_model_makes_of_an_item(tmp_path: Path) -> None:
    rows = [
        Alignment(((("p",), (y,)), (("h",), ()), (("i",), (z,))))
        for y, z in ["fi", "fi", "fi", "pi", "fj", "bj"]
    ]
    path = tmp_path / "tiny.glyphone"
    model = train_joint(rows, source=Writing(), target=Writing(), order=2)
    joint_file.save(model, path)

    def drawn(*words: str) -> str:
        ran = glyphone("draw", path, "--item", "phi", "--kind", "dot", *words)
        assert ran.code == 0, ran.err
        return ran.out

    assert 'label="phi: paths within 5 nats of the best"' in drawn()
    assert drawn("--beam", "0").count("->") == 3 and '"p:f/' in drawn("--beam", "0")
    assert drawn().count("->") > 3 and '"h:ε' in drawn()
    assert "nats" not in drawn("--title", "another")
    whole = glyphone("draw", path)
    assert whole.code == 2
    assert whole.err == (
        f"glyphone: {path}: is a learned model, too large to draw "
        "(draw what becomes of one word: --item WORD)\n"
    )
    assert "--beam goes with" in glyphone("draw", path, "--beam", "3").err
