r"""Templates of features of segments, as text: a role, and features of words with their places.

    begin word-1            the word before the first token of the segment; word is the first
    end suffix3             the ending of the last token; word+1 is the word behind it
    in word                 every token between the first and the last
    each shape              every token of the segment
    whole word              the words of the segment together
    around word             the word before the segment and that behind it together
    length word             the number of tokens, and what stands at the last one
    again word              whether the words of the segment come again in the sentence
    preceding word-1        the class of the phrase before, wherever it is, and what stands at the
                            first token; preceding alone is that class

Features of words are those of `glyphone.learners.sequences.words`; other names are columns of the
sentences. A line is a template; empty lines and comments behind a # are left out. Every feature
goes with the class of the segment; a token outside phrases is a segment of its own.

>>> parse_templates("begin word-2 word-1\nlength  # of the segment")
[Template(role='begin', places=(('word', -2), ('word', -1))), Template(role='length', places=())]
>>> print(default_templates(["pos"]).splitlines()[-1])
end pos-1 pos
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.learners.semimarkov.arrays import BEGIN, EACH, END, IN, PRECEDING, SEGMENT
from glyphone.learners.sequences.contexts import Place, parse_context

ROLES = {
    "begin": BEGIN, "end": END, "in": IN, "each": EACH, "preceding": PRECEDING,
    "whole": SEGMENT, "around": SEGMENT, "length": SEGMENT, "again": SEGMENT,
}  # fmt: skip
# The roles of one feature, which has no offset; the roles that need no feature.
NAMED, ALONE = ("whole", "around", "again"), ("length", "preceding")
# The roles that the filter of candidates adds up.
FILTERING = ("begin", "end", "each")

WORDS = """
begin word
end word
in word
begin word-1
end word+1
begin word-2 word-1
end word+1 word+2
around word
begin prefix2
begin prefix3
end suffix2
end suffix3
end suffix4
each shape
each outline
each suffix3
whole shape
whole word
end word-1 word
length
length word
again word
preceding
"""
COLUMN = """
begin {0}
end {0}
in {0}
end {0}-1 {0}
"""
FILTER = """
begin {0}
end {0}
each {0}
begin {0}-1
end {0}+1
"""


@dataclass(frozen=True)
class Template:
    """A role, and the features of words or columns that stand at some places."""

    role: str
    places: tuple[Place, ...]

    @property
    def table(self) -> int:
        """The number of the role, as kernels have it."""
        return ROLES[self.role]

    @property
    def name(self) -> str:
        """The only feature."""
        return self.places[0][0]


def default_templates(columns: Iterable[str] = ()) -> str:
    """Templates for words, and for some columns beside them."""
    return "".join([WORDS, *map(COLUMN.format, columns)]).strip()


def default_filter(columns: Iterable[str] = ()) -> str:
    """Templates of the filter of candidates."""
    return "".join(map(FILTER.format, ("word", *columns))).strip()


def parse_templates(text: str, *, roles: Iterable[str] = tuple(ROLES)) -> list[Template]:
    """The templates of a text, of some roles.

    >>> parse_templates("whole word-1")
    Traceback (most recent call last):
    glyphone.data.errors.GlyphoneError: item 'whole word-1': whole goes with one feature, ...
    """
    found = []
    for line in text.splitlines():
        role, _, rest = line.partition("#")[0].strip().partition(" ")
        if not role:
            continue
        if role not in roles:
            raise UnknownName("role of features", role, [*roles])
        template = Template(role, tuple(parse_context(rest)))
        if role in NAMED and (len(template.places) != 1 or template.places[0][1]):
            message = f"{role} goes with one feature, with no offset"
            raise GlyphoneError(message, item=line, remedy=f"write {role} word")
        if not template.places and role not in ALONE:
            message = "a template of no feature"
            raise GlyphoneError(message, item=line, remedy=f"write {role} word")
        found.append(template)
    if not found:
        raise GlyphoneError("there is no template", remedy="write one in each line: begin word")
    return found
