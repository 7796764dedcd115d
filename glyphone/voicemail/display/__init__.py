"""Findings in a message and the reasons for them, as text, pictures and pages.

Public: `explain` of `explanation`; `draw_findings` of `pictures`; `to_html` of `html`.
"""
