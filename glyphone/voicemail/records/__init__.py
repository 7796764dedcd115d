"""Messages, transcripts, and candidates for numbers.

Public: `Message`, `Number` and `read_messages` of `messages`; `Transcript` and
`parse_transcript` of `transcripts`; `NumberCandidate` of `candidates`.
"""
