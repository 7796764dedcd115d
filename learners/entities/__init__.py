"""Named entities in two phases: phrases are marked, then classified.

Public: `recognizer.EntityRecognizer`, `tagger.MarkovTagger`, `phrases.PhraseFeatures`.
"""
