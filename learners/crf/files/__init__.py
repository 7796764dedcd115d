"""Models of Wapiti and CRFsuite, read and written.

Public: `read_wapiti`, `write_wapiti`, `read_crfsuite`, `write_crfsuite`.
"""
