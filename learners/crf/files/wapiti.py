"""Text models of Wapiti (Lavergne, Cappé and Yvon 2010), read and written.

A line `#mdl#2#N` begins a conditional random field with N weights. Then come `#rdr#P/COLUMNS/0` and
P patterns, `#qrk#Y` and Y labels, `#qrk#B` and B tests, each as its length in bytes, a colon, and
itself with a comma; then the weights, NUMBER=VALUE in hexadecimal digits. Numbers count test by
test: those of each label where it begins with u or *, then, with b or *, those of each pair.

>>> import tempfile
>>> tagger = SequenceCRF(templates="u:%x[0,0]\\nb").fit([["a", "b"]] * 9, [["A", "B"]] * 9)
>>> path = tempfile.mkdtemp() + "/wapiti.model"
>>> write_wapiti(tagger, path)
>>> read_wapiti(path).predict([["a", "b", "a"]]) == tagger.predict([["a", "b", "a"]])
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Sequence as Many
from typing import Any

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.lines import Source, open_text_output, read_lines
from glyphone.data.records import Sequence
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.crf.files.listed import WeightList
from glyphone.learners.sequences.patterns import parse_patterns

CRF = 2
REMEDY = "copy it again; it is a file that `wapiti train` writes"
_WEIGHT = re.compile(r"(\d+)=(-?0x[\da-f.]+p[-+]\d+)")
_COLUMN = re.compile(r"%[xXtTmM]\[\s*@?-?\d+\s*,\s*(\w+)")

Lines = Iterator[tuple[int, str]]
Function = Callable[[Sequence], Any]


def read_wapiti(path: Source, *, templates: str | Function | None = None) -> SequenceCRF:
    """The learner of a model; `templates` for one that has no patterns, of which tests were given.

    Options of training, which are not in the file, have their defaults.
    """
    lines = read_lines(path)
    _, n_weights = _read_head(lines, r"#mdl#(?:(\d+)#)?(\d+)", path, kind=CRF)
    n_patterns, *_ = _read_head(lines, r"#rdr#(\d+)/(\d+)(?:/\d+)?", path)
    patterns = "\n".join(_read_texts(lines, n_patterns, path))
    labels = _read_texts(lines, _read_head(lines, r"#qrk#(\d+)", path)[0], path)
    tests = _read_texts(lines, _read_head(lines, r"#qrk#(\d+)", path)[0], path)
    found = WeightList(tuple(labels), [], [])
    _read_weights(lines, n_weights, labels, tests, found, path)
    looked = patterns or templates
    if not looked:
        remedy = "give templates: a function that gives each token its tests"
        raise FormatError("has no patterns", path=path, remedy=remedy)
    return SequenceCRF.of(found.model(), templates=looked)


def _read_head(
    lines: Lines, form: str, path: Source, *, kind: int | None = None
) -> tuple[int, ...]:
    """The numbers of a line of a form."""
    number, text = next(lines, (0, ""))
    match = re.fullmatch(form, text.rstrip("\r"))
    if match is None:
        raise FormatError("is no model of Wapiti", path=path, line=number, item=text, remedy=REMEDY)
    found = tuple(int(group or 0) for group in match.groups())
    if kind is not None and match[1] is not None and found[0] != kind:
        message = "is a maxent or MEMM of Wapiti, no conditional random field"
        raise FormatError(message, path=path, remedy="train it with --type crf")
    return found


def _read_texts(lines: Lines, n: int, path: Source) -> list[str]:
    """The next n texts, whose lengths are checked."""
    found = []
    for _ in range(n):
        number, line = next(lines, (0, ""))
        size, colon, text = line.partition(":")
        length = len(text.encode("utf-8", "surrogateescape")) - 1
        if not colon or not text.endswith(",") or size != str(length):
            message = "is no text with its length"
            raise FormatError(message, path=path, line=number, item=line, remedy=REMEDY)
        found.append(text[:-1])
    return found


def _read_weights(
    lines: Lines, n: int, labels: Many[str], tests: Many[str], found: WeightList, path: Source
) -> None:
    """Adds the weights to the list of their tests and labels."""
    size, starts, total = len(labels), [], 0
    for test in tests:
        starts.append(total)
        total += _weights_of_test(test, size)
    place, count = 0, 0
    for number, line in lines:
        match = _WEIGHT.fullmatch(line)
        if match is None or not int(match[1]) < total:
            message = f"is no weight of {total}"
            raise FormatError(message, path=path, line=number, item=line, remedy=REMEDY)
        k, value = int(match[1]), float.fromhex(match[2])
        if k < starts[place]:
            place = 0
        while place + 1 < len(starts) and starts[place + 1] <= k:
            place += 1
        test, cell = tests[place], k - starts[place]
        if test[0] != "b" and cell < size:
            found.unigrams.append((test, labels[cell], value))
        else:
            before, after = divmod(cell - (test[0] == "*") * size, size)
            found.bigrams.append((test, labels[before], labels[after], value))
        count += 1
    if count != n:
        raise FormatError(f"has {count} weights instead of {n}", path=path, remedy=REMEDY)


def _weights_of_test(test: str, labels: int) -> int:
    """The number of weights of a test."""
    return (test[0] != "b") * labels + (test[0] != "u") * labels * labels


def write_wapiti(learner: SequenceCRF, path: Source) -> None:
    """Writes the model of a learner, with its patterns, if they are patterns."""
    listed = WeightList.of(learner.model_)
    patterns = patterns_of(learner)
    number = {label: k for k, label in enumerate(listed.labels)}
    size, starts, total = len(number), dict[str, int](), 0
    tests = [*(row[0] for row in listed.unigrams), *(row[0] for row in listed.bigrams)]
    for test in dict.fromkeys(tests):
        starts[test] = total
        total += _weights_of_test(test, size)
    weights = [(starts[test] + number[y], w) for test, y, w in listed.unigrams]
    for test, x, y, weight in listed.bigrams:
        shift = (test[0] == "*") * size
        weights.append((starts[test] + shift + number[x] * size + number[y], weight))
    columns = max((int(name) for text in patterns for name in _COLUMN.findall(text)), default=0)
    with open_text_output(path) as output:
        output.write(f"#mdl#{CRF}#{len(weights)}\n#rdr#{len(patterns)}/{columns}/0\n")
        output.write("".join(map(_with_length, patterns)))
        for texts in (listed.labels, starts):
            output.write(f"#qrk#{len(texts)}\n" + "".join(map(_with_length, texts)))
        output.write("".join(f"{k}={weight.hex()}\n" for k, weight in sorted(weights)))


def patterns_of(learner: SequenceCRF) -> list[str]:
    """The patterns of a learner as Wapiti wants them, with columns by number."""
    if callable(learner.templates):
        return []
    texts = [learner.templates] if isinstance(learner.templates, str) else learner.templates
    found = [str(pattern) for text in texts for pattern in parse_patterns(text)]
    for text in found:
        for name in _COLUMN.findall(text):
            if not name.isdecimal():
                remedy = "train with columns by number: 0 for tokens, 1 for what follows"
                message = f"Wapiti knows no column {name!r}"
                raise GlyphoneError(message, item=text, remedy=remedy)
    return found


def _with_length(text: str) -> str:
    return f"{len(text.encode('utf-8', 'surrogateescape'))}:{text},\n"
