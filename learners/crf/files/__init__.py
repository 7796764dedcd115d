"""Models of Wapiti and CRFsuite, read and written.

Public: `read_wapiti` and `write_wapiti` of `wapiti`; `read_crfsuite` and `write_crfsuite` of
`crfsuite`; `listed.WeightList`.
"""
