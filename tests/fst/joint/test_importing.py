"""Joint models of other tools, and ours for them: the same n-grams on both sides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.records import Alignment
from glyphone.data.writing import Writing
from glyphone.fst.automata import openfst
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from glyphone.fst.joint.exporting import (
    to_machine,
    write_arpa_model,
    write_far_model,
    write_fst_model,
)
from glyphone.fst.joint.importing import model_of_machine, read_arpa_model, read_fst_model
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.tokens import Notation
from glyphone.fst.joint.training import train_joint
from glyphone.fst.transducers import archive

# As phonetisaurus-align writes them: units of a word, here with insertions and double chunks.
CORPUS = """\
a}a _}k x}s
a}a _}k x}s
a}a x}k|s
b|c}b a}a
b|c}b a}a x}s
a}a c}_
p|h}f a}a _}k
c}k a}a
c}k a}e x}s
"""
WORDS = ["a", "ax", "bca", "pha", "bcax", "aac", "phax", "caca", "axax"]


def trained(order: int, *, corpus: str = CORPUS) -> JointModel:
    rows = [Alignment(tuple(map(Notation().read, line.split()))) for line in corpus.splitlines()]
    return train_joint(
        rows, source=Writing(), target=Writing("token"), order=order, insertions=2, name="tiny"
    )


def arpa2wfst(path: Path) -> Transducer:
    """An ARPA file as phonetisaurus-arpa2wfst 0.3.0 converts it, state for state, arc for arc."""
    states: dict[tuple[str, ...], int] = {("<s>",): 0, (): 1}
    sides: list[dict[str, int]] = [{"<eps>": 0, "|": 1, "_": 2} for _ in range(2)]
    arcs: list[tuple[int, int, int, float, int]] = []
    finals: dict[int, float] = {}
    ngrams: list[tuple[float, tuple[str, ...], float]] = []
    for line in path.read_text().splitlines():
        cells = line.split("\t")
        if len(cells) > 1:
            backoff = float(cells[2]) if len(cells) > 2 else 0.0
            ngrams.append((float(cells[0]), tuple(cells[1].split()), backoff))
    order = max(len(tokens) for _, tokens, _ in ngrams)

    def number(history: tuple[str, ...]) -> int:
        return states.setdefault(history, len(states))

    def label(side: int, chunk: str) -> int:
        return sides[side].setdefault(chunk, len(sides[side]))

    for log_prob, tokens, backoff in ngrams:
        *history, last = tokens
        source = number(tuple(history))
        if last == "</s>":
            finals[source] = -log_prob * math.log(10)
            continue
        if len(tokens) < order:
            below = -backoff * math.log(10)
            arcs.append((number(tokens), 0, 0, below, number(tokens[1:])))
        if last != "<s>":
            target = number(tokens if len(tokens) < order else tokens[1:])
            letters, phones = last.split("}")
            cost = -log_prob * math.log(10)
            arcs.append((source, label(0, letters), label(1, phones), cost, target))
    for side in range(2):
        for chunk in [*sides[side]][3:]:
            for symbol in chunk.split("|"):
                if symbol not in sides[side]:
                    pair = (label(0, symbol), 2) if side == 0 else (2, label(1, symbol))
                    arcs.append((1, *pair, 99.0, 1))
    sources, inputs, outputs, costs, targets = zip(*arcs, strict=True)
    weights = [finals.get(state, math.inf) for state in range(len(states))]
    tables = [SymbolTable("", tuple(side), tuple(range(len(side)))) for side in sides]
    return Transducer.from_arcs(0, weights, sources, inputs, outputs, costs, targets, *tables)


def best(model: JointModel, words: Sequence[str] = WORDS) -> list[Any]:
    found = replace(model, beam=math.inf).answer(words, n=3)
    return [
        [(h.output, pytest.approx(h.cost, abs=1e-4)) for h in found.hypotheses(item)]
        for item in range(len(words))
    ]


@pytest.mark.parametrize("order", [1, 2, 4])
def test_n_grams_go_through_an_arpa_file(order: int, tmp_path: Path) -> None:
    for model in (trained(order), trained(order).invert()):
        path = tmp_path / "x.arpa.gz"
        write_arpa_model(model, path)
        writings = {"source": model.source.writing, "target": model.target.writing}
        found = read_arpa_model(path, **writings)
        words = WORDS if model.name == "tiny" else ["a k", "b a", "f a k s", "k a"]
        assert best(found, words) == best(model, words)
        assert found.units == model.units or found.units.numbers == model.units.numbers
        assert found.ngrams.order <= model.ngrams.order


@pytest.mark.parametrize("order", [2, 4])
def test_a_transducer_of_phonetisaurus_is_an_n_gram_model_again(order: int, tmp_path: Path) -> None:
    write_arpa_model(trained(order), tmp_path / "x.arpa")
    machine = arpa2wfst(tmp_path / "x.arpa")
    openfst.write_fst(machine, tmp_path / "x.fst", fst_type="vector")
    found, expected = read_fst_model(tmp_path / "x.fst"), read_arpa_model(tmp_path / "x.arpa")
    assert best(found) == best(expected)
    assert found.insertions == expected.insertions == 3
    # Letters that no unit reads alone can be read at last, as they can there.
    assert found("p").output == "" and not expected.nbest("p")
    assert found("p").cost > 99
    sizes = {(((letter,), ()) in units_of(found)) for letter in "bph"}
    assert sizes == {True} and (("k",), ("k",)) not in units_of(found)


def units_of(model: JointModel) -> set[Any]:
    return set(model.alignment(range(len(model.units))).units)


def test_an_export_in_chunks_comes_back(tmp_path: Path) -> None:
    model = trained(3)
    write_fst_model(model, tmp_path / "x.fst", notation=Notation())
    writings = {"source": model.source.writing, "target": model.target.writing}
    found = read_fst_model(tmp_path / "x.fst", name="tiny", **writings)  # type: ignore[arg-type]
    assert replace(found, insertions=2).fingerprint() == model.fingerprint()
    assert (tmp_path / "x.fst").read_bytes()[8:14] == b"vector"  # phonetisaurus-g2pfst needs it
    table = openfst.read_fst(tmp_path / "x.fst").isymbols
    assert table is not None and table.symbols[:3] == ("<eps>", "|", "_")


def test_an_export_in_symbols_is_a_transducer_for_anybody(tmp_path: Path) -> None:
    """Of an interpolated bigram model epsilon backoff is exact: no path can back off twice."""
    corpus = CORPUS.replace("_}k ", "").replace(" _}k", "")
    model = replace(trained(2, corpus=corpus), insertions=0, beam=math.inf)
    write_far_model(model, tmp_path / "x.far")
    foreign = archive.load(tmp_path / "x.far")
    for word in WORDS:
        ours, theirs = model.nbest(word, 3), foreign.nbest(word, 3)
        assert [h.symbols for h in ours] == [h.symbols for h in theirs]
        assert [h.cost for h in ours] == pytest.approx([h.cost for h in theirs], abs=1e-4)


@pytest.mark.parametrize("order", [2, 4])
def test_pynini_finds_the_same_paths(order: int) -> None:
    pynini = pytest.importorskip("pynini")
    corpus = CORPUS.replace("_}k ", "").replace(" _}k", "")
    model = replace(trained(order, corpus=corpus), insertions=0, beam=math.inf)
    machine = pynini.Fst.read_from_string(openfst.to_bytes(to_machine(model)))
    machine.set_input_symbols(None).set_output_symbols(None)
    for word in WORDS:
        labels = model.source.encode(word).labels
        n = len(labels)
        finals = [math.inf] * n + [0.0]
        string = Transducer.from_arcs(
            0, finals, range(n), labels, labels, [0.0] * n, range(1, n + 1)
        )
        paths = pynini.compose(pynini.Fst.read_from_string(openfst.to_bytes(string)), machine)
        ours = model(word).cost
        theirs = float(pynini.shortestdistance(paths, reverse=True)[paths.start()])
        assert theirs <= ours + 1e-4
        if order == 2:
            assert theirs == pytest.approx(ours, abs=1e-4)


def test_tokens_for_unknown_words_are_no_units(tmp_path: Path) -> None:
    path = tmp_path / "x.arpa"
    path.write_text(
        "\\data\\\nngram 1=5\n\n\\1-grams:\n-0.9\t<unk>\n-99\t<s>\n-0.5\ta}a\n-0.7\tb}\n"
        "-0.6\t</s>\n\n\\end\\\n"
    )
    found = read_arpa_model(path)
    assert units_of(found) == {(("a",), ("a",)), (("b",), ())}
    assert found("ab").cost == pytest.approx((0.5 + 0.7 + 0.6) * math.log(10))
    assert found.source.writing == Writing("codepoint", "none")


def arpa(*tokens: str) -> str:
    rows = "".join(f"-1\t{token}\n" for token in tokens)
    return f"\\data\\\nngram 1={len(tokens)}\n\n\\1-grams:\n{rows}\n\\end\\\n"


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["a:b"], "item 'a:b': is not two sides with '}' between them .name the separators"),
        (["a}b}c"], "item 'a}b}c': is not two sides"),
        (["_}_"], "item '∅ : ∅': has a unit that neither reads nor writes"),
        (["a}_", "a}"], "item 'a : ∅': has two tokens for one unit"),
        (["</s>"], "has no units"),
    ],
)
def test_tokens_that_are_no_units(tokens: list[str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.arpa"
    path.write_text(arpa(*tokens), encoding="utf-8")
    with pytest.raises(FormatError, match=message) as caught:
        read_arpa_model(path)
    assert str(caught.value).startswith(str(path))


def test_other_separators(tmp_path: Path) -> None:
    path = tmp_path / "x.arpa"
    path.write_text(arpa("p-h/f", "i/i", "</s>"), encoding="utf-8")
    found = read_arpa_model(path, notation=Notation(pair="/", tie="-", empty="ε"))
    assert found("phi").output == "f i"


def test_symbols_that_are_separators_need_other_ones(tmp_path: Path) -> None:
    rows = [Alignment(((("|", " "), ("}",)), (("_",), ("_",))))]
    model = train_joint(rows, source=Writing(), target=Writing("token"), order=2)
    refused = [
        (Notation(), r"'_' U\+005F cannot be told from the separator '_'"),
        (Notation(empty="0"), r"'\|' U\+007C cannot be told from the separator '\|'"),
        (Notation(empty="0", tie="+"), r"' ' U\+0020 has a blank.*space='▁'"),
        (Notation(empty="0", tie="+", space="▁"), r"'}' U\+007D cannot be told from .* '}'"),
        (Notation(empty="0", pair="/", tie="+", space="_"), r"'_' U\+005F cannot be told"),
    ]
    for notation, message in refused:
        with pytest.raises(GlyphoneError, match=message):
            write_arpa_model(model, tmp_path / "x.arpa", notation=notation)
    assert not (tmp_path / "x.arpa").exists()
    other = Notation(pair="/", tie="+", empty="0", space="▁")
    write_arpa_model(model, tmp_path / "x.arpa", notation=other)
    found = read_arpa_model(tmp_path / "x.arpa", notation=other)
    assert units_of(found) == units_of(model) and found("| _").output == "} _"


@pytest.mark.parametrize(
    ("separators", "message"),
    [
        ({"pair": ""}, "the pair separator is '', expected no white space"),
        ({"tie": " "}, "the tie separator is ' '"),
        ({"empty": "|"}, "separator '|' is in the separator '|'|.*"),
        ({"pair": "||"}, "is in the separator"),
    ],
)
def test_separators_must_be_told_apart(separators: dict[str, str], message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        Notation(**separators)


def test_transducers_that_are_no_n_gram_models() -> None:
    table = SymbolTable.of(["a", "b"])
    one = Transducer.from_arcs(0, [math.inf, 0.0], [0], [1], [2], [0.0], [1], table, table)
    with pytest.raises(FormatError, match=r"2 of its 2 states do not back off.*arpa2wfst"):
        model_of_machine(one)
    with pytest.raises(FormatError, match=r"x\.fst: has no symbol tables"):
        model_of_machine(replace(one, isymbols=None), path="x.fst")
    with pytest.raises(FormatError, match="has no start state"):
        model_of_machine(replace(one, start=-1))
    twice = Transducer.from_arcs(
        0, [math.inf, 0.0], [0, 0], [0, 0], [0, 0], [0.0, 1.0], [1, 1], table, table
    )
    with pytest.raises(FormatError, match="a state backs off in two ways"):
        model_of_machine(twice)
    strange = Transducer.from_arcs(0, [0.0], [0], [3], [1], [0.0], [0], table, table)
    with pytest.raises(FormatError, match=r"has the label 3, which its symbol table does not"):
        model_of_machine(strange)
    with pytest.raises(FormatError, match="states do not back off, expected one"):
        model_of_machine(to_machine(trained(2)))


def test_a_symbol_that_transducers_take_for_nothing() -> None:
    rows = [Alignment(((("a",), ("<epsilon>",)),))]
    model = train_joint(rows, source=Writing(), target=Writing("token"), order=2)
    with pytest.raises(GlyphoneError, match=r"'<epsilon>'.*is the name of the empty"):
        to_machine(model)
    assert np.isfinite(to_machine(model, notation=Notation()).weights).all()
