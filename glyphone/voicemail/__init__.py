"""Callers and telephone numbers in transcripts of voicemail.

Public: `load`, `VoicemailModel`, `Findings` and `Transcript`.

import glyphone.voicemail
model = glyphone.voicemail.load()
findings = model("hi this is Pat Caller call me at five five five oh one two three")
findings.name, [number.display for number in findings.numbers]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glyphone.voicemail.findings import Findings as Findings
    from glyphone.voicemail.model import VoicemailModel as VoicemailModel
    from glyphone.voicemail.model import load as load
    from glyphone.voicemail.records.transcripts import Transcript as Transcript

# Imported when first asked for, so that importing the package costs nothing.
_HOMES = {
    "Findings": "glyphone.voicemail.findings",
    "Transcript": "glyphone.voicemail.records.transcripts",
    "VoicemailModel": "glyphone.voicemail.model",
    "load": "glyphone.voicemail.model",
}

__all__ = ["Findings", "Transcript", "VoicemailModel", "load"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'glyphone.voicemail' has no attribute {name!r}")
