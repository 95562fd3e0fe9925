"""Balls of clusters, and which of them clusters.hlsl draws, pixel by pixel."""

import math
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "common"))
from model import finish, hash_of, unorm8

SCREEN, LEVELS, UNIT, SUB, LIMIT = 128, 3, 14, 4, 3
LIGHT = (-0.5, -0.75)
INSTANCES = [
    {"center": [60, 62], "radius": 52, "depth": 500, "tint": [0.95, 0.75, 0.55]},
    {"center": [104, 100], "radius": 20, "depth": 560, "tint": [0.45, 0.75, 0.95]},
    {"center": [20, 108], "radius": 13, "depth": 560, "tint": [0.60, 0.95, 0.50]},
    {"center": [112, 18], "radius": 7, "depth": 480, "tint": [0.95, 0.45, 0.60]},
    {"center": [30, 24], "radius": 30, "depth": 450, "tint": [0.80, 0.60, 0.95]},
    {"center": [160, 64], "radius": 30, "depth": 450, "tint": [1.0, 1.0, 1.0]},
]


def unit(v):
    length = math.sqrt(sum(c * c for c in v))
    return tuple(c / length for c in v)


def middle(a, b):
    return unit([x + y for x, y in zip(a, b)])


def quarters(t):
    a, b, c = t
    ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
    return [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]


def stored(v):
    stripes = math.sin(9 * v[1] + 3 * math.sin(4 * v[0]))
    return [*(round(c * 2**UNIT) for c in v), 150 + round(100 * stripes)]


# A cluster covers a triangle of the octahedron, or a quarter of what its parent covers, by 16 triangles.
clusters = []
roots = []
for sz in (1, -1):
    for sy in (1, -1):
        for sx in (1, -1):
            corners = [(sx, 0, 0), (0, sy, 0), (0, 0, sz)]
            # Front faces turn the same way.
            roots.append(tuple(corners if sx * sy * sz > 0 else corners[::-1]))
clusters = [{"area": t, "level": 0} for t in roots]
for cluster in clusters:
    small = [q for h in quarters(cluster["area"]) for q in quarters(h)]
    cluster["triangles"] = [[stored(v) for v in t] for t in small]
    side = math.dist(cluster["area"][0], cluster["area"][1]) / 4
    cluster["error"] = round(2**UNIT * (1 - math.sqrt(1 - side * side / 3)))
    cluster["nearest"] = max(v[2] for t in cluster["triangles"] for v in t)
    cluster["children"] = (0, 0)
    if cluster["level"] + 1 < LEVELS:
        cluster["children"] = (len(clusters), 4)
        clusters += [{"area": q, "level": cluster["level"] + 1} for q in quarters(cluster["area"])]

data, triangles = b"", b""
start = 16 * len(clusters)
for c in clusters:
    data += struct.pack("<IIHHhh", start + len(triangles), *c["children"], c["error"], c["nearest"], c["level"])
    triangles += b"".join(struct.pack("<4h", *v) for t in c["triangles"] for v in t)
data += triangles

visibility = [0] * (SCREEN * SCREEN)
drawn, culled, visited = [], [0] * LEVELS, 0


def edge(a, b, p):
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def rasterize(number, index):
    inst = INSTANCES[number]
    for which, t in enumerate(clusters[index]["triangles"]):
        p = [
            [(inst["center"][k] << SUB) + ((v[k] * inst["radius"]) >> (UNIT - SUB)) for k in (0, 1)]
            + [inst["depth"] + ((v[2] * inst["radius"]) >> UNIT)]
            for v in t
        ]
        area = edge(*p)
        if area <= 0:
            continue
        xs, ys = [q[0] >> SUB for q in p], [q[1] >> SUB for q in p]
        for y in range(max(min(ys), 0), min(max(ys), SCREEN - 1) + 1):
            for x in range(max(min(xs), 0), min(max(xs), SCREEN - 1) + 1):
                s = (x * 16 + 8, y * 16 + 8)
                w = edge(p[1], p[2], s), edge(p[2], p[0], s), edge(p[0], p[1], s)
                if min(w) >= 0:
                    depth = sum(a * q[2] for a, q in zip(w, p)) // area
                    word = depth << 32 | number << 24 | index << 8 | which
                    visibility[y * SCREEN + x] = max(visibility[y * SCREEN + x], word)


def visit(number, index):
    global visited
    visited += 1
    c = clusters[index]
    if c["nearest"] <= 0:
        culled[c["level"]] += 1
    elif (c["error"] * INSTANCES[number]["radius"]) >> (UNIT - SUB) > LIMIT and c["children"][1]:
        for i in range(4):
            visit(number, c["children"][0] + i)
    else:
        drawn.append([number, index])
        rasterize(number, index)


for number, inst in enumerate(INSTANCES):
    if all(c + inst["radius"] >= 0 and c - inst["radius"] < SCREEN for c in inst["center"]):
        for root in range(8):
            visit(number, root)
levels_drawn = {clusters[i]["level"] for _, i in drawn}
assert levels_drawn == {0, 1, 2} and culled[0] and drawn

light = unit((*LIGHT, 1.0))
texels = []
for y in range(SCREEN):
    for x in range(SCREEN):
        word = visibility[y * SCREEN + x]
        t = y / (SCREEN - 1)
        color = [a + (b - a) * t for a, b in zip((0.05, 0.06, 0.10), (0.16, 0.14, 0.22))]
        if word:
            index = word >> 8 & 0xFFFF
            corners = clusters[index]["triangles"][word & 0xFF]
            normal = unit([sum(v[k] for v in corners) for k in range(3)])
            diffuse = max(0, sum(a * b for a, b in zip(normal, light)))
            vary = 0.8 + 0.2 * (hash_of(index) & 0xFF) / 255
            bright = sum(v[3] for v in corners) / (3 * 255) * vary * (0.15 + 0.85 * diffuse)
            color = [c * bright for c in INSTANCES[word >> 24 & 0xFF]["tint"]]
        texels.append(tuple(map(unorm8, color)) + (255,))

run = {
    "shader": "clusters.hlsl",
    "args": ["-enable-16bit-types"],
    "resources": {
        "Geometry": {"file": "geometry.bin"},
        "Scene": {"structs": INSTANCES},
        "Visibility": {"zero_bytes": 8 * SCREEN * SCREEN},
        "Drawn": {"zero_bytes": 8 * (len(drawn) + 16)},
        "counter.var.Drawn": {"u32": [0]},
        "Culled": {"zero_bytes": 4 * LEVELS},
        "Picture": {"image": {"format": "rgba8_unorm", "size": [SCREEN, SCREEN]}},
    },
    "dispatch": [
        {"inputs": [{"node": "Instances", "records": [{"instance": i} for i in range(len(INSTANCES))]}]},
        {"inputs": [{"node": "Resolve", "records": [{"tiles": [SCREEN // 8] * 2, "light": LIGHT}]}]},
    ],
    "expect": {
        "Drawn": {"structs": drawn, "any_order": True},
        "counter.var.Drawn": {"u32": [len(drawn)]},
        "Culled": {"u32": culled},
        # A sample of what is visible; the picture has the rest.
        "Visibility": {"u64_at": {str(i): str(w) for i, w in enumerate(visibility) if w and i % 7 == 0}},
        "Picture": {"png": "clusters.png", "max_channel_error": 1},
    },
    "expect_records": {"Instances": len(INSTANCES), "Visit": visited, "Rasterize": len(drawn)},
}
finish(__file__, run, {"clusters.png": ((SCREEN, SCREEN), texels)}, {"geometry.bin": data})
