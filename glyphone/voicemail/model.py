"""The voicemail model: a model of callers and one of telephone numbers, in one file.

>>> model = VoicemailModel(callers, numbers)                                   # doctest: +SKIP
>>> model("hi this is Pat call five five five oh one two three").name          # doctest: +SKIP
'Pat'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar

from glyphone.catalog import names as catalog_names
from glyphone.catalog.defaults import VOICEMAIL, training_command
from glyphone.data.errors import FormatError, NotInstalled, UnknownName
from glyphone.data.parallel import map_in_order
from glyphone.data.version import VERSION
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import Packing
from glyphone.voicemail import hypotheses
from glyphone.voicemail.callers import file as caller_file
from glyphone.voicemail.callers.pair import CallerPair
from glyphone.voicemail.findings import Findings
from glyphone.voicemail.numbers import file as number_file
from glyphone.voicemail.numbers.model import NumberModel
from glyphone.voicemail.records.transcripts import Transcript

KIND = "voicemail"
FORMAT = 1
BLOCK = 512


@dataclass(frozen=True)
class VoicemailModel:
    """A model of callers and one of telephone numbers; `description` names the training data."""

    kind: ClassVar[str] = "voicemail"

    callers: CallerPair
    numbers: NumberModel
    description: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __call__(self, message: str | Sequence[str] | Transcript) -> Findings:
        """The findings in one message, given as text, words or a transcript."""
        return self.find([as_transcript(message)])[0]

    def find(self, messages: Sequence[Transcript], *, names: int = 0) -> list[Findings]:
        """The findings in each message, in order, with so many of the likeliest names."""
        plain = [k for k, one in enumerate(messages) if not one.others and not one.slots]
        words = [messages[k].words for k in plain]
        callers = self.callers.find_with_names(words, names)
        numbers = self.numbers.find(words)
        findings: dict[int, Findings] = {}
        for k, (who, spans), candidates in zip(plain, callers, numbers, strict=True):
            likely = hypotheses.add_up_names([(messages[k].words, spans, 1.0)])
            findings[k] = Findings(messages[k], who, tuple(candidates), likely)
        for k, message in enumerate(messages):
            if k not in findings:
                findings[k] = hypotheses.find_in_hypotheses(
                    self.callers, self.numbers, message, names=names
                )
        return [findings[k] for k in range(len(messages))]

    def apply(
        self, messages: Iterable[str | Sequence[str] | Transcript], *, jobs: int | None = None
    ) -> Iterator[Findings]:
        """The findings in messages, lazily and in order, on all cores."""
        rows = map(as_transcript, messages)
        blocks = iter(lambda: list(islice(rows, BLOCK)), [])
        return chain.from_iterable(
            findings for _, findings in map_in_order(self.find, blocks, jobs=jobs)
        )


def as_transcript(message: str | Sequence[str] | Transcript) -> Transcript:
    if isinstance(message, Transcript):
        return message
    return Transcript.of(message) if isinstance(message, str) else Transcript(tuple(message))


def to_contents(model: VoicemailModel, prefix: str = "") -> Contents:
    parts = {
        "callers": caller_file.pack_pair(model.callers, f"{prefix}callers/"),
        "numbers": number_file.to_contents(model.numbers, f"{prefix}numbers/"),
    }
    arrays: dict[str, Any] = {}
    blobs: dict[str, bytes] = {}
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "glyphone": VERSION,
        "description": dict(model.description),
    }
    for name, part in parts.items():
        manifest[name] = {"kind": part.kind, "manifest": dict(part.manifest)}
        arrays |= part.arrays
        blobs |= part.blobs
    return Contents(KIND, manifest, arrays, blobs)


def unpack(contents: Contents, prefix: str, path: FilePath | None) -> VoicemailModel:
    version = contents.manifest["format"]
    if type(version) is not int or version > FORMAT:
        raise FormatError(
            f"was written by glyphone {contents.manifest['glyphone']}, in format {version!r}; "
            f"this version, {VERSION}, reads formats up to {FORMAT}",
            path=path,
            remedy="upgrade glyphone",
        )

    def part(name: str) -> Contents:
        row = contents.manifest[name]
        return Contents(row["kind"], row["manifest"], contents.arrays, contents.blobs)

    return VoicemailModel(
        caller_file.unpack_pair(part("callers"), f"{prefix}callers/", path),
        number_file.from_contents(part("numbers"), f"{prefix}numbers/", path=path),
        contents.manifest.get("description", {}),
    )


PACKING = Packing(
    kind=KIND,
    what="voicemail model",
    pack=to_contents,
    unpack=unpack,
    problem_of=lambda model: None,
)
save, from_contents = PACKING.save, PACKING.from_contents


def load(name: FilePath = VOICEMAIL) -> VoicemailModel:
    """The model of a file, or the default one, which `glyphone models` trains."""
    path = catalog_names.model_of(VOICEMAIL) if str(name) == VOICEMAIL else Path(name)
    if path is None:
        raise NotInstalled(f"{VOICEMAIL} is not trained yet", remedy=training_command(VOICEMAIL))
    if not path.is_file():
        raise UnknownName(
            "voicemail model", str(name), [VOICEMAIL, *catalog_names.files_near(path)]
        )
    return PACKING.load(path)
