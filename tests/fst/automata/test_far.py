"""FST archives against OpenFst's, both ways, and against damage."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, UnknownName
from glyphone.fst.automata.far import far_keys, read_far, read_far_all, write_far
from glyphone.fst.automata.openfst import from_bytes, to_bytes, write_fst
from glyphone.fst.automata.transducer import SymbolTable, Transducer

KEYS = ["ANDEAN", "CASTILIAN", "ñandú", "\ufffd", "𐌰"]  # in the order of their bytes


def machine(seed: int) -> Transducer:
    random = np.random.default_rng(seed)
    table = SymbolTable.of(["a", "b", "ñ"], name=f"seed {seed}")
    n_states = seed + 1
    columns = [random.integers(0, high, 2 * seed) for high in (n_states, 4, 4, n_states)]
    source, ilabel, olabel, target = columns
    finals, weights = random.random(n_states), random.random(2 * seed)
    return Transducer.from_arcs(0, finals, source, ilabel, olabel, weights, target, table)


ENTRIES = {key: machine(seed) for seed, key in enumerate(KEYS)}


def peer_archive(path: Path, far_type: str, fst_type: str) -> None:
    pywrapfst = pytest.importorskip("pywrapfst")
    writer = pywrapfst.FarWriter.create(path, far_type=far_type)
    for key, entry in ENTRIES.items():
        fst = pywrapfst.Fst.read_from_string(to_bytes(entry))
        writer.add(key, pywrapfst.convert(fst, fst_type))
    del writer


@pytest.mark.parametrize("fst_type", ["const", "vector"])
@pytest.mark.parametrize("far_type", ["sttable", "stlist"])
def test_we_read_what_openfst_writes(tmp_path: Path, far_type: str, fst_type: str) -> None:
    path = tmp_path / "spa.far"
    peer_archive(path, far_type, fst_type)
    assert far_keys(path) == KEYS
    assert list(read_far_all(path)) == KEYS
    for key, entry in ENTRIES.items():
        assert read_far(path, key).equals(entry)
        assert read_far_all(path)[key].equals(entry)


def test_openfst_reads_what_we_write(tmp_path: Path) -> None:
    pywrapfst = pytest.importorskip("pywrapfst")
    path = tmp_path / "spa.far"
    write_far(path, dict(reversed(ENTRIES.items())))
    assert [found.name for found in tmp_path.iterdir()] == ["spa.far"]
    reader = pywrapfst.FarReader.open(path)
    assert (reader.far_type(), reader.arc_type()) == ("sttable", "standard")
    read = {}
    while not reader.done():
        fst = reader.get_fst()
        assert fst.verify()
        read[reader.get_key()] = from_bytes(fst.write_to_string())
        reader.next()
    assert list(read) == KEYS
    assert all(read[key].equals(entry) for key, entry in ENTRIES.items())
    reader.reset()
    assert all(reader.find(key) for key in KEYS)
    assert not reader.find("LATIN")


@pytest.mark.parametrize("far_type", ["sttable", "stlist", "ours"])
def test_empty_archives(tmp_path: Path, far_type: str) -> None:
    path = tmp_path / "empty.far"
    if far_type == "ours":
        write_far(path, {})
    else:
        pywrapfst = pytest.importorskip("pywrapfst")
        pywrapfst.FarWriter.create(path, far_type=far_type)
    assert far_keys(path) == []
    assert read_far_all(path) == {}
    with pytest.raises(UnknownName, match="there are none"):
        read_far(path, "CASTILIAN")


def test_a_bare_fst_is_an_archive_of_one(tmp_path: Path) -> None:
    path = tmp_path / "castilian.fst"
    write_fst(machine(3), path)
    assert far_keys(path) == ["castilian.fst"]
    assert read_far(path, "castilian.fst").equals(machine(3))
    with pytest.raises(UnknownName, match=r"castilian\.fst"):
        read_far(path, "ANDEAN")


def test_unknown_keys_name_the_nearest(tmp_path: Path) -> None:
    write_far(tmp_path / "spa.far", ENTRIES)
    with pytest.raises(UnknownName, match=r"spa\.far.*CASTILLIAN.*did you mean CASTILIAN"):
        read_far(tmp_path / "spa.far", "CASTILLIAN")


def test_only_the_wanted_entry_is_parsed(tmp_path: Path) -> None:
    path = tmp_path / "spa.far"
    write_far(path, ENTRIES)
    data = path.read_bytes().replace(b"\5\0\0\0const", b"\5\0\0\0CONST", 1)
    path.write_bytes(data)
    assert read_far(path, "CASTILIAN").equals(ENTRIES["CASTILIAN"])
    with pytest.raises(FormatError, match=r"spa\.far:ANDEAN: .*'CONST', expected 'const'"):
        read_far(path, "ANDEAN")


def test_a_failed_write_leaves_the_old_archive(tmp_path: Path) -> None:
    path = tmp_path / "spa.far"
    write_far(path, ENTRIES)
    bad = Transducer.from_arcs(0, [0.0], [], [], [], [], [], SymbolTable.of(["\ud800"]))
    with pytest.raises(FormatError, match="half a surrogate pair"):
        write_far(path, {"A": machine(1), "B": bad})
    with pytest.raises(FormatError, match="empty key"):
        write_far(path, {"": machine(1)})
    assert far_keys(path) == KEYS
    assert [found.name for found in tmp_path.iterdir()] == ["spa.far"]


def as_list(entries: dict[str, Transducer]) -> bytes:
    parts = [struct.pack("<ii", 5656924, 1)]
    for key, entry in entries.items():
        raw = key.encode()
        parts += [struct.pack("<i", len(raw)), raw, to_bytes(entry, fst_type="vector")]
    return b"".join([*parts, struct.pack("<i", 0)])


def as_table(entries: dict[str, Transducer], folder: Path) -> bytes:
    write_far(folder / "table.far", entries)
    return (folder / "table.far").read_bytes()


def test_refusals_say_what_was_expected(tmp_path: Path) -> None:
    path = tmp_path / "spa.far"
    table, listed = as_table(ENTRIES, tmp_path), as_list(ENTRIES)
    index = len(table) - 8 - 8 * len(KEYS)  # of the first position
    for data, message in [
        (b"", "ends inside the magic number of an FST archive"),
        (b"PK\3\4", "is not an FST archive .*: it begins with 0x04034b50"),
        (table[:4] + struct.pack("<i", 2) + table[8:], "has version 2 of the FST archive"),
        (table[:12], "ends before the number of its entries"),
        (table[:-8] + struct.pack("<q", -1), "ends with -1 as the number of its entries"),
        (table[:-8] + struct.pack("<q", 2**60), "ends with 1152921504606846976 as the number"),
        (table[:-8] + struct.pack("<q", 4), "has no index of 4 entries at its end"),
        (
            table[:index] + struct.pack("<q", 2**40) + table[index + 8 :],
            "has no index of 5 entries",
        ),
        (table[:12] + b"\xff" + table[13:], "has a key that is not UTF-8: bytes ff"),
        (listed[:-4], "ends inside the length of a key, 4 bytes too early"),
        (listed + b"\1", "has 1 bytes after its last entry"),
        (listed[:-4] + listed[8:], "has the key 'ANDEAN' twice"),
    ]:
        path.write_bytes(data)
        with pytest.raises(FormatError, match=message) as caught:
            read_far_all(path)
        assert str(caught.value).startswith(str(path))


def test_every_cut_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "spa.far"
    entries = {key: ENTRIES[key] for key in KEYS[:2]}
    for whole in (as_table(entries, tmp_path), as_list(entries)):
        for size in range(len(whole)):
            path.write_bytes(whole[:size])
            with pytest.raises(FormatError):
                read_far_all(path)


CHANGES = st.lists(
    st.tuples(st.integers(0, 10_000), st.binary(max_size=8), st.booleans()), min_size=1, max_size=3
)


@given(CHANGES, st.booleans())
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_damage_loads_or_is_refused(tmp_path: Path, changes: list[Any], listed: bool) -> None:
    data = as_list(ENTRIES) if listed else as_table(ENTRIES, tmp_path)
    for place, filling, replacing in changes:
        place %= len(data)
        data = data[:place] + filling + data[place + len(filling) * replacing :]
    path = tmp_path / "damaged.far"
    path.write_bytes(data)
    for read in (read_far_all, far_keys, lambda path: read_far(path, "CASTILIAN")):
        with contextlib.suppress(FormatError, UnknownName):
            read(path)
