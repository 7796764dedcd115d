"""The picture of two names compared: words, trigrams, and the evidence for one name and against it.

Names are compared as `glyphone match` compares them: by a matcher, or, if they are Japanese and
their model is there, by their readings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from glyphone.batch.job import Files
from glyphone.catalog import names as catalog_names
from glyphone.catalog.defaults import KANJI
from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.drawing.graphs import MAX_STATES
from glyphone.drawing.sheets import draw_sheet
from glyphone.drawing.svg import LINE, MARGIN
from glyphone.drawing.words import picture_of_svg
from glyphone.learners.matching.evidence import Evidence
from glyphone.learners.matching.matcher import Judgement, NameMatcher
from glyphone.matching.comparer import Comparer, is_japanese
from glyphone.matching.pictures.bars import Bar, bars_of, draw_bars
from glyphone.matching.pictures.block import Block, draw_notes
from glyphone.matching.pictures.trigrams import AlikeWords, alike_words, draw_trigrams
from glyphone.matching.pictures.words import (
    WordRows,
    draw_words,
    rows_of_evidence,
    rows_of_readings,
)
from glyphone.matching.run import MatchRequest, comparer_of, kind_for
from glyphone.matching.tables import checked_name
from glyphone.models.kanji.matching.files import matcher_of
from glyphone.models.kanji.matching.matcher import Match

Draw = Callable[[float], Block]
ABOUT_WORDS: Final = (
    "Percentages are of the weight of all words; rare words weigh more. Dashed words are left over."
)
ABOUT_TRIGRAMS: Final = (
    "Trigrams, where # is the edge of a word, show where letters differ; edits count in the bars."
)


def picture_of_match(
    first: str,
    second: str,
    kind: str,
    *,
    model: str | None = None,
    title: str = "",
    max_nodes: int = MAX_STATES,
    font_dirs: Sequence[Path] = (),
) -> bytes:
    """The content of a picture file; `kind` is svg or png, and `model` a matcher or one of Japanese
    names."""
    if kind not in ("png", "svg"):
        raise UnknownName("kind of picture of a match", kind, ["png", "svg"])
    request = MatchRequest(
        first=checked_name(first, "first name"),
        second=checked_name(second, "second name"),
        model=model,
    )
    if request.names is None:
        remedy = "glyphone match compares files"
        raise GlyphoneError("two names are drawn, and no files", remedy=remedy)
    svg = svg_of_match(request.names, request, title=title, max_nodes=max_nodes)
    return picture_of_svg(svg, kind, font_dirs=font_dirs)


def svg_of_match(
    names: tuple[str, str], request: MatchRequest, *, title: str, max_nodes: int
) -> str:
    if kind_for(request) == "channel":
        match = matcher_of(catalog_names.load(request.model or KANJI))(*names)
        return svg_of_readings(match, title=title, max_nodes=max_nodes)
    comparer, _ = comparer_of(Files(**request.files("-")))
    read = match_by_readings(comparer, names)
    if read is not None:
        return svg_of_readings(read, title=title, max_nodes=max_nodes)
    (judged,) = comparer.matcher.judge([names])
    return svg_of_judgement(names, judged, comparer.matcher, title=title, max_nodes=max_nodes)


def match_by_readings(comparer: Comparer, names: tuple[str, str]) -> Match | None:
    """The match of Japanese names that their model can read."""
    if comparer.kanji is None or not is_japanese(*names):
        return None
    (found,) = comparer.kanji.matches([names])
    return found if isinstance(found, Match) else None


def svg_of_judgement(
    names: tuple[str, str],
    judged: Judgement,
    matcher: NameMatcher,
    *,
    title: str = "",
    max_nodes: int = MAX_STATES,
) -> str:
    """Two names as a matcher compares them."""
    rows = rows_of_evidence(names, judged.evidence)
    alike = alike_words(matcher, judged.evidence)
    check_size(rows, alike, max_nodes)
    parts: list[Draw] = [partial(draw_words, rows), partial(draw_notes, ABOUT_WORDS)]
    parts += [partial(draw_trigrams, words) for words in alike]
    if alike:
        parts.append(partial(draw_notes, ABOUT_TRIGRAMS))
    parts.append(draw_odds(matcher, judged.evidence))
    return stack_parts(parts, title=title_of(judged.probability, title))


def draw_odds(matcher: NameMatcher, evidence: Evidence) -> Draw:
    """The log odds by what they consist of."""
    if not evidence.first or not evidence.second:
        return partial(draw_notes, "A name without words is like no other.")
    bars = bars_of(*matcher.contributions(evidence))
    odds = sum(bar.value for bar in bars)
    about = f"Evidence for one name (right) and against it (left): log odds of {odds:.2f} in all"
    return partial(draw_bars, bars, about)


def svg_of_readings(match: Match, *, title: str = "", max_nodes: int = MAX_STATES) -> str:
    """Two Japanese names, and the likeliest readings that they share."""
    rows = rows_of_readings(match)
    check_size(rows, (), max_nodes)
    how = f"order: {match.order}; extent: {match.extent}; writing: {match.writing}"
    parts: list[Draw] = [partial(draw_words, rows), partial(draw_notes, how)]
    bars = [Bar(reading, share) for reading, share in match.readings]
    if bars:
        about = "Readings that both have, and how probable each is of both"
        parts.append(partial(draw_bars, bars, about))
    elif match.why:
        parts.append(partial(draw_notes, match.why))
    return stack_parts(parts, title=title_of(match.score, title))


def check_size(rows: WordRows, alike: Sequence[AlikeWords], most: int) -> None:
    size = sum(map(len, rows.words)) + sum(len(words.columns) for words in alike)
    if size > most:
        raise GlyphoneError(
            f"{size:,} words and trigrams are too much for a picture, which holds {most:,}",
            stage="drawing a match",
            remedy=f"draw shorter names, or ask for --max-states {size}",
        )


def title_of(probability: float, title: str) -> str:
    """The title that was asked for, and the probability.

    >>> title_of(0.25, ""), title_of(0.25, "Ana")
    ('One name: probability 0.25', 'Ana: probability 0.25')
    """
    return f"{title or 'One name'}: probability {probability:.4g}"


def stack_parts(parts: Sequence[Draw], *, title: str) -> str:
    """Parts of a picture, one below the other."""
    rows: list[str] = []
    right, bottom = 0.0, MARGIN
    for draw in parts:
        block = draw(bottom)
        rows += block.rows
        right, bottom = max(right, block.right), block.bottom + LINE
    return draw_sheet(rows, right + MARGIN, bottom, title=title)
