"""Word lists of the German grammar: members of compounds, and stems that look like prefixes.

A list has beginnings of words: `arbeit` stands for Arbeiten, Arbeiter, arbeitslos. All lists were
written from general knowledge of the language.
"""

from __future__ import annotations


def named_sets(**lists: str) -> str:
    """Names for sets of strings, in the notation of rules.

    >>> named_sets(SEA="see meer")
    'SEA = {see, meer}'
    """
    return "\n".join(f"{name} = {{{', '.join(words.split())}}}" for name, words in lists.items())


# Prefixes that can stand apart from the verb, those without stress, and what they are not in.
PREFIXES = named_sets(
    SEPARABLE="""ab an auf aus bei dar durch ein fort gegen her hin hinter los mit nach neben
        nieder ober über um unter ur vor weg wider wieder zu zurück""",
    NOTSEPARABLE="""aben aber abi abo absol abstra absur abt ana ande ani anna anno ano anti anu
        angeln angelr angelh angels anger angst angin anglo angli ango angu anker auster austra
        beiß beid bein beiz eine eini einz eins mitt urin urba nacht lose lost losu herm darm darl
        darw fortu herb herd herr herz hering hinde hint wege vorn vord vori zugs zugz zugf zum zur
        zuc zun uni""",
    INSEPARABLE="be ge ver er zer ent miss",
    NOTINSEPARABLE="""beb beck bei bell benz berg berl bern bess bers besen besten bester bestes
        bestem bestm bett becher beere gebe gegen gegn gehe geht gehs geist geiz geig gelb geld
        gele gelt genf gent geno gene geni geo germ gern gerb gerst geste gesti erbe erbs erbt erd
        ern ersten erster erstes erstem erstb erstd erstf erstg erstk erstl erstm ersts erstv erstw
        ero eri era ergo ente verg verse versm zere""",
)

MEMBERS = named_sets(
    # Anywhere behind a vowel.
    STONE="""stein stell stand stadt städt stück stoff straß strahl strom streif streit steuer
        stimm stift stich stoß sturm stuhl stund stünd stufe studi stab stamm stärk strick stütz
        strecke steig störung staub stahl spiel sprach spruch spitz spann spalt spur sprech spring
        sprung spend speich speis""",
    CONTRACT="""verb verf verh verk verl verp verr vertr vertei verw verz versich versuch versorg
        verein verant verarb""",
    # Behind a consonant only, where they are not parts of other words.
    STATE="""struk stern staat stall stäm stang stäng strauch strand strumpf strich stecher steck
        storch stör ständ stäub stock spaß spezi spieg spinn sperr spät speer speck splitt sporn
        spül versch verst versi verso versu versa""",
    WORK="""arbeit anlag anstalt anspruch anfang anfäng angriff anstieg angst antrag anteil anzeig
        angab angebot apparat abend abteil abstand amt anwalt ausschu ausbild eigen eingang einheit
        einricht energie entwickl entscheid erfahr erklär erzeug ordnung organ unter übung über
        umsatz opfer industrie institut instrument inhalt öffn artig ähnlich urlaub""",
    # Behind the s that links members.
    ORDER="""auf aus ab amt ans anf ang anl anr anw anz einh einr eins einz eing einf einb erb erf
        erg erh erk erl erm erö ers erw erz ord org ort unf unt umf ums umw umg inf ins int inh""",
    # Behind a consonant, or a consonant and e.
    LAW="""gerä gericht gesetz gesell gebiet gebäud gefahr gefühl gehalt geheim gelände gerecht
        gesch gespräch gestalt gesund getränk gewalt gewebe gewinn gewicht gemein gelenk gewehr
        gebühr gedicht gedank gefäß gefährt gehör gemüse geräusch geruch gerade beamt bedarf beding
        begriff behand behörd bereich bericht beruf beschaff besitz bestand bestimm besuch beteil
        betrieb beweg bewert bezirk bezug""",
    # With s, behind consonants that would take the voice from it.
    SALT="""säul säur sahn supp saft säft samml säng säug send serv sinn siedl sohn söhn soll sorg
        sort sünd sack säck säg sicher seel sucht süch sach säch saal satz sätz setz sicht seit
        sitz suche süd süß sonn silber sieb salz salat sand""",
    # With l and r, behind consonants that could make an onset with them.
    AIR="""lag lang läng läuf lauf leb leit lied lieg linie loch lös lust luft land last raum recht
        reich ring rauch rand rad räd rat regel reif reih rein reis rest richt ritt riss rock rohr
        roll rück ruf ruh rund rüst""",
    # With h, behind consonants that make other sounds with it.
    HOUSE="""halt hand hau heb hei hilf hof hoh höh hör hol hund hüt haf haar hal herr herz held
        hemd henn hitz hoch horn hos huhn hut hell""",
)

# First members: in -d, with a long vowel before one consonant, and in -e.
FIRST_MEMBERS = named_sets(
    HAND="""rund land hand mund grund wind bild wald wild gold geld feld mord nord süd abend""",
    SCHOOL="""schul natur kultur öl hör tür schlaf brot blut grün strom atom spar flug rot fuß tor
        chor papier salat sozial kapital spezial real signal normal general zentral asyl magnet
        telefon hormon mobil profil stil stör spül trüb immun alkohol""",
    JOURNEY="""reise speise rede klebe lade liebe pflege mode wärme kälte hunde pferde tage wage
        bade halte warte schwebe ernte kohle küste käse ende auge presse klasse masse farbe säge
        lese wäsche lage wiese""",
)
