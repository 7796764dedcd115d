"""glyphone run: a pipeline on every line of a file."""

from __future__ import annotations

import argparse
import sys

HELP = "run a pipeline of stages on every line of a file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from glyphone.cli.arguments.types import positive

    parser.add_argument("pipeline", metavar="PIPELINE", help="a TOML file, or a saved pipeline")
    parser.add_argument(
        "input", nargs="?", help="one text per line, or Parquet (default, and -: stdin)"
    )
    parser.add_argument("-o", "--output", default="-", help="- is stdout; .gz is compressed")
    parser.add_argument(
        "--read", choices=("tsv", "jsonl"), help="the form of the input (default: by its name)"
    )
    parser.add_argument(
        "--format",
        choices=("tsv", "jsonl", "parquet"),
        help="of the results (default: by the name of OUTPUT)",
    )
    parser.add_argument("--jobs", type=positive, metavar="N", help="threads (default: all cores)")
    parser.add_argument(
        "--errors", metavar="FILE", help="failed items (default: OUTPUT.errors.tsv, or stderr)"
    )
    parser.add_argument("--resume", action="store_true", help="go on where a stopped run ended")
    parser.add_argument(
        "--save", metavar="FILE", help="put PIPELINE and its models into one; run it only on INPUT"
    )
    parser.add_argument(
        "--profile",
        action="store_true",
        help="list the items, candidates and seconds of each stage",
    )


def run(arguments: argparse.Namespace) -> int:
    from glyphone.batch.job import format_of
    from glyphone.pipelines import pipeline, profile
    from glyphone.pipelines.run import RunJob, form_of, run_pipeline, save_pipeline

    loaded = pipeline.load(arguments.pipeline)
    source = arguments.input or "-"
    job = RunJob(
        source=source,
        output=arguments.output,
        errors=arguments.errors,
        model=arguments.pipeline,
        format=format_of(
            arguments.format, source, arguments.output, form_of(None, arguments.output)
        ),
        reads=form_of(arguments.read, source),
    )
    if arguments.save:
        save_pipeline(loaded, arguments.save, job)
        if arguments.input is None:
            return 0
    failed, counts = run_pipeline(loaded, job, jobs=arguments.jobs, resume=arguments.resume)
    if arguments.profile:
        print(profile.profile_page(loaded.names, counts), file=sys.stderr)
    return 1 if failed else 0
