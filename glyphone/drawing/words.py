"""The picture of one word: how its entries in a lexicon are aligned.

A lexicon is aligned with the options of `glyphone.alignments.align.aligner_options`; the output of
`glyphone align` is drawn as it stands.

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/lexicon.tsv"
>>> with open(path, "w") as file:
...     _ = file.write("phi\\tf i\\nhi\\th i\\nha\\th a\\npha\\tf a\\n")
>>> svg = picture_of_word(path, "phi", "svg").decode()
>>> svg.count('<g class="unit">'), "p␣h" in svg, ">phi → f i " in svg
(2, False, True)
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from glyphone.alignments.align import aligner_options
from glyphone.alignments.rows import read_alignments
from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.lexicons.tsv import read_lexicon
from glyphone.data.parallel import available_cores
from glyphone.data.records import Pair
from glyphone.data.writing import LETTERS, PHONES
from glyphone.drawing import formats as drawing_formats
from glyphone.drawing.alignments import AlignmentRow, graph_of_alignments, row_of, to_svg
from glyphone.drawing.graphs import MAX_ARCS, MAX_STATES
from glyphone.fst.alignment.training import AlignmentModel, fit

log = logging.getLogger("glyphone")


def picture_of_word(
    path: str,
    word: str,
    kind: str,
    *,
    target: str | None = None,
    beam: float | None = None,
    title: str = "",
    max_states: int = MAX_STATES,
    max_arcs: int = MAX_ARCS,
    font_dirs: Sequence[Path] = (),
) -> bytes:
    """The best alignment of each entry of a word in a lexicon, or of the word with a target.

    With a beam, in nats, it is the lattice of all alignments that are so near to the best one.
    """
    model, pairs = fit_lexicon(path)
    if target is None:
        wanted = list(dict.fromkeys(pair for pair in pairs if is_spelt(pair, word)))
    else:
        wanted = [Pair(LETTERS.split(word).symbols, PHONES.split(target).symbols)]
    if not wanted:
        raise unknown_entry(path, word, pairs)
    if beam is None:
        rows = [row_of(model, pair) for pair in wanted]
        return picture_of_svg(to_svg(rows, title=title), kind, font_dirs=font_dirs)
    if len(wanted) > 1:
        targets = ", ".join(repr(" ".join(pair.target)) for pair in wanted)
        remedy = f"choose one by --target: {targets}"
        raise GlyphoneError(
            f"a lattice is of one entry, and there are {len(wanted)}", item=word, remedy=remedy
        )
    graph = graph_of_alignments(
        model,
        wanted[0],
        beam=beam,
        title=title or " → ".join([word, " ".join(wanted[0].target)]),
        max_states=max_states,
        max_arcs=max_arcs,
    )
    return drawing_formats.picture_of_graph(graph, kind, font_dirs=font_dirs)


def picture_of_aligned(
    path: str,
    word: str,
    kind: str,
    *,
    target: str | None = None,
    title: str = "",
    font_dirs: Sequence[Path] = (),
) -> bytes:
    """All alignments of a word in a file that `glyphone align` wrote as TSV."""
    found = list(read_alignments(path))
    rows = [
        AlignmentRow(
            ranked.alignment,
            f"{word} → {' '.join(pair.target)}  (ln P {ranked.log_probability:.4g}, "
            f"posterior {ranked.posterior:.3g})",
        )
        for _, pair, ranked in found
        if is_spelt(pair, word) and target in (None, " ".join(pair.target))
    ]
    if not rows:
        raise unknown_entry(path, word, [pair for _, pair, _ in found], target=target)
    return picture_of_svg(to_svg(list(dict.fromkeys(rows)), title=title), kind, font_dirs=font_dirs)


def fit_lexicon(path: str) -> tuple[AlignmentModel, list[Pair]]:
    """A model of a lexicon, and its entries; what cannot be read is only counted here."""
    refused: list[FormatError] = []
    pairs = list(read_lexicon(path, on_error=refused.append))
    if refused:
        log.warning("lines left out: %d, the first of them: %s", len(refused), refused[0])
    return fit(pairs, aligner_options(), jobs=available_cores()), pairs


def is_spelt(pair: Pair, word: str) -> bool:
    """Whether a word as a user types it is the source of a pair, whatever its units."""
    return LETTERS.convert(word) in ("".join(pair.source), " ".join(pair.source))


def unknown_entry(
    path: str, word: str, pairs: Sequence[Pair], *, target: str | None = None
) -> GlyphoneError:
    targets = [" ".join(pair.target) for pair in pairs if is_spelt(pair, word)]
    if target is not None and targets:
        return UnknownName(f"pronunciation of {word!r}", target, targets, path=path)
    return UnknownName("entry", word, {"".join(pair.source) for pair in pairs}, path=path)


def picture_of_svg(svg: str, kind: str, *, font_dirs: Sequence[Path]) -> bytes:
    if kind == "svg":
        return svg.encode()
    if kind == "png":
        return drawing_formats.to_png(svg, font_dirs=font_dirs)
    raise UnknownName("kind of picture of an alignment", kind, ["png", "svg"])
