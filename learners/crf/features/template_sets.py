"""Templates of letters and other tokens by name (Lavergne, Cappé and Yvon 2010, section 4.3).

    1-grm               the empty window, and the token
    n-grm, n odd        that and all windows of odd sizes to n, the token in their middle
    n-grm-              the window of n alone
    n-grm+              windows of even sizes below n, too: one more on either side
    n-grm++             all windows of neighbouring tokens within n
    n-grm*              those of them that have the token in them (not in the paper)

>>> window_set("3-grm+")
[None, (0, 0), (-1, 1), (-1, 0), (0, 1)]
>>> print(template_text("3-grm", pairs="bare"))
*
u0..0:%x[0,0]
u-1..1:%x[-1,0]%x[0,0]%x[1,0]
"""

from __future__ import annotations

import re

from glyphone.data.errors import GlyphoneError

Window = tuple[int, int]
WIDEST = 15
ALL, BARE = "all", "bare"
_NAME = re.compile(r"(\d{1,2})-grm(-|\*|\+{0,2})")


def window_set(name: str) -> list[Window | None]:
    """The windows of a set, first and last place from the token; None is the empty one.

    >>> names = ("1-grm", "5-grm-", "5-grm", "5-grm+", "5-grm*", "5-grm++")
    >>> [len(window_set(name)) for name in names]
    [2, 1, 4, 8, 10, 16]
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
    if more in ("++", "*"):
        every = [(a, b) for a in range(-reach, reach + 1) for b in range(a, reach + 1)]
        allowed = [(a, b) for a, b in every if more == "++" or a <= 0 <= b]
        found += [window for window in allowed if window not in found]
    return found


def template_text(name: str, *, pairs: str = "all", column: str = "0", between: str = "") -> str:
    """The patterns of a set, see `patterns`; the text `between` separates tokens.

    Pairs of labels go with `all` windows, with the empty one alone, `bare`, or with those that are
    in another set, too.

    >>> print(template_text("3-grm", pairs="1-grm"))
    *
    *0..0:%x[0,0]
    u-1..1:%x[-1,0]%x[0,0]%x[1,0]
    """
    wide = {None} if pairs == BARE else {*window_set(name if pairs == ALL else pairs)}
    lines = []
    for window in window_set(name):
        mark = "*" if window in wide else "u"
        if window is None:
            lines.append(mark)
            continue
        first, last = window
        cells = between.join(f"%x[{row},{column}]" for row in range(first, last + 1))
        lines.append(f"{mark}{first}..{last}:{cells}")
    return "\n".join(lines)
