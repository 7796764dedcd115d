"""Where things stand in a picture: nothing clipped, nothing overlaps, and ways lead right."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given

from glyphone.drawing.graphs import Graph, graph_of_machine
from glyphone.drawing.layout import Box, layout
from glyphone.drawing.svg import label_box, node_box, to_svg
from tests.glyphone.drawing.support import elements, graphs, machine


@given(graphs())
def test_nothing_is_clipped(graph: Graph) -> None:
    (root,) = elements(graph, "svg")
    x, y, width, height = map(float, root.attrib["viewBox"].split())
    for path in elements(graph, "path")[1:]:  # after that of the arrow
        numbers = [float(value) for value in re.findall(r"-?[\d.]+", path.attrib["d"])]
        assert all(x <= across <= x + width for across in numbers[::2])
        assert all(y <= down <= y + height for down in numbers[1::2])


@given(graphs())
def test_nothing_overlaps(graph: Graph) -> None:
    """Neither labels nor states, and no edge runs through one that it does not touch."""
    loops = {edge.source: edge for edge in graph.edges if edge.source == edge.target}
    boxes = [
        node_box(loops.get(node), graph.finals.get(node, "")) for node in range(len(graph.nodes))
    ]
    labels = [label_box(edge.label) for edge in graph.edges]
    ends = [(edge.source, edge.target) for edge in graph.edges]
    place = layout(boxes, ends, labels, start=graph.start)
    taken = [(x, y, box) for (x, y), box in zip(place.nodes, boxes, strict=True)]
    passed = set()
    for stops, box in zip(place.stops, labels, strict=True):
        for number, stop in enumerate(stops):
            middle = (stop.left + stop.right) / 2
            if number:
                passed.add((middle, stop.y))
                assert abs(stop.fall) < 5
            else:
                taken.append((middle, stop.y, box))
    taken += [(x, y, Box(0, 0, 0)) for x, y in passed]
    spaces = sorted((x, y - box.up, y + box.down, box.width) for x, y, box in taken)
    for (x, _, down, width), (next_x, up, _, next_width) in pairwise(spaces):
        assert down < up or x + width / 2 < next_x - next_width / 2


@given(graphs())
def test_the_start_stands_left(graph: Graph) -> None:
    boxes = [Box(10, 5, 5)] * len(graph.nodes)
    ends = [(edge.source, edge.target) for edge in graph.edges]
    place = layout(boxes, ends, [Box(8, 4, 4)] * len(ends), start=graph.start)
    if graph.start is not None:
        assert place.nodes[graph.start][0] == min(x for x, _ in place.nodes)


@given(graphs())
def test_without_cycles_all_edges_lead_right(graph: Graph) -> None:
    ends = [(edge.source, edge.target) for edge in graph.edges if edge.source < edge.target]
    place = layout([Box(10, 5, 5)] * len(graph.nodes), ends, [Box(8, 4, 4)] * len(ends), start=None)
    assert all(place.nodes[source][0] < place.nodes[target][0] for source, target in ends)


def test_edges_to_one_state_share_their_way_and_one_arrow() -> None:
    back = [(k, 2, 2, 0, 0) for k in range(3, 9)]
    chain = machine([(k, 1, 1, 0, k + 1) for k in range(8)] + back, [0.0] * 9)
    svg = to_svg(graph_of_machine(chain))
    assert svg.count("marker-end") == 8 + 1 + 1  # forwards, all the ways back, into the start
