"""Settings of all tests.

Hypothesis has no deadlines, for machines differ; in CI it tries the same examples every time.
"""

from __future__ import annotations

import os
import signal

from hypothesis import settings

settings.register_profile("house", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "house")

# Tests that run in the background are deaf to SIGINT, and so would be what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
