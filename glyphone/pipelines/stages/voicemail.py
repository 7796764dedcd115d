"""Stages for voicemail: who called, and on which number, as candidates.

    [[stages]]
    use = "glyphone.voicemail-numbers.v1"   # candidates are all that may be numbers,
    model = "eng.voicemail"                 # their scores are probabilities

    [[stages]]
    use = "glyphone.decode-f.v1"            # those are kept whose expected F is the greatest

    [[stages]]
    use = "glyphone.voicemail-callers.v1"   # and callers are added
    model = "eng.voicemail"

The value of a number is its digits, with an extension behind x; that of a caller is the name, or
nothing for the phrase. Texts are transcripts, their words between white space.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from glyphone.data.errors import UnknownName
from glyphone.data.fields import Between
from glyphone.data.records import Candidate
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.pipelines.registry import Item
from glyphone.pipelines.resources import file_of, files_in
from glyphone.pipelines.settings import Resource
from glyphone.pipelines.stages.scanning import WORD

if TYPE_CHECKING:
    from glyphone.voicemail.callers.model import Caller
    from glyphone.voicemail.records.candidates import NumberCandidate

Span = tuple[int, int]
SUFFIX = ".glyphone"


class VoicemailResource(Resource):
    """A model of `glyphone train --kind voicemail`, or the default one."""

    def find(self, name: str, folder: Path) -> str:
        from glyphone.catalog.defaults import VOICEMAIL

        found = file_of(name, folder)
        if found != VOICEMAIL and not Path(found).is_file():
            raise UnknownName("voicemail model", name, [VOICEMAIL, *files_in(folder, SUFFIX)])
        return found

    def load(self, name: str) -> Any:
        from glyphone.voicemail.model import load

        return load(name)

    def pack(self, value: Any, prefix: str) -> Contents:
        from glyphone.voicemail import model

        return model.to_contents(value, prefix)

    def unpack(self, contents: Contents, prefix: str, path: FilePath | None) -> Any:
        from glyphone.voicemail import model

        return model.from_contents(contents, prefix, path=path)


VoicemailSetting = Annotated[Any, VoicemailResource()]


@dataclass(frozen=True)
class Numbers:
    """Telephone numbers of at least a given probability, added to the candidates of an item.

    Features are the `support` by other mentions, and `replaced`, 1 if another number corrects it.
    """

    model: VoicemailSetting
    least: Annotated[float, Between(0, 1)] = 0.0

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        places, words = split_words(items)
        found = self.model.numbers.find(words)
        return [
            item.with_candidates([*item.candidates, *self.candidates(item, spans, row)])
            for item, spans, row in zip(items, places, found, strict=True)
        ]

    def candidates(
        self, item: Item, spans: Sequence[Span], row: Sequence[NumberCandidate]
    ) -> Iterator[Candidate]:
        for one in row:
            # What is corrected is no number to call.
            replaced = one.replaced_by is not None
            if one.score >= self.least:
                span = (spans[one.begin][0], spans[one.end - 1][1])
                value = one.digits + (f"x{one.extension}" if one.extension else "")
                features = {"support": float(one.support), "replaced": float(replaced)}
                yield Candidate(span, item.text[slice(*span)], value, features, one.score)


@dataclass(frozen=True)
class Callers:
    """Adds the caller phrase and the caller's name to the candidates."""

    model: VoicemailSetting

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        places, words = split_words(items)
        found = self.model.callers.find(words)
        return [
            item.with_candidates([*item.candidates, *self.candidates(item, spans, caller)])
            for item, spans, caller in zip(items, places, found, strict=True)
        ]

    def candidates(self, item: Item, spans: Sequence[Span], caller: Caller) -> Iterator[Candidate]:
        for kind, words, share in (
            ("phrase", caller.phrase, caller.phrase_probability),
            ("name", caller.name, caller.name_probability),
        ):
            if words is not None:
                span = (spans[words[0]][0], spans[words[1] - 1][1])
                text = item.text[slice(*span)]
                value = " ".join(text.split()) if kind == "name" else ""
                yield Candidate(span, text, value, {"caller": 1.0, kind: 1.0}, share)


def split_words(items: Sequence[Item]) -> tuple[list[list[Span]], list[list[str]]]:
    """Where the words of texts are, and which they are."""
    places = [[match.span() for match in WORD.finditer(item.text)] for item in items]
    words = [
        [item.text[slice(*span)] for span in spans]
        for item, spans in zip(items, places, strict=True)
    ]
    return places, words
