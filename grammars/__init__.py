"""Rules that people write: a folder for each language, and modules that languages share."""
