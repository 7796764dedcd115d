"""glyphone run: a pipeline on every line of a file."""

from __future__ import annotations

import argparse
import sys

from glyphone.cli.arguments.stream import add_stream_options, exit_code, files_of

HELP = "run a pipeline of stages on every line of a file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pipeline", metavar="PIPELINE", help="a TOML file, or a saved pipeline")
    parser.add_argument(
        "input", nargs="?", help="one text per line, or Parquet (default, and -: stdin)"
    )
    add_stream_options(parser)
    parser.add_argument(
        "--read", choices=("tsv", "jsonl"), help="the form of the input (default: by its name)"
    )
    parser.add_argument(
        "--save", metavar="FILE", help="put PIPELINE and its models into one; run it only on INPUT"
    )
    parser.add_argument(
        "--profile",
        action="store_true",
        help="list the items, candidates and seconds of each stage",
    )


def run(arguments: argparse.Namespace) -> int:
    from glyphone.io.formats import text_format
    from glyphone.pipelines import pipeline, profile
    from glyphone.pipelines.run import RunJob, run_pipeline, save_pipeline

    loaded = pipeline.load(arguments.pipeline)
    source = arguments.input or "-"
    job = RunJob(
        **files_of(arguments, source),
        model=arguments.pipeline,
        reads=arguments.read or text_format(source, "tsv"),
    )
    if arguments.save:
        save_pipeline(loaded, arguments.save, job)
        if arguments.input is None:
            return 0
    failed, counts = run_pipeline(loaded, job, jobs=arguments.jobs, resume=arguments.resume)
    if arguments.profile:
        print(profile.profile_page(loaded.names, counts), file=sys.stderr)
    return exit_code(failed)
