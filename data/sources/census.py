"""Names of people in the United States census of 1990, from the package `names`.

5,000 first names and 88,799 surnames with their frequencies in percent. What a government of the
United States counts is in the public domain; the package is under the MIT licence.
"""

from __future__ import annotations

from collections import defaultdict

from glyphone.data.sources.pinned import open_member

FILES = {
    "first": ("dist.male.first", "dist.female.first"),
    "last": ("dist.all.last",),
}
FOLDER = "names-0.3.0/names"
# In percent: frequencies below are rounded to 0 in the lists.
LEAST = 0.0005


def read_census(kind: str) -> dict[str, float]:
    """Names, "first" or "last", with percentages; those of women and men are added up."""
    percentages: defaultdict[str, float] = defaultdict(float)
    for name in FILES[kind]:
        with open_member("names", f"{FOLDER}/{name}") as file:
            for line in file.read().decode("ascii").splitlines():
                word, percent, *_ = line.split()
                percentages[word.capitalize()] += max(float(percent), LEAST)
    return percentages
