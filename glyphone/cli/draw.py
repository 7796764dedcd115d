"""glyphone draw: a picture of a transducer, or of all outputs of one item."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HELP = "draw a transducer, or all outputs of one item, as SVG, PNG or DOT"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL[:RULE]", help="an archive or grammar, and a rule")
    parser.add_argument("-o", "--output", default="-", help="FILE.svg, .png or .dot; - is stdout")
    parser.add_argument("--item", help="draw what becomes of this item, instead of everything")
    parser.add_argument("--kind", choices=("svg", "png", "dot"), help="if the name does not say")
    parser.add_argument("--stage", type=int, default=1, help="of a cascade kept in several")
    parser.add_argument("--title", default="")
    parser.add_argument("--max-states", type=int, default=300, metavar="N")
    parser.add_argument("--max-arcs", type=int, default=1000, metavar="N")
    parser.add_argument("--fonts", action="append", default=[], metavar="FOLDER", help="for PNG")


def run(arguments: argparse.Namespace) -> int:
    from glyphone import catalog, drawing, graphs

    model = catalog.load(arguments.model)
    options = {
        "title": arguments.title,
        "max_states": arguments.max_states,
        "max_arcs": arguments.max_arcs,
    }
    if arguments.item is not None:
        graph = graphs.graph_of_item(model, arguments.item, **options)
    else:
        graph = graphs.graph_of_machine(model.stage(arguments.stage), **options)
    kind = arguments.kind or Path(arguments.output).suffix.lstrip(".") or "svg"
    content = drawing.picture(graph, kind, font_dirs=[Path(folder) for folder in arguments.fonts])
    if arguments.output == "-":
        sys.stdout.buffer.write(content)
    else:
        Path(arguments.output).write_bytes(content)
    return 0
