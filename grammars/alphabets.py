"""Rules for names in any alphabet: cleaning them, and accepting well-formed ones only.

A learner of names works on the letters of its script. Its inventory is the symbols of a name: the
small letters, the space, the hyphen and, where names have one, the apostrophe. `cleaning_rule`
makes a rule that brings a name, however typed, to that inventory: compatibility forms (NFKC),
case, marks that are left out, kinds of dashes and apostrophes, invisible characters (direction
marks, joiners, soft hyphens), and spaces at the ends. It has one output for every string that it
accepts, and names the symbols that it refuses. `well_formed` makes a rule that leaves a well-formed
name as it is and has no output for any other, so that it can be composed behind a model.

>>> from glyphone.fst.rules.interpreter import run
>>> clean = cleaning_rule(("a", "b", " ", "-"), variants={"ä": "a"})
>>> ["".join(way.output) for way in run(clean, tuple("ä – b "))]
['a-b']
>>> run(well_formed(("a", "b", "-"), illegal="# _ b"), tuple("ba"))
[]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from glyphone.data.records import Symbols
from glyphone.data.writing import NormalForm, Writing
from glyphone.fst.rules.cascade import Cascade, cascade
from glyphone.grammars.notation import symbol_set

APOSTROPHE = "’"
# U+2011 is no member: NFKC makes U+2010 of it, as it makes a space of every space.
DASHES = "‐‒–—―−"
APOSTROPHES = "'‘‛`ʼʻʹ′"
# Soft hyphen, joiners, direction marks and embeddings, word joiner, isolates, byte order mark.
INVISIBLE = (
    "\u00ad\u034f\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2066\u2067\u2068\u2069\ufeff"
)
ILLEGAL = "✗"
NAMES = Writing(normal_form="NFKC", case="lower")
LETTERS = Writing()


def cleaning_rule(
    inventory: Symbols,
    *,
    variants: Mapping[str, str] | None = None,
    dropped: Iterable[str] = (),
    rules: str = "",
    normal_form: NormalForm = "NFKC",
) -> Cascade:
    """The rule that brings a name to an inventory.

    `variants` are read as other letters, `dropped` as nothing; `rules` act on what is then there.
    """
    signs = dict.fromkeys(DASHES, "-")
    if APOSTROPHE in inventory:
        signs |= dict.fromkeys(APOSTROPHES, APOSTROPHE)
    read = signs | dict(variants or {})
    unseen = [*INVISIBLE, *dropped]
    return cascade(
        letters=[*inventory, *(found for found in read if found not in inventory), *unseen],
        phones=inventory,
        source=Writing(normal_form=normal_form, case="lower"),
        target=LETTERS,
        rules=f"""
        ; 1. What is not seen or not kept
        {symbol_set(unseen)} -> ∅

        ; 2. Variants of letters and signs
        {symbol_set(read)} -> {symbol_set(read.values())}

        ; 3. What this script asks for
        {rules}

        ; 4. A space that parts no words
        \\  -> ∅ / (# | \\  | \\-) _
        \\  -> ∅ / _ (# | \\-)
        """,
    )


def well_formed(inventory: Symbols, *, illegal: str = "") -> Cascade:
    """The rule that gives back well-formed names only; `illegal` has a context on every line."""
    places = ["(# | PART) _ PART", "PART _ #"]
    if APOSTROPHE in inventory:
        places += [f"(# | PART) _ {APOSTROPHE}", f"{APOSTROPHE} _ (# | PART | {APOSTROPHE})"]
    named: list[str] = []
    contexts: list[str] = []
    for line in illegal.split("\n"):
        (named if "=" in line else contexts).append(line.strip())
    places += filter(None, contexts)
    return cascade(
        letters=inventory,
        phones=inventory,
        marks=ILLEGAL,
        source=LETTERS,
        target=LETTERS,
        partial=True,
        rules="\n".join(
            [
                "PART = " + symbol_set(part for part in inventory if part in " -"),
                *named,
                *(f"∅ -> {ILLEGAL} / {place}" for place in places),
            ]
        ),
    )
