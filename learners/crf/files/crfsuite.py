"""Text models of CRFsuite (Okazaki 2007), as `crfsuite dump` and its Python binding write them.

CRFsuite has weights of attributes with a label, and of pairs of labels alone. An attribute `a` is
the test `ua`, and pairs have the test `b`. Its text has six digits of each weight.

>>> import tempfile
>>> sentences, tags = [["a", "b"], ["b", "a"]] * 9, [["A", "B"], ["B", "A"]] * 9
>>> tagger = SequenceCRF(templates="u:%x[0,0]\\nb", rho1=0.1).fit(sentences, tags)
>>> path = tempfile.mkdtemp() + "/dump.txt"
>>> write_crfsuite(tagger, path)
>>> [line.strip()[:13] for _, line in read_lines(path) if ":a -->" in line]
['(0) :a --> A:', '(0) :a --> B:']
>>> read_crfsuite(path, templates="u:%x[0,0]\\nb").predict([["b", "a"]])
[('B', 'A')]
"""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Set as AnySet
from typing import Any

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.lines import Source, open_text_output, read_lines
from glyphone.data.records import Sequence
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.crf.files.listed import WeightList

BARE = "b"
ARROW = " --> "
REMEDY = "copy it again; it is a file that `crfsuite dump` writes"
_HEAD = re.compile(r"([A-Z_]+) = \{")
_NAMED = re.compile(r" *(\d+): (.*)")
_WEIGHT = re.compile(r"  \(([01])\) (.*): (-?\d+\.\d+)")


def read_crfsuite(path: Source, *, templates: str | Callable[[Sequence], Any]) -> SequenceCRF:
    """The learner of a model, with the templates that its attributes come from.

    They give tests of labels, `u` before each attribute, and the bare `b`.
    """
    part, labels, attributes = "", dict[str, None](), dict[str, None]()
    found = WeightList((), [], [])
    for number, line in read_lines(path):
        head = _HEAD.fullmatch(line)
        if head or line in ("", "}"):
            part = head[1] if head else ""
            continue
        named, weight = _NAMED.fullmatch(line), _WEIGHT.fullmatch(line)
        before = after = None
        if weight:
            known = labels if weight[1] == "1" else attributes
            before, after = _split_at_arrow(weight[2], known.keys(), labels.keys())
        if part in ("LABELS", "ATTRIBUTES") and named:
            (labels if part == "LABELS" else attributes)[named[2]] = None
        elif part == "TRANSITIONS" and weight and before is not None and after is not None:
            found.bigrams.append((BARE, before, after, float(weight[3])))
        elif part == "STATE_FEATURES" and weight and before is not None and after is not None:
            found.unigrams.append((f"u{before}", after, float(weight[3])))
        elif part != "FILEHEADER":
            message = "is no line of a model of CRFsuite"
            raise FormatError(message, path=path, line=number, item=line, remedy=REMEDY)
    if not labels:
        raise FormatError("is no model of CRFsuite", path=path, remedy=REMEDY)
    model = WeightList(tuple(labels), found.unigrams, found.bigrams).model()
    return SequenceCRF.of(model, templates=templates)


def _split_at_arrow(
    text: str, firsts: AnySet[str], seconds: AnySet[str]
) -> tuple[str | None, str | None]:
    """The two sides of an arrow; none if they are not known.

    >>> _split_at_arrow("a --> b --> c", {"a --> b"}, {"c"})
    ('a --> b', 'c')
    """
    cut = text.find(ARROW)
    while cut >= 0:
        before, after = text[:cut], text[cut + len(ARROW) :]
        if before in firsts and after in seconds:
            return before, after
        cut = text.find(ARROW, cut + 1)
    return None, None


def write_crfsuite(learner: SequenceCRF, path: Source) -> None:
    """Writes the model of a learner whose pairs of labels go with no test but the bare one."""
    listed = WeightList.of(learner.model_)
    tests = dict.fromkeys(test for test, *_ in listed.bigrams)
    if len(tests) > 1 or any(len(test) > 1 and test[1:].strip(":") for test in tests):
        some = next(test for test in tests if test != BARE)
        raise GlyphoneError(
            "CRFsuite has weights of pairs of labels alone, without a test",
            item=some,
            remedy="train with one pattern of pairs, b, or write_wapiti it",
        )
    number = {label: k for k, label in enumerate(listed.labels)}
    attributes = {t: k for k, t in enumerate(dict.fromkeys(t[1:] for t, *_ in listed.unigrams))}
    n = len(listed.unigrams) + len(listed.bigrams)
    with open_text_output(path) as output:
        output.write("FILEHEADER = {\n  magic: lCRF\n  type: FOMC\n  version: 100\n")
        output.write(f"  num_features: {n}\n  num_labels: {len(number)}\n")
        output.write(f"  num_attrs: {len(attributes)}\n}}\n\n")
        for head, names in (("LABELS", number), ("ATTRIBUTES", attributes)):
            rows = "".join(f"  {k:>5}: {name}\n" for name, k in names.items())
            output.write(f"{head} = {{\n{rows}}}\n\n")
        rows = "".join(f"  (1) {x}{ARROW}{y}: {w:f}\n" for _, x, y, w in listed.bigrams)
        output.write(f"TRANSITIONS = {{\n{rows}}}\n\n")
        rows = "".join(f"  (0) {t[1:]}{ARROW}{y}: {w:f}\n" for t, y, w in listed.unigrams)
        output.write(f"STATE_FEATURES = {{\n{rows}}}\n\n")
