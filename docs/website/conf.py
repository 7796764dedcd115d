"""Settings of Sphinx. Nothing is fetched: neither theme nor pages load anything from elsewhere."""

from glyphone.data.version import VERSION

project = "glyphone"
version = release = VERSION
html_title = f"glyphone {VERSION}"
extensions = ["myst_parser"]
myst_heading_anchors = 3
highlight_language = "none"
# Some outputs in guides are shortened, and so no sentences of the language of their block.
suppress_warnings = ["misc.highlighting_failure"]
html_theme = "furo"
html_copy_source = False
html_show_copyright = False
