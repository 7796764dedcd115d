"""glyphone draw: a picture of a transducer, item, alignment, tree, sentence, match, training."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from glyphone.cli.arguments.types import nats, natural

HELP = "draw a transducer, an item, an alignment, a tree, a sentence, a match, as SVG, PNG or DOT"

# A learned model has some way from almost any word to any output; few are worth a look.
LEARNED_BEAM = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "model",
        metavar="MODEL[:RULE]",
        nargs="?",
        help="an archive or grammar, and a rule; a model file; a lexicon; a treebank; or, with "
        "--match, a matcher (default there: matcher); of a learner of labels, its training",
    )
    parser.add_argument(
        "-o", "--output", default="-", help="FILE.svg, .png or .dot, or .html of voicemail"
    )
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--item", help="draw what becomes of this item, instead of everything")
    part.add_argument("--align", metavar="WORD", help="of a lexicon, which is aligned for it")
    part.add_argument("--aligned", metavar="WORD", help="of a file written by glyphone align")
    part.add_argument("--tree", action="store_true", help="the decision tree of a model file")
    part.add_argument(
        "--sentence", metavar="NAME", help="of a treebank: the one with this sent_id or number"
    )
    part.add_argument(
        "--match", nargs=2, metavar="NAME", help="two names: their words, trigrams and odds"
    )
    parser.add_argument(
        "--constituents", action="store_true", help="with --sentence: of a dependency tree"
    )
    parser.add_argument(
        "--forest", metavar="TRANSFER", help="with --sentence: all orders a transfer file allows"
    )
    parser.add_argument(
        "--read", choices=("conllu", "brackets"), help="with --sentence: if the name does not say"
    )
    parser.add_argument("--letter", help="with --tree: what is asked of this letter")
    parser.add_argument(
        "--depth", type=natural, metavar="N", help="with --tree: no more than N questions deep"
    )
    parser.add_argument(
        "--kind", choices=("svg", "png", "dot", "html"), help="if the name does not say"
    )
    parser.add_argument("--stage", type=int, default=1, help="of a cascade or trees, if several")
    parser.add_argument("--title", default="")
    parser.add_argument("--max-states", type=int, default=300, metavar="N")
    parser.add_argument("--max-arcs", type=int, default=1000, metavar="N")
    parser.add_argument("--fonts", action="append", default=[], metavar="FOLDER", help="for PNG")
    parser.add_argument(
        "--target", metavar="PHONES", help="with --align or --aligned: one pronunciation of WORD"
    )
    parser.add_argument(
        "--beam",
        type=nats,
        metavar="NATS",
        help="with --align or --item: all paths so near to the best (--item with a model file: 5)",
    )


def check(arguments: argparse.Namespace) -> None:
    from glyphone.data.errors import GlyphoneError

    if arguments.model is None and arguments.match is None:
        raise GlyphoneError("there is nothing to draw", remedy="name a MODEL, or give --match")
    if arguments.beam is not None and arguments.align is None and arguments.item is None:
        raise GlyphoneError("--beam goes with --align WORD or --item WORD")
    of_a_word = arguments.align is not None or arguments.aligned is not None
    if arguments.target is not None and not of_a_word:
        raise GlyphoneError("--target goes with --align WORD or --aligned WORD")
    if not arguments.tree and (arguments.letter is not None or arguments.depth is not None):
        raise GlyphoneError("--letter and --depth go with --tree")
    of_a_sentence = arguments.constituents or arguments.read or arguments.forest
    if arguments.sentence is None and of_a_sentence:
        raise GlyphoneError("--constituents, --forest and --read go with --sentence NAME")


def run(arguments: argparse.Namespace) -> int:
    check(arguments)
    kind = arguments.kind or Path(arguments.output).suffix.lstrip(".") or "svg"
    if arguments.align is not None or arguments.aligned is not None:
        content = draw_alignment(arguments, kind)
    elif arguments.tree:
        content = draw_tree(arguments, kind)
    elif arguments.sentence is not None:
        content = draw_sentence(arguments, kind)
    elif arguments.match is not None:
        content = draw_match(arguments, kind)
    else:
        content = draw_model(arguments, kind)
    if arguments.output == "-":
        sys.stdout.buffer.write(content)
    else:
        Path(arguments.output).write_bytes(content)
    return 0


def draw_model(arguments: argparse.Namespace, kind: str) -> bytes:
    from glyphone.catalog import names as catalog_names
    from glyphone.data.errors import GlyphoneError
    from glyphone.drawing import formats as drawing_formats
    from glyphone.drawing import graphs
    from glyphone.fst.transducers.model import TransducerModel
    from glyphone.models.kinds import KINDS, resolve_name

    folders = [Path(folder) for folder in arguments.fonts]
    content: bytes
    of_file = catalog_names.kind_of(arguments.model)
    if arguments.item is not None and of_file.draw:
        found = of_file.load_model(arguments.model)
        content = resolve_name(of_file.draw)(found, arguments.item, kind, font_dirs=folders)
        return content
    if arguments.item is None and of_file.picture:
        found = of_file.load_model(arguments.model)
        title = arguments.title or Path(arguments.model).name
        content = resolve_name(of_file.picture)(found, kind, title=title, font_dirs=folders)
        return content
    model = catalog_names.load(arguments.model)
    learned = KINDS[model.kind].learned
    options = {
        "title": arguments.title,
        "max_states": arguments.max_states,
        "max_arcs": arguments.max_arcs,
    }
    if arguments.item is not None:
        usual = LEARNED_BEAM if learned else math.inf
        beam = usual if arguments.beam is None else arguments.beam
        if not arguments.title and not math.isinf(beam):
            options["title"] = f"{arguments.item}: paths within {beam:g} nats of the best"
        graph = graphs.graph_of_item(model, arguments.item, beam=beam, **options)
    elif learned:
        remedy = "draw what becomes of one word: --item WORD"
        raise GlyphoneError(
            "is a learned model, too large to draw", path=arguments.model, remedy=remedy
        )
    else:
        assert isinstance(model, TransducerModel)
        graph = graphs.graph_of_machine(model.stage(arguments.stage), **options)
    return drawing_formats.picture_of_graph(graph, kind, font_dirs=folders)


def draw_tree(arguments: argparse.Namespace, kind: str) -> bytes:
    from glyphone.catalog import names as catalog_names
    from glyphone.data.errors import GlyphoneError
    from glyphone.drawing.decision_trees import picture_of_tree
    from glyphone.models.trees.model import TreeModel

    model = catalog_names.load(arguments.model)
    if not isinstance(model, TreeModel):
        remedy = "train one with --kind tree, or learn one from a model with glyphone distill"
        raise GlyphoneError("holds no decision tree", path=arguments.model, remedy=remedy)
    return picture_of_tree(
        model,
        kind,
        letter=arguments.letter,
        depth=arguments.depth,
        stage=arguments.stage,
        title=arguments.title,
        max_nodes=arguments.max_states,
        font_dirs=[Path(folder) for folder in arguments.fonts],
    )


def draw_sentence(arguments: argparse.Namespace, kind: str) -> bytes:
    from glyphone.treebank.pictures.sentence import picture_of_forest, picture_of_sentence

    name, options = (
        arguments.sentence,
        {
            "title": arguments.title,
            "max_nodes": arguments.max_states,
            "font_dirs": [Path(folder) for folder in arguments.fonts],
        },
    )
    if arguments.forest is not None:
        return picture_of_forest(arguments.model, name, arguments.forest, kind, **options)
    options |= {"form": arguments.read, "constituents": arguments.constituents}
    return picture_of_sentence(arguments.model, name, kind, **options)


def draw_match(arguments: argparse.Namespace, kind: str) -> bytes:
    from glyphone.matching.pictures.match import picture_of_match

    first, second = arguments.match
    return picture_of_match(
        first,
        second,
        kind,
        model=arguments.model,
        title=arguments.title,
        max_nodes=arguments.max_states,
        font_dirs=[Path(folder) for folder in arguments.fonts],
    )


def draw_alignment(arguments: argparse.Namespace, kind: str) -> bytes:
    from glyphone.drawing.words import picture_of_aligned, picture_of_word

    options = {
        "target": arguments.target,
        "title": arguments.title,
        "font_dirs": [Path(folder) for folder in arguments.fonts],
    }
    if arguments.aligned is not None:
        return picture_of_aligned(arguments.model, arguments.aligned, kind, **options)
    caps = {"max_states": arguments.max_states, "max_arcs": arguments.max_arcs}
    return picture_of_word(
        arguments.model, arguments.align, kind, beam=arguments.beam, **caps, **options
    )
