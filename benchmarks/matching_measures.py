"""Our measures of how alike two names are, as the benchmark of names asks them.

A measure learns from names (`fit`), and tells how alike pairs are (`of_pairs`), or all names of a
list and all of another (`cdist`).
"""

from __future__ import annotations

from collections.abc import Callable

from glyphone.learners.matching.comparing import Measure
from glyphone.learners.matching.named import measure

# The rows of the page: the literature's, and those of Moreau, Yvon and Cappé (2008).
NAMES = (
    *("levenshtein", "jaro-winkler", "overlap", "cosine", "tfidf", "monge-elkan/jaro-winkler"),
    *("soft-tfidf-printed/jaro", "soft-tfidf-printed/3g", "soft-tfidf/3g"),
    *("ml/3g", "ml-extended/3g", "ml/contexts", "ml-extended/contexts"),
)


def measures() -> dict[str, Callable[[], Measure]]:
    """Our measures by the names of their rows."""
    return {name: lambda name=name: measure(name) for name in NAMES}  # type: ignore[misc]
