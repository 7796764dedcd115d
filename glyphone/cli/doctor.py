"""glyphone doctor: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import argparse

HELP = "list what is installed, which grammars are found, and how to get what is missing"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--warm",
        action="store_true",
        help="compile now what training models and answering many words will need",
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.warm:
        from glyphone.installation import warming

        print(warming.warm_kernels())
        return 0

    from glyphone.installation import health

    report = health.examine_installation()
    print(report)
    return 0 if report.sound else 2
