"""The city of city.hlsl, derived by recursion."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "common"))
from model import Stream, finish, hash_of, unorm8

SIZE, DEPTH, TOWER_DEPTH, LIMIT, LIGHT = 128, 9, 2, 12, (-1, -1)
WEIGHTS = (8, 4, 2, 3)
HOUSE, TOWER, PLAZA, PARK = range(4)
GROUND, BRICK, ROOF, GLASS, TREE = range(5)
height_map = {}
tally = [0] * 4
boxes = []
consumed = {"District": 0, "Lot": 0}


def stamp(x, y, w, h, height, kind):
    boxes.append(w * h * height)
    for j in range(y, y + h):
        for i in range(x, x + w):
            height_map[i, j] = max(height_map.get((i, j), (0, 0)), (height, kind))


def tower(x, y, w, h, seed, base, level):
    consumed["Lot"] += 1
    top = base + 8 + seed % 12
    stamp(x, y, w, h, top, GLASS)
    if w > 3 and h > 3 and level < TOWER_DEPTH:
        tower(x + 1, y + 1, w - 2, h - 2, hash_of(seed), top, level + 1)


def build(rule, x, y, w, h, seed):
    if rule == TOWER:
        tower(x, y, w, h, seed, 0, 0)
        return
    consumed["Lot"] += 1
    if rule == HOUSE:
        walls = 3 + seed % 4
        stamp(x, y, w, h, walls, BRICK)
        if w > 4 and h > 4:
            stamp(x + 1, y + 1, w - 2, h - 2, walls + 2, ROOF)
    else:
        for i in range(3):
            rng = Stream(hash_of(seed, i))
            at = (x + rng.next() % (w - 1), y + rng.next() % (h - 1))
            stamp(*at, 2, 2, 2 + rng.next() % 3, TREE)


def district(x, y, w, h, seed, level):
    consumed["District"] += 1
    rng = Stream(seed)
    length = max(w, h)
    if length > LIMIT and level < DEPTH:
        at = length // 3 + rng.next() % (length // 3)
        gap = at + (3 if length > 40 else 1)
        if w >= h:
            district(x, y, at, h, hash_of(seed, 1), level + 1)
            district(x + gap, y, w - gap, h, hash_of(seed, 2), level + 1)
        else:
            district(x, y, w, at, hash_of(seed, 1), level + 1)
            district(x, y + gap, w, h - gap, hash_of(seed, 2), level + 1)
        return
    ticket = rng.next() % sum(WEIGHTS)
    rule = next(r for r in range(4) if ticket < sum(WEIGHTS[: r + 1]))
    tally[rule] += 1
    if rule != PLAZA and w >= 4 and h >= 4:
        build(rule, x + 1, y + 1, w - 2, h - 2, rng.next())


PLAN = [
    {"lower": [2, 2], "extent": [76, 124], "seed": 11},
    {"lower": [82, 2], "extent": [44, 60], "seed": 5},
    {"lower": [82, 66], "extent": [44, 60], "seed": 23},
]
for plan in PLAN:
    district(*plan["lower"], *plan["extent"], plan["seed"], 0)
assert all(tally)

FINISHES = (
    (0.42, 0.43, 0.45), (0.62, 0.35, 0.28), (0.50, 0.22, 0.18), (0.45, 0.60, 0.72), (0.20, 0.42, 0.18),
)
texels, words = [], []
for y in range(SIZE):
    for x in range(SIZE):
        height, kind = height_map.get((x, y), (0, GROUND))
        words.append(height << 8 | kind)
        lit = all(
            height_map.get((x + s * LIGHT[0], y + s * LIGHT[1]), (0, 0))[0] <= height + 2 * s for s in range(1, 24)
        )
        shade = (1.0 if lit else 0.55) * (0.7 + 0.3 * min(height, 48) / 48)
        texels.append(tuple(unorm8(c * shade) for c in FINISHES[kind]) + (255,))

run = {
    "shader": "city.hlsl",
    "resources": {
        "HeightMap": {"image": {"format": "r32_uint", "size": [SIZE, SIZE]}},
        "Picture": {"image": {"format": "rgba8_unorm", "size": [SIZE, SIZE]}},
        "LotsOfRule": {"zero_bytes": 16},
        "Volume": {"zero_bytes": 16},
    },
    "dispatch": [
        {"inputs": [{"node": "District", "records": PLAN}]},
        {"inputs": [{"node": "Draw", "records": [{"tiles": [SIZE // 8, SIZE // 8, 1], "light": LIGHT}]}]},
    ],
    "expect": {
        "Picture": {"png": "city.png", "max_channel_error": 1},
        "LotsOfRule": {"u32": tally},
        "Volume": {"u64": [len(boxes), sum(boxes)]},
    },
    "expect_records": {**consumed, "Tally": sum(tally), "Stamp": len(boxes), "Measure": len(boxes)},
}
finish(__file__, run, {"city.png": ((SIZE, SIZE), texels)})
