"""Rules that people write, a folder a language."""
