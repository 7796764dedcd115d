"""Options of the verbs that read a stream of items, their files, and their exit code.

>>> parser = argparse.ArgumentParser()
>>> add_stream_options(parser, items="pairs")
>>> files_of(parser.parse_args(["-o", "out.parquet"]), "in.parquet")["format"]
'parquet'
"""

from __future__ import annotations

import argparse
from typing import Any

from glyphone.cli.arguments.types import positive
from glyphone.io.formats import PARQUET, TEXT_FORMATS, result_format


def add_stream_options(
    parser: argparse.ArgumentParser, *, items: str = "items", default: str = "tsv"
) -> None:
    """Adds -o, --format, --jobs, --errors and --resume; `items` is the word for what may fail."""
    parser.add_argument("-o", "--output", default="-", help="- is stdout; .gz is compressed")
    parser.add_argument(
        "--format",
        choices=(*TEXT_FORMATS, PARQUET),
        help=f"of the results (default: by the name of a file, such as out.jsonl, else {default})",
    )
    parser.add_argument("--jobs", type=positive, metavar="N", help="workers (default: all cores)")
    parser.add_argument(
        "--errors", metavar="FILE", help=f"failed {items} (default: OUTPUT.errors.tsv, or stderr)"
    )
    parser.add_argument("--resume", action="store_true", help="go on where a stopped run ended")


def files_of(arguments: argparse.Namespace, source: str, default: str = "tsv") -> dict[str, Any]:
    """The files and the format that the options name, as fields of `glyphone.batch.job.Files`."""
    return {
        "source": source,
        "output": arguments.output,
        "errors": arguments.errors,
        "format": result_format(arguments.format, source, arguments.output, default),
    }


def exit_code(failed: int) -> int:
    """1 if an item failed, else 0."""
    return 1 if failed else 0
