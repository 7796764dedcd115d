"""Records, errors, lines of text and writing conventions, which all rooms exchange.

Public: `GlyphoneError` and its kinds (`errors`); `Pair`, `Alignment`, `Hypothesis`, `Candidate`,
`Tree`, `Sequence` (`records`); `Writing`; `read_lines`, `open_text_output`; `map_in_order`,
`map_in_processes`; `check_settings` (`fields`); `step`, `steps` and `shown` (`progress`).
"""
