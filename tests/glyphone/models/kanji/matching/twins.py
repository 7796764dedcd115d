"""Brute force: all paths of a name one by one, and what two names share of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from glyphone.data.records import Pair
from glyphone.fst.lattices.arrays import Lattice
from glyphone.models.kanji.model import KanjiModel
from glyphone.models.kanji.training import fit_kanji

SURNAMES = """
    山田=やまだ 田山=たやま 大山=おおやま 大谷=おおたに 大谷=おおや 小山=おやま 小山=こやま
    大野=おおの 大野=おの 小野=おの 斎藤=さいとう 斉藤=さいとう 高橋=たかはし 佐々木=ささき
    谷田=たにだ
"""
GIVEN = "太郎=たろう 次郎=じろう 大=だい 大=まさる 修=おさむ 小太郎=こたろう 高次=たかじ"


def small_model(*, kana: bool = True) -> KanjiModel:
    pairs = []
    for kind, names in (("surname", SURNAMES), ("given", GIVEN)):
        for name in names.split():
            kanji, _, reading = name.partition("=")
            pairs.append(Pair(tuple(reading), tuple(kanji), 1.0, kind))
    model = fit_kanji(pairs).model
    if kana:
        return model
    keys = model.keys
    romaji = [
        Pair(tuple(keys("".join(pair.source)).output), pair.target, 1.0, pair.kind)
        for pair in pairs
    ]
    return fit_kanji(romaji).model


def paths(lattice: Lattice) -> Iterator[tuple[list[tuple[int, int]], float]]:
    """Each path: its labels with how many symbols were read up to each, and its weight."""
    agenda: list[tuple[int, int, list[tuple[int, int]], float]] = [(0, 0, [], 0.0)]
    while agenda:
        state, read, labels, cost = agenda.pop()
        if lattice.finals[state] < math.inf:
            yield labels, math.exp(-cost - lattice.finals[state])
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            label = int(lattice.labels[arc])
            after = int(lattice.ends[arc]) if lattice.ends[arc] >= 0 else read
            step = [(label, after)] if label else []
            agenda.append(
                (int(lattice.targets[arc]), after, labels + step, cost + lattice.costs[arc])
            )


def readings(model: KanjiModel, name: str, *, begin: int = 0, end: int = 1000) -> Counter[str]:
    """P(r) of all readings of what symbols begin to end of a name in kanji are, without spaces."""
    route = model.exact().from_kanji
    found: Counter[str] = Counter()
    for labels, weight in paths(route.lattice(name)):
        letters = route.target.decode(label for label, read in labels if begin < read <= end)
        found["".join(letters).replace(" ", "")] += weight  # type: ignore[assignment]
    total = sum(found.values())
    return Counter({reading: weight / total for reading, weight in found.items()})


def mass(model: KanjiModel, typed: str) -> float:
    """P(r) of a name in kana or keys, of all that may be written so."""
    (asked,) = model.read([typed])
    route = model.exact().route(asked.route)  # type: ignore[union-attr]
    return sum(weight for _, weight in paths(route.lattice(asked.text)))  # type: ignore[union-attr]
