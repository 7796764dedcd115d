"""Romanisations of alphabets with capitals: letters that become several letters, and ISO 9.

A capital that becomes several Latin letters is written in capitals throughout beside another
capital of its word, else only with the first one capital: ЩУКА is SHCHUKA, but Щука is Shchuka
and Ю. Yu.

ISO 9:1995 (Transliteration of Cyrillic characters into Latin characters) has one Latin letter for
each Cyrillic one, whatever the language, and can be read back. ʺ and ʹ have no capitals, so the
case of ъ and ь is restored from their neighbours, as `glyphone.grammars.rus.romanization`
explains.

>>> from glyphone.fst.rules.interpreter import run
>>> rules = spelling_rules({"а": "a", "щ": "shch", "х": "kh"})
>>> latin = cascade(letters=[*"ащхАЩХ"], phones=[*"ashckASHCK"], rules=rules)
>>> ["".join(run(latin, tuple(word))[0].output) for word in ("Ща", "ЩА", "АЩ", "Щ")]
['Shcha', 'SHCHA', 'ASHCH', 'Shch']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import Cascade, cascade
from glyphone.grammars import cyrillic
from glyphone.grammars.notation import symbol_set

TEXT = Writing(unit="grapheme")
COMMON = tuple(cyrillic.COMMON)

ISO_9_LETTERS = dict(
    zip(
        f"{cyrillic.SMALL} {cyrillic.SMALL_OLD}".split(),
        f"{cyrillic.ISO_SMALL} {cyrillic.ISO_SMALL_OLD}".split(),
        strict=True,
    )
) | {"ґ": "g̀", "є": "ê", "ї": "ï", "ѝ": "ì", "ѫ": "ǎ"}
SIGNS = {"ъ": "ʺ", "ь": "ʹ"}


def both_cases(letters: Iterable[str]) -> tuple[str, ...]:
    """Letters, then their capitals.

    >>> both_cases(["а", "щ"])
    ('а', 'щ', 'А', 'Щ')
    """
    small = tuple(letters)
    return (*small, *map(str.upper, small))


def latin_letters(table: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The letters that a table writes, in both cases."""
    return both_cases(sorted({letter for output in table.values() for letter in output}))


def one_by_one(symbols: Iterable[str]) -> str:
    """A set of symbols, some of which may be several code points, in the notation of rules."""
    return symbol_set((symbol,) for symbol in symbols)


def spelling_rules(table: Mapping[str, Sequence[str]], *, silent: Iterable[str] = ()) -> str:
    """The rules for a table of small letters and the letters that they become, in both cases.

    Silent letters fall away in the end: until then they are neighbours as others are.
    """
    unheard = both_cases(silent)
    several = {letter: tuple(output) for letter, output in table.items() if len(output) > 1}
    single = {letter: output[0] for letter, output in table.items() if len(output) == 1}
    lower = [*table, *unheard[: len(unheard) // 2]]
    upper = list(map(str.upper, lower))
    lines = []
    if several:
        behind = sorted({output[-1].upper() for output in several.values()} - set(upper))
        capitals = symbol_set([letter.upper() for letter in output] for output in several.values())
        headed = symbol_set((output[0].upper(), *output[1:]) for output in several.values())
        lines = [
            f"UPPER = {one_by_one(upper)}",
            f"LOWER = {one_by_one(lower)}",
            f"BEHIND = {one_by_one([*upper, *behind])}",
            f"LARGE = {one_by_one(map(str.upper, several))}",
            f"LARGE -> {capitals} / _ UPPER",
            f"LARGE -> {capitals} / BEHIND _ (# | ANY - LOWER)",
            f"LARGE -> {headed}",
            f"{one_by_one(several)} -> {symbol_set(several.values())}",
        ]
    if single:
        found, put = both_cases(single), both_cases(single.values())
        lines.append(f"{one_by_one(found)} -> {one_by_one(put)}")
    if unheard:
        lines.append(f"{one_by_one(unheard)} -> ∅")
    return "\n".join(lines)


def iso_9(letters: Iterable[str]) -> tuple[Cascade, Cascade]:
    """ISO 9:1995 for an alphabet given in small letters, and its inverse."""
    small = [letter for letter in letters if letter not in SIGNS]
    signs = [letter for letter in letters if letter in SIGNS]
    latin = [ISO_9_LETTERS[letter] for letter in small]
    cyrillic = one_by_one(both_cases(small))
    romanized = one_by_one(both_cases(latin))
    primes = [SIGNS[letter] for letter in signs]
    capital = [letter.upper() for letter in signs]
    forward = cascade(
        letters=[*both_cases([*small, *signs]), *COMMON],
        phones=[*both_cases(latin), *primes, *COMMON],
        source=TEXT,
        target=TEXT,
        rules=f"""
        ; 1. Letter by letter
        {cyrillic} -> {romanized}

        ; 2. Signs, which have no capitals
        {one_by_one(signs)} -> {one_by_one(primes)}
        {one_by_one(capital)} -> {one_by_one(primes)}
        """,
    )
    inverse = cascade(
        letters=[*both_cases(latin), *primes, *COMMON],
        phones=[*both_cases([*small, *signs]), *COMMON],
        source=TEXT,
        target=TEXT,
        rules=f"""
        ; 1. Letter by letter; signs are small at first
        {one_by_one(primes)} -> {one_by_one(signs)}
        {romanized} -> {cyrillic}

        ; 2. A sign is a capital between capitals, and behind two of them where the word ends
        UPPER = {one_by_one([*map(str.upper, small), *capital])}
        LOWER = {one_by_one([*small, *signs])}
        {one_by_one(signs)} -> {one_by_one(capital)} / UPPER _ UPPER
        {one_by_one(signs)} -> {one_by_one(capital)} / UPPER UPPER _ (# | PHONE - UPPER - LOWER)
        """,
    )
    return forward, inverse
