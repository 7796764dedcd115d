"""Word classes of plain text by the exchange algorithm, as bit strings of a binary hierarchy.

Public: `estimator.WordClasses`, `files.read_clusters`, `files.write_clusters`.
"""
