"""Running text cut into sentences and tokens, with offsets in the text.

Public: `Token`, `tokens_of_text` (`tokens`); `sentences_of_text` (`sentences`); `Abbreviations`,
`read_abbreviations` (`abbreviations`).
"""
