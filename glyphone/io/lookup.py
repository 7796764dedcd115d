"""A lexicon file in front of a model, or a dictionary behind it that reorders its answers.

>>> import tempfile
>>> from pathlib import Path
>>> from glyphone.catalog import names as catalog_names
>>> lexicon = Path(tempfile.mkdtemp()) / "names.tsv"
>>> _ = lexicon.write_text("Xavi\\tk s a b i\\nYu\\tj y\\n", encoding="utf-8")
>>> model = catalog_names.load("spa.letter_to_sound:CASTILIAN")
>>> first, refused = lexicon_first(model, str(lexicon))
>>> first("XAVI").output, refused[0].line, refused[0].symbol
('k s a b i', 2, 'y')
"""

from __future__ import annotations

from glyphone.data.errors import FormatError, ItemError
from glyphone.data.lexicons.tsv import numbered_lexicon
from glyphone.data.writing import Writing
from glyphone.fst.interface.lexicon import LexiconFirst
from glyphone.fst.interface.model import Model
from glyphone.fst.interface.promotion import Promotion
from glyphone.io.lexicon import read_column
from glyphone.io.messages import nothing_usable, report_errors, unread_failure


def lexicon_first(
    model: Model,
    path: str,
    *,
    weight_column: int | None = None,
    provenance_column: int | None = None,
    option: str = "--lexicon",
) -> tuple[LexiconFirst, list[FormatError]]:
    """A model after a lexicon, whose units are the model's; and the lines that are left out.

    A line is left out if it is no entry, or if its pronunciation has a symbol that the model does
    not write; FormatError if that leaves none. What stands in the column of provenances is told
    with the answers; it may be empty.
    """
    refused: list[FormatError] = []
    # The model settles normal form and case, so that its errors have offsets in the user's string.
    entries = list(
        numbered_lexicon(
            path,
            source=Writing(model.source.writing.unit, "none"),
            target=Writing(model.target.writing.unit, "none"),
            weight_column=weight_column,
            on_error=refused.append,
        )
    )

    def refuse(number: int, error: ItemError) -> None:
        refused.append(
            FormatError(
                error.message,
                item=error.item,
                path=path,
                line=entries[number][0],
                symbol=error.symbol,
                remedy=error.remedy,
            )
        )

    provenances = dict[int, str]()
    if provenance_column:
        provenances = read_column(path, provenance_column, option="--provenance-column")
    first = LexiconFirst.of(
        model,
        (pair for _, pair in entries),
        provenances=[provenances.get(line, "") for line, _ in entries] if provenances else (),
        on_error=refuse,
    )
    if not first.entries:
        remedy = f"write WORD<TAB>PRONUNCIATION, or leave out {option}"
        raise nothing_usable(path, [unread_failure(error) for error in refused], remedy=remedy)
    return first, sorted(refused, key=lambda error: error.line or 0)


def with_dictionary(model: Model, path: str) -> tuple[Promotion, list[FormatError]]:
    """A model whose answers go to the top if a dictionary has them; and the errors of entries that
    are left out.

    Words of a model of Japanese names are found by their keys, however they are spelt.
    """
    first, refused = lexicon_first(model, path, option="--promote")
    promotion = Promotion(first)
    for word in promotion.unreadable:
        remedy = "respell it, or leave it out"
        refused.append(FormatError("is no name to look up", item=word, path=path, remedy=remedy))
    return promotion, refused


def with_word_lists(
    model: Model,
    *,
    lexicon: str | None,
    promote: str | None,
    weight_column: int | None = None,
    provenance_column: int | None = None,
) -> Model:
    """A model after a lexicon and before a dictionary to promote, where paths of these are given.

    Entries that are left out are reported on stderr.
    """
    if promote:
        model, refused = with_dictionary(model, promote)
        report_errors(refused, f"entries of {promote} are left out")
    if lexicon:
        model, refused = lexicon_first(
            model, lexicon, weight_column=weight_column, provenance_column=provenance_column
        )
        report_errors(refused, f"entries of {lexicon} are left out")
    return model
