"""Files of word classes, in the format of Brown clusters: BITS<TAB>WORD<TAB>COUNT in each line.

WORD<TAB>BITS is read, too, where counts are not known. `<unk:U>` is the word that stands for the
rare ones of the shape U.

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/classes.tsv.gz"
>>> write_clusters(Clusters({"Lima": "01", "ve": "1"}, {"Lima": 2, "ve": 3}), path)
>>> found = read_clusters(path)
>>> found.bits, found.counts
({'Lima': '01', 've': '1'}, {'Lima': 2, 've': 3})
"""

from __future__ import annotations

import re

from glyphone.data import progress
from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.lines import Source, is_text, open_text_output, read_lines
from glyphone.learners.sequences.clusters import Clusters

BITS, NUMBER = re.compile("[01]+"), re.compile("[0-9]+")
# A word in a cell and a line of its own.
WORD = re.compile(r"[^\t\r\n]+")
REMEDY = "write BITS<TAB>WORD<TAB>COUNT or WORD<TAB>BITS, bits as in 0110"


def read_clusters(path: Source) -> Clusters:
    """The classes of a file, `-` or `.gz`."""
    bits: dict[str, str] = {}
    counts: dict[str, int] = {}
    for number, line in progress.steps(read_lines(path), f"reading {path}"):
        if not line.strip():
            continue
        word, found, count = _parse_line(line, number, path)
        if bits.setdefault(word, found) != found:
            message = f"{word!r} has the classes {bits[word]} and {found}"
            raise FormatError(message, path=path, line=number, item=line, remedy="leave one out")
        if count is not None:
            counts[word] = count
    if not bits:
        raise FormatError("there is no word in it", path=path, remedy=REMEDY)
    return Clusters(bits, counts)


def _parse_line(line: str, number: int, path: Source) -> tuple[str, str, int | None]:
    """A word, its bits, and its count if there is one."""
    cells = line.split("\t")
    bits, word = cells[:2] if len(cells) == 3 else (cells[-1], cells[0])
    count = cells[2] if len(cells) == 3 else None
    message, remedy = "", REMEDY
    if len(cells) not in (2, 3):
        message = f"{len(cells)} cells where 2 or 3 are known"
    elif not word:
        message = "the word is empty"
    elif not BITS.fullmatch(bits):
        message = f"{bits!r} is no string of bits"
    elif count is not None and not NUMBER.fullmatch(count):
        message, remedy = f"{count!r} is no count", "write a whole number"
    elif not is_text(line):
        message, remedy = "not UTF-8", "convert it: iconv -f ISO-8859-1 -t UTF-8 OLD > NEW"
    if message:
        raise FormatError(message, path=path, line=number, item=line, remedy=remedy)
    return word, bits, None if count is None else int(count)


def write_clusters(clusters: Clusters, path: Source) -> None:
    """Writes the words by class, then by count; words without counts as WORD<TAB>BITS."""
    counts = clusters.counts
    order = sorted(clusters.bits, key=lambda word: (clusters.bits[word], -counts.get(word, 0)))
    for word in order:
        if not WORD.fullmatch(word):
            remedy = "leave out words with tabs or line ends"
            raise GlyphoneError("a file could not hold it", item=word, path=path, remedy=remedy)
    with open_text_output(path) as output:
        for word in order:
            bits = clusters.bits[word]
            known = word in counts
            output.write(f"{bits}\t{word}\t{counts[word]}\n" if known else f"{word}\t{bits}\n")
