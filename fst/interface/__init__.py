"""The interface of models from strings to strings: answers, scores, spans, lexicons before them.

Public: `Model`, `Learned`, `Scored`, `Answers`, `Side`, `LexiconFirst`, `Promotion`, `lenient`.
"""
