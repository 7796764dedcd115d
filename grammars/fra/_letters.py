"""French letters: the inventories, letters from elsewhere, and words that are spelt out."""

from __future__ import annotations

# The alphabet, and the accents that names and loanwords bring along.
LETTERS = [
    *"abcdefghijklmnopqrstuvwxyzàâæçéèêëîïôœùûüÿ",
    *"áãåäćčğíìłñóòõöøșšßúýžº",
    *"'’ -.,",
]
PHONES = [*"aeɛioɔuyøœə", "ɑ̃", "ɛ̃", "ɔ̃", "œ̃", *"pbtdkɡfvszʃʒmnɲŋlʁjwɥ|"]
# ẕ ṯ ṟ p̱ ḵ ṉ: latent consonants, silent but for liaison; ¤: a letter called by its name;
# ᵊ: an e that ends a word, silent; ¨ parts letters.
MARKS = "ẕ ṯ ṟ p̱ ḵ ᵊ ¤ ¨"

CLASSES = r"""
    W = # | \  | \- | '
    END = # | \  | \-
    INNER = ANY - {\  \- '}
    EDGE = \  | #
    V = {a à â e é è ê ë i î ï o ô u ù û ü y œ ᵊ}
    C = {b c ç d f g h j k l m n p q r s t v w x z}
    FRONT = {e é è ê ë i î ï y œ}
    LATENT = {ẕ ṯ ṟ p̱ ḵ}
    E = LATENT* END                                 ; the end of a word as it sounds
"""

FOREIGN_LETTERS = r"""
    ; 1. Letters and accents from elsewhere, and ligatures written apart.
    {á ã å} -> a
    {ä, í, ì, ñ} -> {è, i, i, g n}
    {ó ò õ} -> o
    {ö, ø} -> {œ u, œ u}
    {ú ý ÿ} -> {u y y}
    {ć, č, ș, š, ž, ß} -> {t c h, t c h, c h, c h, j, s s}
    {ğ, ł, º} -> {∅, l, o}
    oeu -> œu                                       ; soeur
    oeil -> œil
    æ -> é                                          ; cæcum
    ’ -> '
    {., \,} -> \  / _                              ; J. Verne
"""

LETTER_NAMES = r"""
    ; 3. A word without vowel letters is spelt out (SNCF).
    C -> C ¤ / EDGE C* _ C* EDGE [simultaneous]
    {b ¤, c ¤, d ¤, f ¤, g ¤} -> {b é, ç é, d é, è f f, j é}
    {h ¤, j ¤, k ¤, l ¤, m ¤} -> {a c h e, j i, k a, è l l, è m m}
    {n ¤, p ¤, q ¤, r ¤, s ¤} -> {è n n, p é, k u, è r r, è ç}
    {t ¤, v ¤, w ¤, x ¤, z ¤, ç ¤} -> {t é, v é, d o u b l e v é, i x, z è d d, ç é}
    j -> ʒ
"""
