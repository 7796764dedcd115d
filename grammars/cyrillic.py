"""Cyrillic letters of Russian, of today and before 1918, with their Latin letters in ISO 9."""

SMALL = "а б в г д е ё ж з и й к л м н о п р с т у ф х ц ч ш щ ъ ы ь э ю я"
SMALL_OLD = "і ѣ ѳ ѵ"

# ISO 9 in the same order; ъ and ь have no capitals in Latin.
ISO_SMALL = "a b v g d e ë ž z i j k l m n o p r s t u f h c č š ŝ ʺ y ʹ è û â"
ISO_SMALL_OLD = "ì ě f̀ ỳ"

# Written alike in both scripts.
COMMON = [" ", *"-–—'’.,:;!?…()«»„“”\"/№0123456789"]
