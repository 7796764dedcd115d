"""Treebanks from files in CoNLL-U or of trees in brackets, as the file name ends.

>>> form_of("eng.conllu.gz"), form_of("wsj_0001.mrg")
('conllu', 'brackets')
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Tree
from glyphone.data.treebanks.brackets import read_trees
from glyphone.data.treebanks.conllu import OnError, read_conllu
from glyphone.data.treebanks.dependencies import Sentence

TreebankForm = Literal["conllu", "brackets"]

FORMS: tuple[TreebankForm, ...] = ("conllu", "brackets")
ENDINGS: dict[str, TreebankForm] = {
    ".conllu": "conllu",
    ".mrg": "brackets",
    ".ptb": "brackets",
    ".trees": "brackets",
    ".brackets": "brackets",
}


def form_of(path: str, form: TreebankForm | None = None) -> TreebankForm:
    """The given form, else the form of the ending of a file name."""
    if form is not None:
        return form
    plain = path.removesuffix(".gz")
    for ending, found in ENDINGS.items():
        if plain.endswith(ending):
            return found
    remedy = f"give --read conllu or brackets, or a name ending with {', '.join(ENDINGS)}"
    raise GlyphoneError("its name has no ending of a treebank", path=path, remedy=remedy)


def read_treebank(
    path: str, form: TreebankForm | None = None, *, on_error: OnError = "raise"
) -> Iterator[Sentence] | Iterator[Tree]:
    """The trees of a file; a sentence that is no tree raises FormatError, or goes to `on_error`."""
    if form_of(path, form) == "conllu":
        return read_conllu(path, on_error=on_error)
    return read_trees(path, on_error=on_error)
