"""Pictures of sentences, their trees and their forests.

Public: `picture_of_sentence`, `picture_of_forest`.
"""
