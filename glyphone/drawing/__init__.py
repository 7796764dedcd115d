"""Pictures: SVG, PNG and DOT.

Public: `picture`, `graph_of_item`, `sheet`.
"""
