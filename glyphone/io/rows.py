"""The rows that a batch writes: answers as TSV or JSON Lines, and failed items.

>>> from glyphone.fst.interface.answers import Answers
>>> answers = Answers(["kˈasa"], [0.0], [1.0], [0, 1], frozenset(), {})
>>> as_tsv(["casa"], answers)
'casa\\tkˈasa\\t1\\n'
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import pairwise

from glyphone.data.errors import ItemError
from glyphone.fst.interface.answers import Answers

ERROR_HEADER = "line\titem\tstage\toffset\tsymbol\tcode point\tmessage\tremedy\n"
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def as_tsv(items: Sequence[str], answers: Answers) -> str:
    """`input<TAB>output<TAB>posterior`, then the stage that answered where there are several.

    A column more is `truncated` for what a budget cut short, and another `unknown:` with the
    symbols that the model does not know. In outputs, what would end a column or a row is written
    \\t, \\n, \\r, and \\ is written twice; among unknown symbols a space is \\s. An
    item may be the whole line that it stands in.
    """
    firsts = answers.firsts
    counts = [last - first for first, last in pairwise(firsts)]
    numbers = [number for number, count in enumerate(counts) for _ in range(count)]
    shares = ["1" if share == 1 else f"{share:.6g}" for share in answers.posteriors]
    marks = answers.sources is not None or answers.truncated or answers.unknown
    for k, number in enumerate(numbers if marks else ()):
        shares[k] += extra_columns(number, answers)
    rows = zip(numbers, escape_outputs(answers.outputs), shares, strict=True)
    return "".join([f"{items[number]}\t{output}\t{share}\n" for number, output, share in rows])


def extra_columns(number: int, answers: Answers) -> str:
    """The further columns of an item: its stage, `truncated`, and unknown symbols."""
    source = "" if answers.sources is None else f"\t{answers.sources[number].translate(ESCAPES)}"
    truncated = "\ttruncated" if number in answers.truncated else ""
    symbols = answers.unknown.get(number)
    return source + truncated + (f"\tunknown:{list_symbols(symbols)}" if symbols else "")


def list_symbols(symbols: Sequence[str]) -> str:
    """Symbols with a space between them."""
    return " ".join(symbol.translate(ESCAPES).replace(" ", "\\s") for symbol in symbols)


def escape_outputs(outputs: Sequence[str]) -> Sequence[str]:
    # Looking once through all of them is cheaper than translating each.
    everything = "".join(outputs)
    if not any(character in everything for character in "\\\t\n\r"):
        return outputs
    return [output.translate(ESCAPES) for output in outputs]


def as_jsonl(
    items: Sequence[str], answers: Answers, *, columns: Sequence[Sequence[str]] | None = None
) -> str:
    """One object for each item that has an answer, with the columns of its line if given."""
    rows = []
    for number, item in enumerate(items):
        hypotheses = [
            {
                "output": hypothesis.output,
                "posterior": hypothesis.posterior,
                "cost": hypothesis.cost,
                "symbols": hypothesis.symbols,
                "spans": hypothesis.spans,
                "truncated": hypothesis.truncated,
            }
            | ({"source": hypothesis.source} if answers.sources else {})
            | ({"unknown": hypothesis.unknown} if hypothesis.unknown else {})
            for hypothesis in answers.hypotheses(number)
        ]
        if hypotheses:
            kept = {} if columns is None else {"columns": columns[number]}
            row = {"input": item, **kept, "hypotheses": hypotheses}
            rows.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(rows)


FORMATS: dict[str, Callable[[Sequence[str], Answers], str]] = {"tsv": as_tsv, "jsonl": as_jsonl}


def error_row(line: int, item: str, error: ItemError) -> str:
    """A failed item with everything that is known of it; what would garble a row is escaped."""
    symbol = error.symbol or ""
    fields = [
        str(line),
        item,
        error.stage or "",
        "" if error.offset is None else str(error.offset),
        symbol,
        " ".join(f"U+{ord(character):04X}" for character in symbol),
        error.message,
        error.remedy or "",
    ]
    return "\t".join(map(printable_field, fields)) + "\n"


def printable_field(field: str) -> str:
    """A field without anything that ends a field or a line, or is not text."""
    if field.isprintable():
        return field
    return "".join(
        character if character.isprintable() or character == " " else repr(character)[1:-1]
        for character in field
    )
