"""Formats of rows, as the names of files say them.

>>> result_format(None, "names.parquet", "out.parquet"), result_format(None, "names.tsv", "-")
('parquet', 'tsv')
"""

from __future__ import annotations

PARQUET = "parquet"
TEXT_FORMATS = ("tsv", "jsonl")


def result_format(given: str | None, source: str, output: str, default: str = "tsv") -> str:
    """The format of results: the one that is asked for, or that of the names of the files."""
    named = any(path.lower().endswith(f".{PARQUET}") for path in (source, output))
    return given or (PARQUET if named else text_format(output, default))


def text_format(path: str, default: str) -> str:
    """The format of text that the name of a file says it has.

    >>> text_format("in.jsonl.gz", "tsv"), text_format("-", "tsv"), text_format("x.TSV", "jsonl")
    ('jsonl', 'tsv', 'tsv')
    """
    ending = path.lower().removesuffix(".gz").rpartition(".")[2]
    return ending if ending in TEXT_FORMATS else default
