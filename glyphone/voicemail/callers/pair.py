"""Two models of callers: one for transcripts with capital letters, and one for those without.

People write names with capitals; most recognisers do not, and they confuse words. One model of both
is worse at either, so messages are sorted by a capital among their first words, in training and in
use.

>>> has_capitals("hi this is Pat".split()), has_capitals("hi this is pat".split())
(True, False)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from glyphone.fst.storage.container import Contents, FilePath
from glyphone.voicemail.callers import model as caller_model
from glyphone.voicemail.callers.cuts_training import CallerOptions
from glyphone.voicemail.callers.model import Caller, CallerModel
from glyphone.voicemail.records.messages import Message

KIND = "voicemail-caller-pair"
# Words that are searched for a capital, and the fewest callers for a model of one sort.
FIRST, ENOUGH = 24, 50


@dataclass(frozen=True)
class Callers:
    """A model for each sort of transcript."""

    written: CallerModel
    heard: CallerModel

    def find(self, messages: Sequence[Sequence[str]]) -> list[Caller]:
        """The caller of each message."""
        found = [caller_model.NO_CALLER] * len(messages)
        sorts = [has_capitals(words) for words in messages]
        for model, sort in ((self.written, True), (self.heard, False)):
            places = [k for k, own in enumerate(sorts) if own == sort]
            for k, one in zip(places, model.find([messages[k] for k in places]), strict=True):
                found[k] = one
        return found


def has_capitals(words: Sequence[str]) -> bool:
    return any(word[:1].isupper() for word in words[:FIRST])


def train(messages: Sequence[Message], *, options: CallerOptions | None = None) -> Callers:
    """Models of marked messages; one model for both sorts if one has too few callers."""
    parts = [[one for one in messages if has_capitals(one.words) == sort] for sort in (True, False)]
    if min(sum(one.caller_phrase is not None for one in part) for part in parts) < ENOUGH:
        model = caller_model.train(messages, options=options)
        return Callers(model, model)
    return Callers(*(caller_model.train(part, options=options) for part in parts))


def pack(model: Callers, prefix: str) -> Contents:
    manifest: dict[str, Any] = {}
    arrays: dict[str, Any] = {}
    for name in ("written", "heard"):
        part = caller_model.pack(getattr(model, name), f"{prefix}{name}/")
        manifest[name] = dict(part.manifest)
        arrays |= part.arrays
    return Contents(KIND, manifest, arrays)


def unpack(contents: Contents, prefix: str, path: FilePath | None) -> Callers:
    def part(name: str) -> CallerModel:
        inner = Contents(caller_model.KIND, contents.manifest[name], contents.arrays)
        return caller_model.from_contents(inner, f"{prefix}{name}/", path=path)

    return Callers(part("written"), part("heard"))
