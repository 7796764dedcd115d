"""Pictures: SVG, PNG and DOT.

Public: `picture_of_graph`, `graph_of_item`, `draw_sheet`.
"""
