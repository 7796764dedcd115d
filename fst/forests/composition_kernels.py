"""Kernels: forests through a deterministic weighted automaton, each node by its context.

Jansche (2005): node N of a forest, after state a of the automaton, ends in some states c. The pair
(N, a) is expanded once, and has an item (a, N, c) for each c. An item has an arc for each choice
(L, R) of N and each state b between them: the items (a, L, b) and (b, R, c). Forests are binary
here (see `glyphone.fst.forests.packing`): a choice has two children, one, or none, which is -1.

Items come below those that need them, the items of a pair and the arcs of an item together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling

find_slot = sibling(__name__, "glyphone.data.kernels.arrays").find_slot

Array = Any
INNER, NOTHING = -1, -1
WAITING = -1  # what the first item of a pair is that is not expanded yet
OK, NO_ROOM = 0, -2
N_PAIRS, N_ITEMS, N_ARCS, N_STATES = 0, 1, 2, 3
# Columns.
FIRST, LAST, ARC = 2, 3, 2


class Automaton(NamedTuple):
    """Arcs sorted by state and token; a token that a state lacks may be in the one that it backs
    off to.

    The token `end` has the weight of ending. Backoffs lead to -1 where there is nothing more.
    """

    start: int
    end: int
    offsets: Array
    tokens: Array
    log_probs: Array
    targets: Array
    backoff_states: Array
    backoffs: Array


class PackedForests(NamedTuple):
    """Binary forests: forest i owns the nodes bounds[i] to bounds[i + 1], its root the last.

    `sources` are the choices of the forest that was packed, -1 for those of nodes that were put
    between. `draws[i]` to `draws[i + 1]` is room for the random numbers, or choices,
    of one tree of forest i.
    """

    bounds: Array
    symbols: Array
    offsets: Array
    lefts: Array
    rights: Array
    patterns: Array
    log_weights: Array
    sources: Array
    draws: Array


class ForestRoom(NamedTuple):
    """Room for one composed forest, and the tables that it is made with."""

    sizes: Array  # how many pairs, items, arcs, and states there are
    pairs: Array  # node, number of the state, first item, and the one behind the last
    items: Array  # pair, number of the state behind it, first arc; one row more than items
    arcs: Array  # choice, left and right item, or -1
    states: Array  # state of the automaton; visit that met it last, and its item there
    pair_keys: Array  # hashed: node times room, plus the number of the state
    pair_slots: Array
    state_keys: Array  # hashed: states of the automaton
    state_slots: Array
    agenda: Array
    drafts: Array  # arcs of a pair as they are found: choice, left, right, item


@kernel
def forest_room(room: int) -> ForestRoom:
    """Room for as many pairs, items and states, and four times as many arcs."""
    size = 1
    while size < 2 * room:
        size *= 2
    return ForestRoom(
        np.zeros(4, np.int64),
        np.empty((room, 4), np.int64),
        np.empty((room + 1, 3), np.int64),
        np.empty((4 * room, 3), np.int64),
        np.empty((room, 3), np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(4 * room, np.int64),
        np.empty((4 * room, 4), np.int64),
    )


@leaf
def token_step(automaton: Automaton, state: int, token: int) -> tuple[float, int]:
    """The log weight of a token after a state, and the next state, which is -1 if there is none."""
    weight = 0.0
    while state >= 0:
        low, end = automaton.offsets[state], automaton.offsets[state + 1]
        if low + token < end and automaton.tokens[low + token] == token:
            low = low + token  # as in every state that has all tokens
        else:
            high = end
            while low < high:
                middle = (low + high) // 2
                if automaton.tokens[middle] < token:
                    low = middle + 1
                else:
                    high = middle
        if low < end and automaton.tokens[low] == token:
            return weight + automaton.log_probs[low], automaton.targets[low]
        weight += automaton.backoffs[state]
        state = automaton.backoff_states[state]
    return -np.inf, -1


@leaf
def state_number(
    state: int, sizes: Array, states: Array, state_keys: Array, state_slots: Array
) -> int:
    """The number of a state of the automaton among those that were met; NO_ROOM if it has no
    room."""
    place = find_slot(state_keys, state)
    if state_keys[place] == -1:
        if sizes[N_STATES] == len(states):
            return NO_ROOM
        state_keys[place], state_slots[place] = state, sizes[N_STATES]
        states[sizes[N_STATES], 0], states[sizes[N_STATES], 1] = state, -1
        sizes[N_STATES] += 1
    number: int = state_slots[place]
    return number


@leaf
def pair_number(
    node: int, first: int, state: int, sizes: Array, pairs: Array, keys: Array, slots: Array
) -> int:
    """The number of the pair of a node, in a forest from `first` on, and a state; NO_ROOM if it has
    no room."""
    key = (node - first) * len(pairs) + state
    place = find_slot(keys, key)
    if keys[place] == -1:
        pair = sizes[N_PAIRS]
        if pair == len(pairs):
            return NO_ROOM
        keys[place], slots[place] = key, pair
        pairs[pair, 0], pairs[pair, 1], pairs[pair, FIRST] = node, state, WAITING
        sizes[N_PAIRS] += 1
    number: int = slots[place]
    return number


@kernel
def compose_forest(
    packed: PackedForests, forest: int, automaton: Automaton, space: ForestRoom
) -> int:
    """Write the items and arcs of a forest; NO_ROOM if there are more than there is room for.

    Pair 0 is that of the root. A pair waits on the agenda until all that it needs is expanded: its
    left children in its own context, then its right children behind each of their items. All arrays
    have names of their own here: to hand the records to functions took most of the time.
    """
    symbols, offsets, lefts, rights = packed.symbols, packed.offsets, packed.lefts, packed.rights
    sizes, pairs, items, arcs, states, keys, slots, state_keys, state_slots, agenda, drafts = space
    state_keys[:] = -1
    keys[:] = -1
    sizes[:] = 0
    items[0, ARC] = 0
    begin = packed.bounds[forest]
    start = state_number(automaton.start, sizes, states, state_keys, state_slots)
    pair_number(packed.bounds[forest + 1] - 1, begin, start, sizes, pairs, keys, slots)
    agenda[0] = 0
    waiting, visit = 1, 0
    while waiting > 0:
        pair = agenda[waiting - 1]
        if pairs[pair, FIRST] != WAITING:
            waiting -= 1
            continue
        node, state = pairs[pair, 0], pairs[pair, 1]
        before, last, n_drafts = waiting, sizes[N_ITEMS], 0
        visit += 1
        if symbols[node] != INNER:
            log_prob, after = token_step(automaton, states[state, 0], symbols[node])
            if log_prob > -np.inf:
                number = state_number(after, sizes, states, state_keys, state_slots)
                if number == NO_ROOM or last == len(pairs):
                    return NO_ROOM
                items[last, 0], items[last, 1] = pair, number
                items[last + 1, ARC] = items[last, ARC]
                last += 1
        for choice in range(offsets[node], offsets[node + 1]):
            left, right = lefts[choice], rights[choice]
            low, high = -1, 0  # of nothing there is one item, -1
            if left != NOTHING:
                other = pair_number(left, begin, state, sizes, pairs, keys, slots)
                if other == NO_ROOM or waiting == len(agenda):
                    return NO_ROOM
                if pairs[other, FIRST] == WAITING:
                    agenda[waiting] = other
                    waiting += 1
                    continue
                low, high = pairs[other, FIRST], pairs[other, LAST]
            for item in range(low, high):
                between = state if item < 0 else items[item, 1]
                next_low, next_high = -1, 0
                if right != NOTHING:
                    other = pair_number(right, begin, between, sizes, pairs, keys, slots)
                    if other == NO_ROOM or waiting == len(agenda):
                        return NO_ROOM
                    if pairs[other, FIRST] == WAITING:
                        agenda[waiting] = other
                        waiting += 1
                        continue
                    next_low, next_high = pairs[other, FIRST], pairs[other, LAST]
                if waiting > before:
                    continue  # it has to be visited again
                if n_drafts + next_high - next_low > len(drafts):
                    return NO_ROOM
                for other in range(next_low, next_high):
                    after = between if other < 0 else items[other, 1]
                    if states[after, 1] != visit:
                        if last == len(pairs):
                            return NO_ROOM
                        states[after, 1], states[after, 2] = visit, last
                        items[last, 0], items[last, 1], items[last + 1, ARC] = pair, after, 0
                        last += 1
                    drafts[n_drafts, 0], drafts[n_drafts, 1] = choice, item
                    drafts[n_drafts, 2], drafts[n_drafts, 3] = other, states[after, 2]
                    items[states[after, 2] + 1, ARC] += 1
                    n_drafts += 1
        if waiting == before:
            if sizes[N_ARCS] + n_drafts > len(arcs):
                return NO_ROOM
            sort_arcs(items, arcs, drafts[:n_drafts], sizes[N_ITEMS], last)
            pairs[pair, FIRST], pairs[pair, LAST] = sizes[N_ITEMS], last
            sizes[N_ITEMS], sizes[N_ARCS] = last, sizes[N_ARCS] + n_drafts
            waiting -= 1
    return OK


@leaf
def sort_arcs(items: Array, arcs: Array, drafts: Array, first: int, last: int) -> None:
    """Write the arcs of some items to their places; each was counted in the item behind its own."""
    begin = items[first, ARC]
    if len(drafts) == 0:
        return
    for item in range(first, last):
        items[item + 1, ARC] += items[item, ARC]
    for row in range(len(drafts)):
        arc = items[drafts[row, 3], ARC]
        arcs[arc, 0], arcs[arc, 1], arcs[arc, 2] = drafts[row, 0], drafts[row, 1], drafts[row, 2]
        items[drafts[row, 3], ARC] += 1
    for item in range(last, first, -1):  # where arcs of an item end, those of the next begin
        items[item, ARC] = items[item - 1, ARC]
    items[first, ARC] = begin
