"""The version, which is written into every file that glyphone makes."""

VERSION = "0.1.0"
