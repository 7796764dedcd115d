"""Kana to Hepburn romaji and back.

The romanisation is modified Hepburn as in the ALA-LC table for Japanese (Library of Congress,
Japanese Romanization Table, after Kenkyusha's New Japanese-English Dictionary, 4th edition, 1974):
ン is n before every consonant (shinbun) and n' before vowels and y, small ッ doubles the consonant
that follows and is t before ch (matcha), ヲ ヰ ヱ are o i e, ヂ ヅ are ji zu. Foreign sounds are
those of the cabinet notice on loanwords (Gairaigo no hyoki, 1991), tables 1 and 2, and their
closest kin (キェ kye, フャ fya), romanised as Hepburn's letters suggest.

Kana are read as letters, for they do not show where words begin:

- ー is a macron (ラーメン rāmen), and vowels written twice stay two (おおさか oosaka, とうきょう
  toukyou). ALA-LC has Ōsaka and Tōkyō there, but omou (思う) and koushi (子牛), which takes a
  dictionary; with letters, ō always comes from ー and can be read back.
- Particles are not known as such: は is ha, へ is he; を is o always. Nothing is capitalised.
- ・ becomes a space, and ゠ (or =) a hyphen; spaces and hyphens stay.
- ヶ is ga, as between words of place names (つつじヶおか), ヵ is ka.
- ヽ repeats the letter before without its voicing mark, ヾ repeats it with one: スヾ suzu.
- A small vowel that repeats the vowel before it lengthens it: ハァ haa.

What kana does not write in any regular way has no output: ッ before vowels, n, m, y or at the end,
ー behind a consonant, a small letter that makes no mora above (ルィ), iteration marks at the
beginning or twice in a row.

Romaji is understood in either case, with macrons or circumflexes, with ’ for ', and also in
Kunrei and typists' spellings: si sya zi zya jya hu, m for ン before b m p, nn for ン before
consonants and at the end, cch for tch. Some of these mean two things. Katakana is for loanwords,
so there ti tu tyu di du dyu wi we wo are the foreign morae ティ トゥ テュ ディ ドゥ デュ
ウィ ウェ ウォ; hiragana is for native words, so there they are ち つ ちゅ ぢ づ ぢゅ ゐ ゑ を.
By the same token ā is アー in katakana, but in hiragana a vowel letter, as Gendai kanazukai
(cabinet notice, 1986) has it for native words: ああ, いい, うう, ええ and, for ō, おう. Its few
words in おお cannot be known from ō: Ōsaka gives おうさか. Romaji that is no sequence of morae
(a stray consonant, three in a row, an apostrophe without n) has no output.

From katakana to romaji and back, every sequence of morae is unchanged, except that

- ヂ ヅ ヂャ ヲ ヰ ヱ ヷ ヸ ヹ ヺ ヵ ヶ クヮ グヮ ウァ スィ ズィ ブュ and lengthening ァ come back
  in the more common spelling of the same romaji,
- ヽ ヾ are written out, and ・ ゠ stay space and hyphen,
- hiragana also loses ー and てぃ とぅ でゅ うぃ and their like.

>>> from glyphone.fst.rules.interpreter import run
>>> [way] = run(KATAKANA_TO_ROMAJI, tuple("キャッチフレーズ"))
>>> "".join(way.output)
'kyatchifurēzu'
"""

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade, table_of

# ---------------------------------------------------------------------------------------------
# Morae. Every one that is written ends in one vowel, so romaji can be cut in one way only.

