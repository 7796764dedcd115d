"""OpenFst binaries against OpenFst itself, both ways."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from glyphone.data.errors import FormatError
from glyphone.fst.automata.far import read_far
from glyphone.fst.automata.openfst import (
    FAR_MAGICS,
    FstType,
    from_bytes,
    read_fst,
    to_bytes,
    write_fst,
)
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from tests.fst.automata.openfst_twins import (
    FST_TYPES,
    aligned,
    can_be_built,
    contents,
    machines,
    peer_copy,
    sample,
)


@given(machines(), st.sampled_from(FST_TYPES))
def test_round_trip(machine: Transducer, fst_type: FstType) -> None:
    data = to_bytes(machine, fst_type=fst_type)
    assert from_bytes(data).equals(machine)
    assert to_bytes(from_bytes(data), fst_type=fst_type) == data


@given(machines(), st.sampled_from(FST_TYPES))
@settings(deadline=None)
def test_openfst_reads_what_we_write(machine: Transducer, fst_type: FstType) -> None:
    pywrapfst = pytest.importorskip("pywrapfst")
    peer = pywrapfst.Fst.read_from_string(to_bytes(machine, fst_type=fst_type))
    assert contents(peer) == contents(machine)
    labels = ((machine.isymbols, machine.ilabels), (machine.osymbols, machine.olabels))
    named = all(t is None or all(map(t.symbol, column.tolist())) for t, column in labels)
    assert peer.verify() == (named and can_be_built(machine))
    assert (peer.fst_type(), peer.arc_type()) == (fst_type, "standard")
    assert peer.num_states_if_known() == machine.n_states
    for state in range(machine.n_states):
        mine = machine.sources() == state
        assert peer.num_arcs(state) == mine.sum()
        assert peer.num_input_epsilons(state) == (machine.ilabels[mine] == 0).sum()
        assert peer.num_output_epsilons(state) == (machine.olabels[mine] == 0).sum()
    if can_be_built(machine):
        assert pywrapfst.isomorphic(peer_copy(pywrapfst, machine).arcsort(), peer)


@given(machines(), st.sampled_from(FST_TYPES))
@settings(deadline=None)
def test_we_read_what_openfst_writes(machine: Transducer, fst_type: FstType) -> None:
    pywrapfst = pytest.importorskip("pywrapfst")
    assume(can_be_built(machine))
    peer = pywrapfst.convert(peer_copy(pywrapfst, machine), fst_type)
    ours = from_bytes(peer.write_to_string())
    assert contents(ours) == contents(machine) == contents(peer)
    for mine, read in ((machine.isymbols, ours.isymbols), (machine.osymbols, ours.osymbols)):
        assert (mine and mine.name) == (read and read.name)


@pytest.mark.parametrize("fst_type", FST_TYPES)
def test_large_files(fst_type: FstType, tmp_path: Path) -> None:
    pywrapfst = pytest.importorskip("pywrapfst")
    random = np.random.default_rng(5)
    n_states, n_arcs = 20_000, 100_000
    columns = [random.integers(0, high, n_arcs) for high in (n_states, 90, 90, n_states)]
    source, ilabel, olabel, target = columns
    finals = np.where(random.random(n_states) < 0.5, np.inf, random.random(n_states))
    machine = Transducer.from_arcs(7, finals, source, ilabel, olabel, random.random(n_arcs), target)
    write_fst(machine, tmp_path / "ours.fst", fst_type=fst_type)
    peer = pywrapfst.Fst.read(tmp_path / "ours.fst")
    assert peer.verify()
    peer.write(tmp_path / "theirs.fst")
    assert read_fst(tmp_path / "theirs.fst").equals(machine)
    assert [path.name for path in tmp_path.glob(".*")] == []


@pytest.mark.parametrize("by_version", [False, True])
@given(machine=machines())
@settings(deadline=None)
def test_aligned_files(machine: Transducer, by_version: bool) -> None:
    data = aligned(to_bytes(machine), machine, by_version=by_version)
    assert from_bytes(data).equals(machine)
    pywrapfst = pytest.importorskip("pywrapfst")
    assert contents(pywrapfst.Fst.read_from_string(data)) == contents(machine)


def test_alignment_counts_from_the_beginning_of_an_archive(tmp_path: Path) -> None:
    begin = struct.pack("<iii", FAR_MAGICS["stlist"], 1, 3) + b"key"
    fst = aligned(to_bytes(sample()), sample(), by_version=False, offset=len(begin))
    path = tmp_path / "aligned.far"
    path.write_bytes(begin + fst + struct.pack("<i", 0))
    assert read_far(path, "key").equals(sample())
    pywrapfst = pytest.importorskip("pywrapfst")
    assert contents(pywrapfst.FarReader.open(path).get_fst()) == contents(sample())


def test_a_streamed_vector_file_does_not_know_its_number_of_states() -> None:
    data = bytearray(to_bytes(sample(symbols=False), fst_type="vector"))
    place = data.index(b"standard") + 8 + 4 + 4 + 8 + 8
    assert struct.unpack_from("<q", data, place) == (3,)
    struct.pack_into("<q", data, place, -1)
    assert from_bytes(bytes(data)).equals(sample(symbols=False))


def test_log_arcs_are_read_only_when_asked() -> None:
    pywrapfst = pytest.importorskip("pywrapfst")
    data = peer_copy(pywrapfst, sample(), "log").write_to_string()
    with pytest.raises(FormatError, match="arc type 'log', expected 'standard'"):
        from_bytes(data)
    assert contents(from_bytes(data, arc_types=("standard", "log"))) == contents(sample())
    wide = peer_copy(pywrapfst, sample(), "log64").write_to_string()
    with pytest.raises(FormatError, match="arc type 'log64', expected 'standard' or 'log'"):
        from_bytes(wide, arc_types=("standard", "log"))


def test_two_symbols_of_one_label() -> None:
    pywrapfst = pytest.importorskip("pywrapfst")
    table = SymbolTable("", ("<epsilon>", "a", "b"), (0, 1, 1))
    fst = peer_copy(pywrapfst, Transducer.from_arcs(0, [0.0], [], [], [], [], [], table, None))
    read = from_bytes(fst.write_to_string()).isymbols
    assert read is not None
    assert (read.label("a"), read.label("b"), read.symbol(1)) == (1, 1, fst.input_symbols().find(1))


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.fst").symlink_to(tmp_path / "real.fst")
    write_fst(sample(), tmp_path / "link.fst")
    assert (tmp_path / "link.fst").is_symlink()
    assert read_fst(tmp_path / "real.fst").equals(read_fst(to_bytes(sample())))
