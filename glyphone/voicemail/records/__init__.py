"""Messages, transcripts, and candidates for numbers.

Public: `Message`, `Transcript`, `NumberCandidate`.
"""
