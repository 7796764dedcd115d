"""`python -m glyphone` is the command `glyphone`."""

import sys

from glyphone.cli import main

if __name__ == "__main__":
    sys.exit(main())
