"""What every model from strings to strings offers.

Public: `Model`, `Scored`, `Answers`, `Side`, `LexiconFirst`, `Promotion`.
"""
