"""The hierarchy of bvh.hlsl from the top down, and the queries by trying every primitive."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "common"))
from model import Stream, finish

COUNT, QUERIES, NONE = 200, 40, 0xFFFFFFFF
rng = Stream(99)


def random_box(size):
    low = [rng.next() % 960 for _ in range(3)]
    return low, [v + 1 + rng.next() % size for v in low]


boxes = [random_box(40) for _ in range(COUNT)]
# Some share their codes.
for i in range(10, 20):
    boxes[i] = boxes[9]


def code(box):
    center = [min(max((a + b) // 2, 0), 1023) for a, b in zip(*box)]
    return sum((c >> bit & 1) << (3 * bit + 2 - axis) for axis, c in enumerate(center) for bit in range(10))


keys = sorted((code(b), i) for i, b in enumerate(boxes))
# Equal codes are told apart by their place in the list.
wide = [(k << 32) | place for place, (k, _) in enumerate(keys)]
leaves = COUNT - 1
tree = [None] * (2 * COUNT - 1)
fitted = [None] * (2 * COUNT - 1)
inner_area = []


def half_area(box):
    x, y, z = (b - a for a, b in zip(*box))
    return x * y + y * z + z * x


def build(first, last, index, parent):
    """The node over keys first..=last; inner nodes are numbered by the end of their range that is next to their sibling."""
    if first == last:
        node, primitive = leaves + first, keys[first][1]
        tree[node] = (NONE, NONE, parent, primitive)
        fitted[node] = boxes[primitive]
        return node
    top = (wide[first] ^ wide[last]).bit_length() - 1
    split = max(i for i in range(first, last) if not wide[i] >> top & 1)
    left = build(first, split, split, index)
    right = build(split + 1, last, split + 1, index)
    tree[index] = (left, right, parent, NONE)
    fitted[index] = (
        [min(a, b) for a, b in zip(fitted[left][0], fitted[right][0])],
        [max(a, b) for a, b in zip(fitted[left][1], fitted[right][1])],
    )
    inner_area.append(half_area(fitted[index]))
    return index


build(0, COUNT - 1, 0, NONE)
queries = [random_box(20 + 980 * (i % 2)) for i in range(QUERIES)]
hits = []
for low, high in queries:
    found = [
        i for i, b in enumerate(boxes) if all(l <= h for l, h in zip(low, b[1])) and all(l <= h for l, h in zip(b[0], high))
    ]
    hits.append([len(found), sum(found)])
assert any(h[0] == 0 for h in hits) and any(h[0] > 5 for h in hits)


def fields(box):
    return {"low": list(box[0]), "high": list(box[1])}


nodes = 2 * COUNT - 1
run = {
    "shader": "bvh.hlsl",
    "args": ["-fvk-use-dx-layout"],
    "resources": {
        "Primitives": {"structs": [fields(b) for b in boxes]},
        "Sorted": {"zero_bytes": 8 * COUNT},
        "Tree": {"zero_bytes": 16 * nodes},
        "Boxes": {"zero_bytes": 24 * nodes},
        "Visits": {"zero_bytes": 4 * nodes},
        "Cost": {"zero_bytes": 16},
        "Hits": {"zero_bytes": 8 * QUERIES},
    },
    "dispatch": [
        {"inputs": [{"node": "Sort", "records": [{"count": COUNT}]}]},
        {
            "inputs": [
                {"node": "Query", "records": [{"box": fields(q), "slot": i} for i, q in enumerate(queries)]}
            ]
        },
    ],
    "expect": {
        "Sorted": {"u32": [w for key in keys for w in key]},
        "Tree": {"u32": [w for node in tree for w in node]},
        "Boxes": {"i32": [w for low, high in fitted for w in (*low, *high)]},
        "Visits": {"u32": [2] * leaves + [0] * COUNT},
        "Cost": {"f64": [sum(inner_area) / half_area(fitted[0]), leaves], "rel": 1e-14},
        "Hits": {"u32": [w for hit in hits for w in hit]},
    },
    "expect_records": {"Sort": 1, "Build": 1, "Refit": 1, "SumCost": 1, "Query": QUERIES},
}
finish(__file__, run)
