"""The site that `make docs` builds: guides, verbs with their help, the reference of the API.

Guides are files of the project and stand in the site as they are; the other pages are written from
the parsers of verbs and from docstrings.

Public: `all_pages` of `pages`.
"""
