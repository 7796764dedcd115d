"""Messages, transcripts, and candidates for numbers.

Public: `Message`, `Number`, `read_messages` and `write_messages` of `messages`; `Transcript` and
`parse_transcript` of `transcripts`; `NumberCandidate` of `candidates`.
"""
