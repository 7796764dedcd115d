"""glyphone doctor: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import argparse

HELP = "list packages, grammars, models and caches, and how to get what is missing"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--warm",
        action="store_true",
        help="compile now what training models and answering many words will need",
    )
    parser.add_argument(
        "--all", action="store_true", help="give each grammar, with its rules, and model a row"
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.warm:
        from glyphone.installation import warming

        print(warming.warm_kernels())
        return 0

    from glyphone.installation import health

    report = health.examine_installation()
    print(report.page(in_full=arguments.all))
    return 0 if report.sound else 2
