"""Sentences with tags and entities, in columns."""

SENTENCES = """El DET O
señor NOUN O
Paz PROPN B-PER
vive VERB O
en ADP O
Lima PROPN B-LOC

Ana PROPN B-PER
viaja VERB O
a ADP O
Quito PROPN B-LOC

"""
