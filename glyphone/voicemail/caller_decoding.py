"""Where the caller phrase and the name in it most probably are, out of all ways to cut a message.

With alpha and beta the sums over all ways to a place and on from it, and Z that over all ways
(`caller_chain`), a name from place i to place k has the share

    P(i, k) = in(i) * stay(i, k) * out(k) / Z,

and a phrase that of all ways to go on inside it from LEAD to NAME to TAIL. Of equal spans the one
that begins, then ends first is taken.

>>> from glyphone.voicemail.caller_chain import HEADS, NAMED, START, STOP
>>> heads = np.zeros((4, HEADS))
>>> heads[1, START] = heads[2, NAMED] = heads[3, STOP] = 3.0
>>> steps = np.zeros((PARTS, PARTS))
>>> found, shares = decode(heads, steps, np.array([0, 4]))
>>> found.tolist(), [share > 0.5 for share in shares[0, 1:].tolist()]
([[1, 3, 2, 3]], [True, True])
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.jit import kernel, sibling
from glyphone.voicemail.caller_chain import (
    AFTER,
    ANY,
    BEFORE,
    IMPOSSIBLE,
    LEAD,
    NAME,
    NO,
    PARTS,
    TAIL,
)

chain = sibling(__name__, "glyphone.voicemail.caller_chain")
added, backward, forward = chain.added, chain.backward, chain.forward
score, total = chain.score, chain.total

Array = Any

# Beginnings that are less likely than this begin no most probable span that is worth telling.
UNLIKELY = math.log(1e-3)
ANYONE, PHRASE, NAMED_SO = range(3)


@kernel
def decode(heads: Array, steps: Array, bounds: Array) -> tuple[Array, Array]:
    """For message k, of places bounds[k] to bounds[k + 1]: begin and end of phrase and name.

    Shares are those of there being any phrase, of this phrase, and of this name. Places are counted
    from that of the first word; where nothing can be, all is 0.
    """
    n = len(bounds) - 1
    found, shares = np.zeros((n, 4), np.int64), np.zeros((n, 3))
    for k in range(n):
        first, last = bounds[k], bounds[k + 1]
        if last - first > 1:
            rows = heads[first:last]
            sets = np.full(last - first, ANY, np.uint8)
            alpha, beta = forward(rows, steps, sets), backward(rows, steps, sets)
            shares[k, ANYONE] = 1 - math.exp(alpha[-1, BEFORE] - total(alpha))
            phrase(rows, steps, alpha, beta, found[k], shares[k])
            name(rows, steps, alpha, beta, found[k], shares[k])
    return found, shares


@kernel
def phrase(
    heads: Array, steps: Array, alpha: Array, beta: Array, found: Array, shares: Array
) -> None:
    """The most probable phrase."""
    n, whole = len(heads), total(alpha)
    inside, after = np.empty(PARTS), np.empty(PARTS)
    for begin in range(n - 1):
        before = alpha[begin - 1, BEFORE] if begin else 0.0
        starts = IMPOSSIBLE
        inside[:] = IMPOSSIBLE
        for b in range(LEAD, AFTER):
            inside[b] = before + score(heads, steps, begin, BEFORE, b)
            starts = added(starts, inside[b] + beta[begin, b])
        if starts - whole < UNLIKELY:
            continue
        for end in range(begin + 1, n):
            stops = IMPOSSIBLE
            after[:] = IMPOSSIBLE
            for a in range(LEAD, AFTER):
                stops = added(stops, inside[a] + score(heads, steps, end, a, AFTER))
                for b in range(a, AFTER):
                    after[b] = added(after[b], inside[a] + score(heads, steps, end, a, b))
            share = math.exp(stops + beta[end, AFTER] - whole)
            if share > shares[PHRASE]:
                shares[PHRASE], found[0], found[1] = share, begin, end
            inside[:] = after


@kernel
def name(
    heads: Array, steps: Array, alpha: Array, beta: Array, found: Array, shares: Array
) -> None:
    """The most probable name within that phrase."""
    n, whole = len(heads), total(alpha)
    for begin in range(found[0], found[1]):
        way = score(heads, steps, begin, BEFORE, NAME) + (
            alpha[begin - 1, BEFORE] if begin else 0.0
        )
        if begin and alpha[begin - 1, LEAD] > NO:
            way = added(way, alpha[begin - 1, LEAD] + score(heads, steps, begin, LEAD, NAME))
        if way + beta[begin, NAME] - whole < UNLIKELY:
            continue
        for end in range(begin + 1, found[1] + 1):
            out = score(heads, steps, end, NAME, AFTER) + beta[end, AFTER]
            if end < n - 1:
                out = added(out, score(heads, steps, end, NAME, TAIL) + beta[end, TAIL])
            share = math.exp(way + out - whole)
            if share > shares[NAMED_SO]:
                shares[NAMED_SO], found[2], found[3] = share, begin, end
            way += score(heads, steps, end, NAME, NAME)
