"""Pictures of one sentence of a treebank in any form, or of its forest of target trees.

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/two.mrg"
>>> with open(path, "w") as file:
...     _ = file.write("(S (NP Ann) (VP runs))\\n(S (NP rain) (VP stops))\\n")
>>> "stops" in picture_of_sentence(path, "2", "svg").decode()
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.records import Tree
from glyphone.data.treebanks.brackets import words_of
from glyphone.data.treebanks.dependencies import Sentence
from glyphone.data.treebanks.punctuation import without_punctuation
from glyphone.data.treebanks.spines import constituents_of
from glyphone.drawing.graphs import MAX_STATES
from glyphone.drawing.words import picture_of_svg
from glyphone.fst.forests.forest import Forest
from glyphone.treebank.pictures import constituents as pictures_constituents
from glyphone.treebank.pictures import dependencies as pictures_dependencies
from glyphone.treebank.pictures import forest as pictures_forest
from glyphone.treebank.reading import TreebankForm, read_treebank
from glyphone.treebank.transfer.constituent_settings import grammar_of
from glyphone.treebank.transfer.settings import (
    CONSTITUENTS,
    read_content,
    read_dependency_settings,
    split_settings,
)


def picture_of_sentence(
    path: str,
    name: str,
    kind: str,
    *,
    form: TreebankForm | None = None,
    constituents: bool = False,
    title: str = "",
    max_nodes: int = MAX_STATES,
    font_dirs: Sequence[Path] = (),
) -> bytes:
    """The content of a picture file; `kind` is svg or png.

    The name is a `sent_id`, or else a number from 1. With `constituents`, dependencies are drawn as
    constituents (see `glyphone.data.treebanks.spines`).
    """
    if kind not in ("png", "svg"):
        raise UnknownName("kind of picture of a sentence", kind, ["png", "svg"])
    item = sentence_of(path, name, form=form)
    if constituents and isinstance(item, Sentence):
        title, item = title or title_of(item), constituents_of(item)
    if isinstance(item, Sentence):
        check_size(len(item.words), "words", max_nodes, name)
        svg = pictures_dependencies.to_svg(item, title=title or title_of(item))
    else:
        check_size(pictures_constituents.count_nodes(item), "nodes", max_nodes, name)
        svg = pictures_constituents.to_svg(item, title=title)
    return picture_of_svg(svg, kind, font_dirs=font_dirs)


def picture_of_forest(
    path: str,
    name: str,
    transfer: str,
    kind: str,
    *,
    title: str = "",
    max_nodes: int = MAX_STATES,
    font_dirs: Sequence[Path] = (),
) -> bytes:
    """The content of a picture file of all orders and words that a transfer file allows.

    `kind` is svg or png. Some orders have several derivations.
    """
    if kind not in ("png", "svg"):
        raise UnknownName("kind of picture of a forest", kind, ["png", "svg"])
    transfer_kind, content = read_content(transfer)
    forest, parameters, about = (
        forest_of_tree(path, name, transfer, content)
        if transfer_kind == CONSTITUENTS
        else forest_of_sentence(path, name, transfer)
    )
    title = title or f"{forest.n_trees():,} derivations of {about}"
    svg = pictures_forest.to_svg(forest, parameters=parameters, title=title, max_nodes=max_nodes)
    return picture_of_svg(svg, kind, font_dirs=font_dirs)


def forest_of_sentence(path: str, name: str, transfer: str) -> tuple[Forest, dict[int, str], str]:
    """The forest of a sentence, names of its parameters by number, and its title."""
    sentence, settings = sentence_of(path, name, form="conllu"), read_dependency_settings(transfer)
    assert isinstance(sentence, Sentence)
    grammar = settings.make_grammar(settings.reads, settings.make_lexicon())
    forest = grammar.forest_of(without_punctuation(sentence))
    return forest, grammar.pattern_names(), title_of(sentence) or name


def forest_of_tree(
    path: str, name: str, transfer: str, content: Mapping[str, Any]
) -> tuple[Forest, dict[int, str], str]:
    """The forest of a tree, names of its parameters P(source | target) by number, and its title."""
    tree = sentence_of(path, name, form="brackets")
    assert isinstance(tree, Tree)
    settings, rules = split_settings(content, transfer)
    grammar = grammar_of(rules, targets=settings.make_lexicon().targets, path=transfer)
    forest = grammar.forest_of(tree)
    rows = [f"{outcome} | {row.name}" for row in grammar.rows for outcome in row.outcomes]
    return forest, dict(enumerate(rows)), f"{name}: {' '.join(words_of(tree))}"


def title_of(sentence: Sentence) -> str:
    return ": ".join(filter(None, (sentence.id, sentence.comment("text"))))


def check_size(size: int, what: str, most: int, name: str) -> None:
    if size > most:
        raise GlyphoneError(
            f"{size:,} {what} are too much for a picture, which holds {most:,}",
            item=name,
            remedy=f"draw a shorter sentence, or ask for --max-states {size}",
        )


def sentence_of(path: str, name: str, *, form: TreebankForm | None = None) -> Sentence | Tree:
    """The sentence with this `sent_id`, or else with this number; others may be no trees."""
    refused: list[FormatError] = []
    names: list[str] = []
    numbered = None
    for item in read_treebank(path, form, on_error=refused.append):
        own = item.id if isinstance(item, Sentence) else ""
        if own == name:
            return item
        number = str(1 + len(names) + len(refused))
        if number == name:
            numbered = item
        names.append(own or number)
    if numbered is not None:
        return numbered
    for error in refused:
        if error.item == name:
            raise error
    raise UnknownName("sentence", name, names, path=path)
