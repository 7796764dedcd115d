"""The folder of word lists that transcripts and their generator share."""

from __future__ import annotations

from pathlib import Path

import glyphone.data

FOLDER = Path(glyphone.data.__path__[0]) / "voicemail"