MORAE = """
ア a     イ i     ウ u     エ e     オ o
カ ka    キ ki    ク ku    ケ ke    コ ko    キャ kya  キュ kyu  キョ kyo
ガ ga    ギ gi    グ gu    ゲ ge    ゴ go    ギャ gya  ギュ gyu  ギョ gyo
サ sa    シ shi   ス su    セ se    ソ so    シャ sha  シュ shu  ショ sho
ザ za    ジ ji    ズ zu    ゼ ze    ゾ zo    ジャ ja   ジュ ju   ジョ jo
タ ta    チ chi   ツ tsu   テ te    ト to    チャ cha  チュ chu  チョ cho
ダ da                      デ de    ド do
ナ na    ニ ni    ヌ nu    ネ ne    ノ no    ニャ nya  ニュ nyu  ニョ nyo
ハ ha    ヒ hi    フ fu    ヘ he    ホ ho    ヒャ hya  ヒュ hyu  ヒョ hyo
バ ba    ビ bi    ブ bu    ベ be    ボ bo    ビャ bya  ビュ byu  ビョ byo
パ pa    ピ pi    プ pu    ペ pe    ポ po    ピャ pya  ピュ pyu  ピョ pyo
マ ma    ミ mi    ム mu    メ me    モ mo    ミャ mya  ミュ myu  ミョ myo
ヤ ya             ユ yu             ヨ yo
ラ ra    リ ri    ル ru    レ re    ロ ro    リャ rya  リュ ryu  リョ ryo
ワ wa

                           イェ ye
         ウィ wi           ウェ we  ウォ wo           ウュ wyu
ヴァ va  ヴィ vi  ヴ vu    ヴェ ve  ヴォ vo  ヴャ vya ヴュ vyu ヴョ vyo
ファ fa  フィ fi           フェ fe  フォ fo  フャ fya フュ fyu フョ fyo
ツァ tsa ツィ tsi          ツェ tse ツォ tso
         ティ ti  トゥ tu                    テャ tya テュ tyu テョ tyo
         ディ di  ドゥ du                    デャ dya デュ dyu デョ dyo
クァ kwa クィ kwi          クェ kwe クォ kwo
グァ gwa グィ gwi          グェ gwe グォ gwo
キェ kye ギェ gye シェ she ジェ je  チェ che ニェ nye
ヒェ hye ビェ bye ピェ pye ミェ mye リェ rye
"""

# Letters whose romaji is read back as another letter.
MERGED = """
ヂ ji    ヅ zu    ヂャ ja  ヂュ ju  ヂョ jo  ヂェ je
ヰ i     ヱ e     ヲ o     ヵ ka    ヶ ga
クヮ kwa グヮ gwa ウァ wa  スィ si  ズィ zi  ブュ byu
"""
# These four exist in katakana only.
MERGED_KATAKANA = "ヷ va ヸ vi ヹ ve ヺ vo"

# Kunrei and typists' spellings that mean no other mora.
VARIANTS = """
シ si    シャ sya シュ syu ショ syo フ hu
ジ zi    ジャ zya ジュ zyu ジョ zyo ジャ jya ジュ jyu ジョ jyo
"""
# Spellings of native morae that would be foreign ones in katakana.
NATIVE = """
ち ti    つ tu    ちゃ tya ちゅ tyu ちょ tyo
ぢ di    づ du    ぢゃ dya ぢゅ dyu ぢょ dyo
ゐ wi    ゑ we    を wo
"""


def kana_pairs(text: str) -> list[tuple[str, str]]:
    """(kana, romaji) from a text in which they alternate."""
    words = text.split()
    return list(zip(words[::2], words[1::2], strict=True))


def to_hiragana(text: str) -> str:
    """Every katakana letter of a text as hiragana; both stand in the same order in Unicode."""
    letters = range(ord("ァ"), ord("ヶ") + 1)
    return text.translate({code: code - 0x60 for code in (*letters, ord("ヽ"), ord("ヾ"))})


FROM_KATAKANA = dict(kana_pairs(MORAE) + kana_pairs(MERGED) + kana_pairs(MERGED_KATAKANA))
# ヵ and ヶ are written between hiragana too, and more often than their small counterparts.
FROM_HIRAGANA = dict([*kana_pairs(to_hiragana(MORAE + MERGED)), ("ヵ", "ka"), ("ヶ", "ga")])
TO_KATAKANA = {romaji: kana for kana, romaji in kana_pairs(MORAE + VARIANTS)}
TO_HIRAGANA = {romaji: kana for kana, romaji in kana_pairs(to_hiragana(MORAE + VARIANTS) + NATIVE)}

# ---------------------------------------------------------------------------------------------
# Symbols and writing. Compatibility forms, such as halfwidth kana, are read as the letters they
# stand for.

KANA = Writing(normal_form="NFKC")
ROMAJI = Writing(normal_form="NFKC", case="lower")
TEXT = Writing()

SMALL = "ァィゥェォ"
OTHERS = "ンッーヽヾ・゠= -"
KATAKANA_LETTERS = sorted({*"".join(FROM_KATAKANA), *SMALL, *OTHERS})
HIRAGANA_LETTERS = sorted({*"".join(FROM_HIRAGANA), *to_hiragana(SMALL + OTHERS)})
ROMAJI_LETTERS = [*"abcdefghijkmnoprstuvwyzāīūēō' -"]

# ---------------------------------------------------------------------------------------------
# Kana to romaji: first what depends on neighbours among kana, then the morae, then what depends
# on neighbours among Latin letters.

