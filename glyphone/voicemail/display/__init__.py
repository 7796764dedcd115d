"""What was found in a message, and why, for people.

Public: `explanation`, `picture`, `to_html`.
"""
