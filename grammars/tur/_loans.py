"""Long vowels of Arabic and Persian loanwords in Turkish, which the orthography leaves out.

A long vowel is kept in an open syllable and shortened in a closed one: hayat [h a j a t], hayatı
[h a j aː t ɯ] (G. Lewis, *Turkish Grammar*, 2000, I.9; Türk Dil Kurumu, *Türkçe Sözlük*, 2011).
Some patterns of Arabic show where the vowels were long: verbal nouns in -āCet, iCCāC and istiCCāC,
participles in muCāCiC. The other stems have to be listed, with a macron on each long vowel.

>>> lengthening_rule("ādil kātip")
'{adil, katip} -> {ādil, kātip} / EDGE _'
"""

from __future__ import annotations

SHORT = str.maketrans("āēīū", "aeiu")

# Stems that go on with any ending. None begins with another one.
STEMS = (
    "ācil āciz ādil āfet āhenk ākıbet akīde akrabā alāka ālem ālim āniden ārıza āşık āşikār āyet "
    "āyin bāriz bāzen bāzı bedāva belā bināen birāder cāhil cāiz cāmi cāni çāre cāri cāsus cāzibe "
    "cenāze cevāb cezā cumhūr dāim dāir dāvā dāvet dehā dünyā ecdād efkār eşkıyā eşyā evliyā fāil "
    "fāiz fāni fāre fazīlet fedāi fezā gālib gālip gāye gāziantep gıdā hādise hāfız hāin hāmil "
    "hāne hāriç hārika hāsıl hātıra hayāl hayāt hazīne hicāb hikāye himāye hukūk hülyā hurāfe "
    "icāb iddiā irāde isyān kābil kābus kādir kāfiye kāide kāinat kāmil kanāat kānun kāşif kātib "
    "kātip kelām kimyā kināye kirā kırāat lākin lāle lānet lāyık lāzım lisān maālesef māhir mālik "
    "mālum mānevi māruz māsum māvi māzeret māzi mecāz mecbūr melāike memnūn mēmur merāk mesāfe "
    "mesāi meşāle mesūl mevzū mēzun mīlad mīmar mīras mizāc mūcize murād mūteber nādir nāfile "
    "nāhoş nāmus nārin nāzik netīce nihāyet nişān nizām pādişah perīşan piyāde rāhip refāh rūhi "
    "saādet sābık sābit sāde sādık şāheser sāhib sāhil şāhin sāhip şāhit sāik şāir sākin sālim "
    "samīmi sāniye sāye şāyet şefāat sermāye sevdā şifā şikār silāhı siyās sūre tābi tāhir tahmīn "
    "tāife tākib tākip tālih tālim tāmir tāne tārif tārih tarīkat tāviz tāyin tāze tāziye tēhir "
    "tēkit tēlif tēmin tēsir tēsis tēyit tezād ulemā umūm vāde vādi vāli vāris vāsıta vazīfe vedā "
    "vesīle yāni zābit zāhir zālim zarūr zāten ziyān ziyāret"
)


def lengthening_rule(stems: str) -> str:
    """The rule that restores the long vowels of stems, given with their macrons."""
    marked = stems.split()
    plain = [stem.translate(SHORT) for stem in marked]
    return f"{{{', '.join(plain)}}} -> {{{', '.join(marked)}}} / EDGE _"


LOANS = rf"""
    ; 4. Long vowels by the patterns of Arabic and by Persian endings.
    a -> ā / VOWEL CONS _ CONS e t                  ; siyaset, ihanet
    a -> ā / EDGE m {{u ü}} CONS _ CONS? VOWEL      ; mukabele, müsait
    a -> ā / EDGE t e CONS _ CONS {{i u ü}}         ; tesadüf, tedavi
    NE = n e (EDGE | {{l e r, y e, y i, n i n, s i, d e}})
    a -> ā / CONS _ NE                              ; hane, kestaneler
    a -> ā / EDGE i CONS CONS _ (EDGE | CONS {{i u ı}})                      ; imza, iptali
    a -> ā / EDGE i CONS CONS i CONS CONS? _ (EDGE | CONS {{a e i u ı}})     ; istifa, ihtiyacı
    a -> ā / EDGE i CONS _ CONS {{a e}}             ; idare, ifade
    a -> ā / _ y e                                  ; himaye, vilayet
    i -> ī / EDGE _ (d a m | l a n | z a h | k a z | c a t | m a l | m a n | k a n)
    i -> ī / EDGE _ t i {{b d k m n r}} a           ; itibar, itiraz
    i -> ī / CONS e v _ EDGE                        ; manevi, uhrevi
    i -> ī / EDGE t {{a e}} CONS CONS _ {{b d f k l m r}} {{a e i}}          ; taklidi
    u -> ū / _ {{l m n r}} i y e t                  ; memnuniyet
    ; 5. Words that only a dictionary has.
    {lengthening_rule(STEMS)}

    ; 6. Long vowels are short in closed syllables.
    {{ā ī ū}} -> {{a i u}} / _ CONS (CONS | EDGE)
    ā -> a / _ ğ                                    ; kâğıt
"""
