"""The recipe of the model of voicemail, which learns from generated messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from glyphone.catalog.defaults import VOICEMAIL
from glyphone.recipes.workspace import Workspace
from glyphone.voicemail import training as voicemail_training
from glyphone.voicemail.generator.files import GenerateJob, generate_file
from glyphone.voicemail.generator.noise import Noise

# Generated messages: clean ones, in small letters, and as a recogniser hears them. Callers are
# learnt from the first 15,000, numbers from all.
MESSAGES: tuple[dict[str, Any], ...] = (
    {"n": 5500, "seed": 1},
    {"n": 3500, "seed": 11, "noise": 0.23},
    {"n": 3000, "seed": 1, "part": "varied"},
    {"n": 1500, "seed": 12, "part": "varied", "noise": 0.0},
    {"n": 1500, "seed": 13, "part": "varied", "noise": 0.23},
    {"n": 8000, "seed": 3},
    {"n": 3000, "seed": 16, "part": "varied"},
    {"n": 3000, "seed": 14, "noise": 0.23},
    {"n": 3000, "seed": 15, "noise": 0.35},
)
DEV_MESSAGES = {"n": 500, "seed": 2, "part": "test"}


def make_voicemail(space: Workspace) -> list[str]:
    """The model of voicemail, from messages that the generator makes."""
    messages, dev = generate_messages(space.scratch)
    voicemail_training.train_file(
        str(messages), space.path_of(VOICEMAIL), dev=str(dev), jobs=space.jobs
    )
    return [VOICEMAIL]


def generate_messages(folder: Path) -> tuple[Path, Path]:
    """The files of messages to learn from and to measure on, made in a folder."""
    parts = [folder / f"{number}.jsonl" for number in range(len(MESSAGES))]
    messages, dev = folder / "voicemail.jsonl", folder / "voicemail.dev.jsonl"
    for path, options in zip([*parts, dev], [*MESSAGES, DEV_MESSAGES], strict=True):
        rate = options.get("noise")
        noise = None if rate is None else Noise(rate=rate)
        generate_file(GenerateJob(**{**options, "noise": noise, "output": str(path)}))
    messages.write_bytes(b"".join(path.read_bytes() for path in parts))
    for path in parts:
        path.unlink()
    return messages, dev
