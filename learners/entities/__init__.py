"""Named entities in two phases: phrases are marked, then classified.

Public: `EntityRecognizer`, `MarkovTagger`, `PhraseFeatures`.
"""
