"""What every model from strings to strings offers.

Public: `Answering`, `Scored`, `Answers`, `Side`, `LexiconFirst`, `Promotion`.
"""
