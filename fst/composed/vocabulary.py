"""Words and their frequencies, as a weighted acceptor behind a model that writes words.

    P'(z | x) is proportional to P(z | x) (f(z)^share + floor^share)

where f(z), the frequency of z, is 0 for words that are not listed. The acceptor is the union of a
trie of the words and of a loop over all symbols that has the floor: both ways to a word add up.

The trie is stored in preorder: of each node its depth, the label of the symbol that leads to it,
and the frequency of the word that ends there, or 0.

>>> side = Side(Writing(), {"a": 1, "b": 2})
>>> words = vocabulary_of([("ab", 0.25), ("a", 0.01), ("ac", 0.5)], side, share=0.5, floor=1e-4)
>>> words.depths.tolist(), words.labels.tolist(), words.words()
([1, 2], [1, 2], [('a', 0.01), ('ab', 0.25)])
>>> machine = words.machine(side.symbols)
>>> machine.n_states, machine.n_arcs, [round(float(cost), 2) for cost in machine.finals]
(4, 6, [4.61, 4.61, 2.3, 0.69])
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import GlyphoneError
from glyphone.data.writing import Writing
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.interface.codec import Side
from glyphone.fst.storage.packing import smallest_unsigned, unsigned_column

# Near the best values for Bengali and Hindi words; `tuning` finds those of a language.
SHARE, FLOOR = 0.5, 1e-12
# A longer word is no word, and depths are bytes in files.
LONGEST = 255

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """A trie of words over `symbols`, the first of which has the label 1."""

    symbols: tuple[str, ...]
    depths: Array
    labels: Array
    frequencies: Array
    share: float = SHARE
    floor: float = FLOOR

    def __post_init__(self) -> None:
        if not (0 < self.share < math.inf and 0 < self.floor < math.inf):
            message = f"a vocabulary with share {self.share!r} and floor {self.floor!r}"
            raise GlyphoneError(message, remedy="both are above 0, or all weights would be alike")

    def machine(self, labels: Mapping[str, int], *, temperature: float = 1.0) -> Transducer:
        """The acceptor in other labels; words with symbols that have none are left out.

        State 0 is the root of the trie, state 1 the loop, node k is state k + 2.
        """
        table = np.array([0, *(labels.get(symbol, 0) for symbol in self.symbols)], np.int32)
        every = np.array(sorted(labels.values()), np.int32)
        parents = parents_of(self.depths)
        states = np.arange(2, len(parents) + 2)
        kept = table[self.labels] != 0
        none = np.zeros(len(every), np.int64)
        sources = np.concatenate([none, none + 1, np.where(parents < 0, 0, parents + 2)[kept]])
        read = np.concatenate([every, every, table[self.labels][kept]])
        targets = np.concatenate([none + 1, none + 1, states[kept]])
        order = np.argsort((sources << 32) + read, kind="stable")
        offsets = np.zeros(len(parents) + 3, np.int64)
        np.cumsum(np.bincount(sources, minlength=len(parents) + 2), out=offsets[1:])
        finals = np.full(len(parents) + 2, math.log(self.floor))
        with np.errstate(divide="ignore"):
            finals[2:] = np.log(self.frequencies)
        return Transducer(
            0,
            offsets,
            read[order],
            read[order],
            np.zeros(len(read), np.float32),
            targets[order].astype(np.int32),
            (-self.share / temperature * finals + 0.0).astype(np.float32),
        )

    def words(self) -> list[tuple[str, float]]:
        """All words with their frequencies, in the order of their labels."""
        found, so_far = [], [""] * (int(self.depths.max(initial=0)) + 1)
        names = ("", *self.symbols)
        rows = zip(
            self.depths.tolist(), self.labels.tolist(), self.frequencies.tolist(), strict=True
        )
        for depth, label, frequency in rows:
            so_far[depth] = names[label]
            if frequency > 0:
                found.append(("".join(so_far[1 : depth + 1]), round(frequency, 9)))
        return found

    def fingerprint(self) -> str:
        """A checksum of everything that the weights depend on."""
        crc = zlib.crc32(repr((self.symbols, self.share, self.floor)).encode())
        for array in to_arrays(self).values():
            crc = zlib.crc32(array.tobytes(), crc)
        return f"{crc:08x}"


def vocabulary_of(
    words: Iterable[tuple[str, float]], side: Side, *, share: float = SHARE, floor: float = FLOOR
) -> Vocabulary:
    """The words that a side can write; those that are written alike add up."""
    total: dict[str, float] = {}
    for word, frequency in words:
        if not 0 < frequency < math.inf:
            message = f"has the frequency {frequency!r}"
            raise GlyphoneError(message, item=word, remedy="give numbers above 0, or leave it out")
        total[word] = total.get(word, 0.0) + frequency
    written = convert_words([*total], side.writing)
    sums: dict[bytes, float] = {}
    # As bytes, the first of which counts most, labels are sorted fast.
    rows = (labels_of(word, side) for word in written)
    for row, frequency in zip(rows, total.values(), strict=True):
        if row is not None:
            sums[row] = sums.get(row, 0.0) + frequency
    keys = sorted(sums)
    lengths = np.array([len(key) // 4 for key in keys], np.int64)
    flat = np.frombuffer(b"".join(keys), ">i4").astype(np.int32)
    ends = np.cumsum(lengths)
    first_new = common_prefixes(flat, ends - lengths, lengths)
    n_new = lengths - first_new
    last = np.cumsum(n_new)
    of = np.repeat(np.arange(len(keys)), n_new)
    depths = np.arange(len(of)) - (last - n_new)[of] + first_new[of] + 1
    frequencies = np.zeros(len(of), np.float32)
    frequencies[last - 1] = [sums[key] for key in keys]
    symbols = tuple(sorted(side.symbols, key=side.symbols.__getitem__))
    numbers = np.zeros(max(side.symbols.values(), default=0) + 1, np.int32)
    numbers[[side.symbols[symbol] for symbol in symbols]] = np.arange(1, len(symbols) + 1)
    labels = numbers[flat[(ends - lengths)[of] + depths - 1]]
    return Vocabulary(symbols, depths.astype(np.uint8), labels, frequencies, share, floor)


def convert_words(words: Sequence[str], writing: Writing) -> list[str]:
    """Words as a side writes them, all at once."""
    lines = writing.convert("\n".join(words)).split("\n")
    return lines if len(lines) == len(words) else [writing.convert(word) for word in words]


def labels_of(word: str, side: Side) -> bytes | None:
    """The labels of a word, or None if it is empty, too long, or has a symbol without a label."""
    plain = side.writing.unit == "codepoint"
    symbols: Sequence[str] = word if plain else side.writing.split(word).symbols
    labels = [side.symbols.get(symbol, 0) for symbol in symbols]
    if 0 in labels or not 0 < len(labels) <= LONGEST:
        return None
    return np.array(labels, ">i4").tobytes()


def common_prefixes(flat: Array, begins: Array, lengths: Array) -> Array:
    """The number of first labels that each sorted word shares with the one before it."""
    found = np.zeros(len(begins), np.int64)
    active = np.arange(1, len(begins))
    depth = 0
    while len(active):
        active = active[np.minimum(lengths[active], lengths[active - 1]) > depth]
        active = active[flat[begins[active] + depth] == flat[begins[active - 1] + depth]]
        depth += 1
        found[active] = depth
    return found


def parents_of(depths: Array) -> Array:
    """The node above each node of a trie in preorder; -1 for the root."""
    parents = np.full(len(depths), -1, np.int64)
    above = np.flatnonzero(depths == 1)
    for depth in range(2, int(depths.max(initial=0)) + 1):
        here = np.flatnonzero(depths == depth)
        parents[here] = above[np.searchsorted(above, here) - 1]
        above = here
    return parents


def settings_of(vocabulary: Vocabulary) -> dict[str, Any]:
    """The entries of a manifest for a vocabulary."""
    return {
        "symbols": list(vocabulary.symbols),
        "share": vocabulary.share,
        "floor": vocabulary.floor,
    }


def to_arrays(vocabulary: Vocabulary, prefix: str = "") -> dict[str, Array]:
    ends = vocabulary.frequencies > 0
    return {
        f"{prefix}depths": smallest_unsigned(vocabulary.depths),
        f"{prefix}labels": smallest_unsigned(vocabulary.labels),
        f"{prefix}ends": np.packbits(ends),
        f"{prefix}frequencies": vocabulary.frequencies[ends],
    }


def from_arrays(
    arrays: Mapping[str, Array], prefix: str, settings: Mapping[str, Any]
) -> Vocabulary:
    """The vocabulary of a file, whose trie is checked."""
    depths, labels, bits = (
        unsigned_column(arrays, prefix + n) for n in ("depths", "labels", "ends")
    )
    given, symbols = arrays[f"{prefix}frequencies"], settings["symbols"]
    if not isinstance(symbols, list) or not all(isinstance(one, str) and one for one in symbols):
        raise TypeError("the symbols of a vocabulary are not strings")
    if any(type(settings[name]) is not float for name in ("share", "floor")):
        raise TypeError("a setting of a vocabulary is not a number")
    if depths.dtype != np.uint8 or len(depths) != len(labels) or len(set(symbols)) < len(symbols):
        raise ValueError("the columns of a vocabulary do not match")
    steps = np.diff(depths.astype(np.int64), prepend=0)
    if (depths == 0).any() or (steps > 1).any():
        raise ValueError("the words of a vocabulary are no trie")
    if (labels == 0).any() or int(labels.max(initial=0)) > len(symbols):
        raise ValueError("a vocabulary has a symbol that is not in its alphabet")
    if bits.dtype != np.uint8 or len(bits) != (len(depths) + 7) // 8:
        raise ValueError("a vocabulary does not mark where words end")
    ends = np.unpackbits(bits, count=len(depths)).view(np.bool_)
    if given.dtype != np.float32 or given.shape != (int(ends.sum()),):
        raise ValueError("a vocabulary has not one frequency for each word")
    if not (np.isfinite(given) & (given > 0)).all():
        raise ValueError("a frequency in a vocabulary is no number above 0")
    frequencies = np.zeros(len(depths), np.float32)
    frequencies[ends] = given
    share, floor = settings["share"], settings["floor"]
    return Vocabulary(tuple(symbols), depths, labels.astype(np.int32), frequencies, share, floor)
