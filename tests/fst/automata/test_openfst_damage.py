"""OpenFst binaries against damage of every kind: read, or refused with what was expected."""

from __future__ import annotations

import contextlib
import struct
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glyphone.data.errors import FormatError
from glyphone.fst.automata.openfst import FAR_MAGICS, FstType, from_bytes, to_bytes
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from tests.fst.automata.openfst_twins import FST_TYPES, aligned, machines, sample


def refusal(data: bytes) -> str:
    with pytest.raises(FormatError) as caught:
        from_bytes(data, where="spa.fst")
    assert caught.value.path == "spa.fst"
    return str(caught.value)


def test_refusals_say_what_was_expected() -> None:
    plain = to_bytes(sample(symbols=False))
    vector = to_bytes(sample(symbols=False), fst_type="vector")
    counts = plain.index(b"standard") + 8 + 4 + 4 + 8 + 8  # then states and arcs
    assert "at 0: ends inside the magic number of an FST, 4 bytes too early" in refusal(b"")
    assert f"at {len(plain) - 64}: ends inside its 4 arcs, 3 bytes" in refusal(plain[:-3])
    assert "ends inside the arcs of a state, 9 bytes" in refusal(vector[:-21])
    assert "has 1 bytes after the end" in refusal(plain + b"\0")
    assert "it begins with 0x20312030, expected 0x7eb2fdd6" in refusal(b"0 1 a b")
    assert "is a FAR archive" in refusal(struct.pack("<i", FAR_MAGICS["sttable"]))
    ngram = plain.replace(b"\5\0\0\0const", b"\5\0\0\0ngram")
    assert "'ngram', expected 'const' or 'vector' (convert it with fstconvert" in refusal(ngram)
    for n_states in (2**62, 2**33, -3):
        huge = bytearray(plain)
        struct.pack_into("<q", huge, counts, n_states)
        assert str(n_states) in refusal(bytes(huge))
    beyond = plain[:-4] + struct.pack("<i", 3)
    assert "the target of arc 3 is 3, expected a number from 0 on and below 3" in refusal(beyond)
    negative = vector[:-8] + struct.pack("<q", -1)
    assert "has a negative number of arcs, -1" in refusal(negative)
    not_a_number = plain[:-8] + struct.pack("<f", float("nan")) + plain[-4:]
    assert "weight 3 is nan" in refusal(not_a_number)
    torn = plain[: -4 * 16 - 16] + struct.pack("<I", 3) + plain[-4 * 16 - 12 :]
    assert "its states do not divide its 4 arcs" in refusal(torn)
    with_symbols = to_bytes(sample())
    latin = with_symbols.replace("ñ".encode(), b"\xf1a", 1)
    assert f"at {latin.index(0xF1)}: has a symbol that is not UTF-8: bytes f1" in refusal(latin)
    twice = with_symbols.replace("ñ".encode(), b"aa", 1).replace(b"\2\0\0\0aa", b"\1\0\0\0a")
    assert "'a' U+0061 stands twice in a symbol table" in refusal(twice)


@pytest.mark.parametrize("fst_type", FST_TYPES)
@pytest.mark.parametrize("symbols", [False, True])
def test_every_cut_is_refused(fst_type: FstType, symbols: bool) -> None:
    data = to_bytes(sample(symbols=symbols), fst_type=fst_type)
    for size in range(len(data)):
        refusal(data[:size])


CHANGES = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(0, 3), st.binary(min_size=1, max_size=8)),
    min_size=1,
    max_size=4,
)


@given(machines(), st.sampled_from([*FST_TYPES, "aligned"]), CHANGES)
@settings(max_examples=200)
@example(sample(), "const", [(0, 0, b"\xff" * 8)])
def test_damage_loads_or_is_refused(machine: Transducer, kind: str, changes: list[Any]) -> None:
    data = to_bytes(machine, fst_type="vector" if kind == "vector" else "const")
    if kind == "aligned":
        data = aligned(data, machine, by_version=True)
    for place, action, filling in changes:
        place %= len(data) + 1
        after = place + (len(filling) if action < 3 else 0)
        data = data[:place] + (filling if action != 1 else b"") + data[after:]
    try:
        read = from_bytes(data)
    except FormatError:
        return
    assert from_bytes(to_bytes(read)).equals(read)


@given(st.integers(0, 10_000), st.integers(0, 7))
def test_a_flipped_bit_loads_or_is_refused(place: int, bit: int) -> None:
    for fst_type in FST_TYPES:
        data = bytearray(to_bytes(sample(), fst_type=fst_type))
        data[place % len(data)] ^= 1 << bit
        with contextlib.suppress(FormatError):
            from_bytes(bytes(data))


def test_lone_surrogates_cannot_be_written() -> None:
    table = SymbolTable.of(["\ud800"])
    with pytest.raises(FormatError, match="half a surrogate pair"):
        to_bytes(Transducer.from_arcs(0, [0.0], [], [], [], [], [], table))
