"""Words of names of people, organisations and things, for telling which names are one.

Public: `read_words`, `NameReader`, `NameWord`, `is_inverted`, `spoken_order` (`words`);
`NameLists`, `read_lists` (`lists`); `same_by_nickname`, `same_by_translation`, `WordGroups`
(`groups`); `plain_letters` (`letters`).
"""
