"""glyphone apply: a transducer on every line of a file."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.stream import add_stream_options, exit_code, files_of
from glyphone.cli.arguments.types import positive

HELP = "apply a model or transducer to every line of a file"
NAMES_ARE = "of a model of Japanese names: all items are of one kind, surname or given"
PROMOTE = "WORD<TAB>ANSWER: what stands here goes to the top if it is among the ten best of MODEL"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL[:RULE]", help="a model, archive or grammar")
    parser.add_argument(
        "input", nargs="?", default="-", help="one item per line, or Parquet; - is stdin"
    )
    add_stream_options(parser)
    parser.add_argument("--nbest", type=positive, default=1, metavar="N", help="answers per item")
    parser.add_argument(
        "--column",
        metavar="N",
        help="where items stand, the others being kept: a number from 1, or a name in Parquet",
    )
    parser.add_argument(
        "--lexicon", metavar="FILE", help="WORD<TAB>PRONUNCIATION: words to look up before MODEL"
    )
    parser.add_argument(
        "--weight-column", type=positive, metavar="N", help="of the lexicon, such as counts"
    )
    parser.add_argument(
        "--provenance-column",
        type=positive,
        metavar="N",
        help="of the lexicon: the sources of its entries, written with the answers",
    )
    parser.add_argument("--promote", metavar="FILE", help=PROMOTE)
    parser.add_argument("--names-are", metavar="KIND", help=NAMES_ARE)
    parser.add_argument(
        "--unknown",
        choices=("fail", "pass", "skip"),
        default="fail",
        help="items with symbols that MODEL does not know: they fail (default), or the symbols "
        "are copied to the output, or left out; such answers are marked",
    )
    parser.add_argument(
        "--exact", action="store_true", help="prove the best answers of a learned model: no beam"
    )


def run(arguments: argparse.Namespace) -> int:
    from glyphone.batch.job import Job
    from glyphone.batch.run import run_job
    from glyphone.catalog import names as catalog_names

    job = Job(
        **files_of(arguments, arguments.input),
        model=arguments.model,
        n=arguments.nbest,
        column=arguments.column,
        lexicon=arguments.lexicon,
        weight_column=arguments.weight_column,
        provenance_column=arguments.provenance_column,
        promote=arguments.promote,
        unknown=arguments.unknown,
    )
    model = catalog_names.load(arguments.model)
    model = model if arguments.names_are is None else model.of_kind(arguments.names_are)
    model = model.exact() if arguments.exact else model
    return exit_code(run_job(model, job, jobs=arguments.jobs, resume=arguments.resume))
