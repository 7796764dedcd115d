"""Telephone numbers, first phase: a grammar proposes candidates.

Public: `Finder` and `ProposalOptions` of `finder`; `Proposals` of `proposals`; `NumberPlan` of
`plans`.
"""
