"""Telephone numbers, first phase: a grammar proposes candidates.

Public: `Finder` and `ProposalOptions` of `finder`; `NumberProposals` of `proposals`; `NumberPlan`
of `plans`.
"""
