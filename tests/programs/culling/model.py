"""The scene of culling.hlsl, made here, walked depth first in double precision."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "common"))
from model import Stream, f32, finish

DEPTH, CHILDREN, LODS, NO_MESH = 6, 4, 4, 0xFFFFFFFF
rng = Stream(71)
IDENTITY = [[1.0, 0, 0, 0], [0, 1.0, 0, 0], [0, 0, 1.0, 0]]


def compose(a, b):
    full = b + [[0, 0, 0, 1]]
    return [[sum(a[r][k] * full[k][c] for k in range(4)) for c in range(4)] for r in range(3)]


def transform_sphere(m, s):
    p = [s[0], s[1], s[2], 1.0]
    return [sum(x * y for x, y in zip(row, p)) for row in m] + [s[3] * math.sqrt(sum(m[r][0] ** 2 for r in range(3)))]


def between(a, b):
    return a + (b - a) * rng.next_float()


def place(spread, scale):
    angle = between(0, 2 * math.pi)
    c, s = math.cos(angle) * scale, math.sin(angle) * scale
    x, y, z = between(-spread, spread), between(-spread / 4, spread / 4), between(-spread, spread)
    return [[f32(v) for v in row] for row in ([c, 0, s, x], [0, scale, 0, y], [-s, 0, c, z])]


# Children lie behind each other, so the tree is made level by level.
nodes = [{"local": IDENTITY, "depth": 1}]
instances = 0
for node in nodes:
    depth = node["depth"]
    count = 0 if depth == DEPTH else CHILDREN if depth < 3 else rng.next() % (CHILDREN + 1)
    node.update(firstChild=len(nodes), childCount=count)
    leaf = count == 0
    node.update(mesh=rng.next() % 7 if leaf or depth == 4 else NO_MESH, instance=instances)
    instances += node["mesh"] != NO_MESH
    node["own"] = between(0.4, 1.6)
    for _ in range(count):
        nodes.append({"local": place(40 / 2**depth, between(0.8, 1.1)), "depth": depth + 1})
for node in reversed(nodes):
    radius = node["own"] if node["mesh"] != NO_MESH else 0.0
    for child in nodes[node["firstChild"]:node["firstChild"] + node["childCount"]]:
        s = transform_sphere(child["local"], child["sphere"])
        radius = max(radius, math.sqrt(s[0] ** 2 + s[1] ** 2 + s[2] ** 2) + s[3])
    node["sphere"] = [0.0, 0.0, 0.0, f32(radius * 1.0001)]

# A camera that looks along +z, tilted to the right, for column vectors and depth from 0 to 1.
EYE = [-4.0, 3.0, -24.0]
FOV, ASPECT, NEAR, FAR, HEIGHT = math.radians(50), 1.6, 0.5, 60.0, 720
LOD_PIXELS = [60.0, 40.0, 24.0, 15.0]
angle = math.radians(12)
right, forward = [math.cos(angle), 0, -math.sin(angle)], [math.sin(angle), 0, math.cos(angle)]
view = [axis + [-sum(a * e for a, e in zip(axis, EYE))] for axis in (right, [0, 1, 0], forward)]
f = 1 / math.tan(FOV / 2)
projection = [[f / ASPECT, 0, 0, 0], [0, f, 0, 0], [0, 0, FAR / (FAR - NEAR), -NEAR * FAR / (FAR - NEAR)], [0, 0, 1, 0]]
view_projection = [
    [f32(sum(projection[r][k] * (view + [[0, 0, 0, 1]])[k][c] for k in range(4))) for c in range(4)] for r in range(4)
]
LOD_SCALE = f32(HEIGHT / 2 * f)

m = view_projection
planes = [
    [a + b for a, b in zip(m[3], m[0])], [a - b for a, b in zip(m[3], m[0])],
    [a + b for a, b in zip(m[3], m[1])], [a - b for a, b in zip(m[3], m[1])],
    m[2], [a - b for a, b in zip(m[3], m[2])],
]
planes = [[v / math.sqrt(p[0] ** 2 + p[1] ** 2 + p[2] ** 2) for v in p] for p in planes]

visited = outside = accepted = small = 0
draws = [[] for _ in range(LODS)]
spheres = [[0.0] * 4 for _ in range(instances)]


def clearly(difference):
    assert abs(difference) > 1e-3, "too close to call: take another seed"
    return difference


def walk(index, parent, mask):
    global visited, outside, accepted, small
    node = nodes[index]
    world = compose(parent, node["local"])
    s = transform_sphere(world, node["sphere"])
    visited += 1
    left = set(mask)
    for p in sorted(mask):
        d = sum(a * b for a, b in zip(planes[p], s[:3] + [1.0]))
        if clearly(d + s[3]) < 0:
            outside += 1
            return
        if clearly(d - s[3]) >= 0:
            left.discard(p)
    accepted += bool(mask) and not left
    for child in range(node["childCount"]):
        walk(node["firstChild"] + child, world, left)
    if node["mesh"] != NO_MESH:
        spheres[node["instance"]] = [f32(v) for v in s]
        distance = math.sqrt(sum((a - b) ** 2 for a, b in zip(EYE, s)))
        pixels = LOD_SCALE * s[3] / distance
        lod = sum(clearly(pixels - limit) < 0 for limit in LOD_PIXELS)
        if lod == LODS:
            small += 1
        else:
            draws[lod].append({"instance": node["instance"], "mesh": node["mesh"]})


walk(0, IDENTITY, set(range(6)))
assert all(draws) and small and outside and accepted, "every branch is taken"

capacity = max(map(len, draws)) + 8
run = {
    "shader": "culling.hlsl",
    "resources": {
        "View": {"fields": {"ViewProjection": view_projection, "Eye": EYE, "LodScale": LOD_SCALE, "LodPixels": LOD_PIXELS}},
        "Scene": {
            "structs": [
                {k: n[k] for k in ("local", "sphere", "firstChild", "childCount", "mesh", "instance")} for n in nodes
            ]
        },
        "Arguments": {
            "structs": [
                {"vertexCount": 768 >> (2 * i), "instanceCount": 0, "firstVertex": 0, "firstInstance": 0}
                for i in range(LODS)
            ]
        },
        "Draws": [{"zero_bytes": 8 * capacity} for _ in range(LODS)],
        "WorldSpheres": {"zero_bytes": 16 * instances},
        "Statistics": {"zero_bytes": 16},
    },
    "dispatch": [{"inputs": [{"node": "Traverse", "records": [{"node": 0, "planes": 63, "parent": IDENTITY}]}]}],
    "expect": {
        "Arguments": {"u32": [v for i in range(LODS) for v in (768 >> (2 * i), len(draws[i]), 0, 0)]},
        **{f"Draws[{i}]": {"structs": draws[i], "any_order": True} for i in range(LODS)},
        "WorldSpheres": {"f32": [v for s in spheres for v in s], "abs": 2e-4},
        "Statistics": {"u32": [visited, outside, accepted, small]},
    },
    "expect_records": {"Traverse": visited, "SelectLod": sum(map(len, draws)) + small},
}
finish(__file__, run)
