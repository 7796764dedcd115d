"""English number words, for the grammar of telephone numbers and for voicemail.

Public: `DIGIT_OF`, `TEENS`, `TENS`, `UNITS`, `NUMBER_WORDS` of `words`; `PATTERNS` and
`parse_patterns` of `readings`.
"""