ITERATION = """
; 1. Iteration marks: ミスヾ, コヽロ
PLAIN = {カ キ ク ケ コ サ シ ス セ ソ タ チ ツ テ ト ハ ヒ フ ヘ ホ}
VOICED = {ガ ギ グ ゲ ゴ ザ ジ ズ ゼ ゾ ダ ヂ ヅ デ ド バ ビ ブ ベ ボ}
REST = {ア イ ウ エ オ ナ ニ ヌ ネ ノ マ ミ ム メ モ ヤ ユ ヨ ラ リ ル レ ロ ワ}
REST ヽ -> REST REST
PLAIN ヽ -> PLAIN PLAIN
PLAIN ヾ -> PLAIN VOICED
VOICED ヾ -> VOICED VOICED
VOICED ヽ -> VOICED PLAIN
"""

SPECIAL = """
; 2. Small ッ takes the sound of the consonant that follows: マッチャ matcha, マッカ makka
HARD = {b d f g h j k p r s t v w z}
ッ ch -> tch
ッ HARD -> HARD HARD

; 3. ン is told apart from the n of the next mora: ケンイチ ken'ichi, ケニチ kenichi
ン -> n ' / _ {a i u e o y ン}
ン -> n

; 4. Small vowels and the long mark belong to the vowel before
ァ -> a / a _
ィ -> i / i _
ゥ -> u / u _
ェ -> e / e _
ォ -> o / o _
{a i u e o} ー -> {ā ī ū ē ō}
"""

PUNCTUATION = {"・": " ", "゠": "-", "=": "-"}

KATAKANA_TO_ROMAJI = cascade(
    letters=KATAKANA_LETTERS,
    phones=ROMAJI_LETTERS,
    source=KANA,
    target=TEXT,
    rules=[ITERATION, table_of(FROM_KATAKANA | PUNCTUATION, kept="ンッー -" + SMALL), SPECIAL],
    partial=True,
)

HIRAGANA_TO_ROMAJI = cascade(
    letters=HIRAGANA_LETTERS,
    phones=ROMAJI_LETTERS,
    source=KANA,
    target=TEXT,
    rules=[
        to_hiragana(ITERATION),
        table_of(FROM_HIRAGANA | PUNCTUATION, kept=to_hiragana("ンッー -" + SMALL)),
        to_hiragana(SPECIAL),
    ],
    partial=True,
)

# ---------------------------------------------------------------------------------------------
# Romaji to kana: first what romaji writes with the letters of the neighbours, then the morae.

SPELLING = """
; 1. What people type for macrons and apostrophes
{â î û ê ô} -> {ā ī ū ē ō}
{’ ʼ} -> '
"""

LONG_KATAKANA = """
; 2. Long vowels of loanwords: ラーメン
{ā ī ū ē ō} -> {a i u e o} ー
"""

LONG_HIRAGANA = """
; 2. Long vowels of native words: とうきょう
{ā ī ū ē ō} -> {a a, i i, u u, e e, o u}
"""

LETTERS = """
; 3. Moraic n: with an apostrophe, doubled as typists do, before a consonant, at the end;
;    m before lips (Shimbun)
CONSONANT = {b c d f g h j k m n p r s t v w z ン}
n ' -> ン
nn -> ン / _ (CONSONANT | \\  | \\- | #)
n -> ン / _ (CONSONANT | \\  | \\- | #)
m -> ン / _ {b m p} {a i u e o y}

; 4. The first of two consonants; two at a time, for three in a row are no romaji
{tch, cch} -> ッ ch
{bb, dd, ff, gg, hh, jj, kk, pp, rr, ss, tt, vv, ww, zz} -> ッ {b d f g h j k p r s t v w z}
"""

ROMAJI_TO_KATAKANA = cascade(
    letters=[*ROMAJI_LETTERS, *"âîûêô’ʼ"],
    phones=sorted({*"".join(TO_KATAKANA.values()), *"ンッー -"}),
    source=ROMAJI,
    target=TEXT,
    rules=[SPELLING, LONG_KATAKANA, LETTERS, table_of(TO_KATAKANA, kept="ンッー -")],
    partial=True,
)

ROMAJI_TO_HIRAGANA = cascade(
    letters=[*ROMAJI_LETTERS, *"âîûêô’ʼ"],
    phones=sorted({*"".join(TO_HIRAGANA.values()), *"んっ -"}),
    source=ROMAJI,
    target=TEXT,
    rules=[SPELLING, LONG_HIRAGANA, to_hiragana(LETTERS), table_of(TO_HIRAGANA, kept="んっ -")],
    partial=True,
)
