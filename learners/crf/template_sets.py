"""Templates of letters and other tokens by name (Lavergne, Cappé and Yvon 2010, section 4.3).

    1-grm               the empty window, and the token
    n-grm, n odd        that and all windows of odd sizes to n, the token in their middle
    n-grm-              the window of n alone
    n-grm+              windows of even sizes below n, too: one more on either side
    n-grm++             all windows of neighbouring tokens within n

>>> windows("3-grm+")
[None, (0, 0), (-1, 1), (-1, 0), (0, 1)]
>>> print(templates("3-grm", pairs="bare"))
*
u0..0:%x[0,0]
u-1..1:%x[-1,0]%x[0,0]%x[1,0]
"""

from __future__ import annotations

import re

from glyphone.data.errors import GlyphoneError, UnknownName

Window = tuple[int, int]
WIDEST = 15
# What windows go with: labels and their pairs, or labels, and pairs with the empty window alone.
PAIRS = {"all": "*", "bare": "u"}
_NAME = re.compile(r"(\d{1,2})-grm(-|\+{0,2})")


def windows(name: str) -> list[Window | None]:
    """The windows of a set, first and last place from the token; None is the empty one.

    >>> [len(windows(name)) for name in ("1-grm", "5-grm-", "5-grm", "5-grm+", "5-grm++")]
    [2, 1, 4, 8, 16]
    """
    match = _NAME.fullmatch(name)
    if not match or int(match[1]) % 2 == 0 or int(match[1]) > WIDEST:
        remedy = f"name one as 3-grm, 5-grm-, 5-grm+ or 5-grm++, with an odd number to {WIDEST}"
        raise GlyphoneError(f"no set of templates is named {name!r}", remedy=remedy)
    reach, more = int(match[1]) // 2, match[2]
    if more == "-":
        return [(-reach, reach)]
    found: list[Window | None] = [None, *((-k, k) for k in range(reach + 1))]
    if more:
        for k in range(1, reach + 1):
            found += [(-k, k - 1), (1 - k, k)]
    if more == "++":
        every = [(a, b) for a in range(-reach, reach + 1) for b in range(a, reach + 1)]
        found += [window for window in every if window not in found]
    return found


def templates(name: str, *, pairs: str = "all", column: str = "0") -> str:
    """The patterns of a set, see `patterns`."""
    if pairs not in PAIRS:
        raise UnknownName("kind of pairs", pairs, PAIRS)
    lines = []
    for window in windows(name):
        if window is None:
            lines.append("*")
            continue
        first, last = window
        cells = "".join(f"%x[{row},{column}]" for row in range(first, last + 1))
        lines.append(f"{PAIRS[pairs]}{first}..{last}:{cells}")
    return "\n".join(lines)
