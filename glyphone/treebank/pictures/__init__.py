"""Pictures of sentences, their trees and their forests.

Public: `picture_of_sentence` and `picture_of_forest` of `sentence`.
"""
