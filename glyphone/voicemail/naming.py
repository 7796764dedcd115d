"""By what a voicemail model is known, told without loading one.

>>> is_voicemail("eng.voicemail"), is_voicemail("spa.letter_to_sound:CASTILIAN")
(True, False)
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from glyphone.fst import model_file
from glyphone.fst.model_file import FilePath

DEFAULT = "eng.voicemail"
KIND = "voicemail"


def is_voicemail(name: FilePath) -> bool:
    """Whether it is the default model's name, or a file that says it is one."""
    if str(name) == DEFAULT:
        return True
    if not Path(name).is_file() or not model_file.is_model_file(name):
        return False
    try:  # a look at the manifest; whoever loads the file looks at all of it
        with zipfile.ZipFile(name) as content:
            return bool(json.loads(content.read("manifest.json"))["kind"] == KIND)
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile):
        return False
