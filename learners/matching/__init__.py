"""Measures of how alike two names are, and the pairs of a list that are most alike.

A measure is three parts, chosen apart (Moreau, Yvon and Cappé 2008): a representation of names as
units, an alignment of the units of two names, and a score of the alignment. What two units have in
common is itself told by a measure, so that measures stand within measures: names of words, words of
trigrams, trigrams of their contexts.

Public: `named.measure`, `measure.NameMeasure`, `strings.StringMeasure`, `contexts.ContextMeasure`,
`candidates.CandidateIndex`.
"""
