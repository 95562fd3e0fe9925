"""The height map, and the quad tree and the picture of terrain.hlsl."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "common"))
from model import finish, hash_of, unorm8

SIZE, MIN_PATCH, LEVELS = 128, 4, 6
SCALE, TOLERANCE, CAMERA, SUN = 40.0, 3.0, (40.0, 84.0), (-0.6, -0.4, 0.7)
BANDS = [
    ((0.16, 0.33, 0.52), 0.30), ((0.80, 0.74, 0.52), 0.36), ((0.33, 0.55, 0.27), 0.58),
    ((0.46, 0.40, 0.34), 0.76), ((0.95, 0.96, 0.98), 9.00),
]


def noise(x, y, cell, seed):
    def corner(i, j):
        return hash_of(i, j, seed) / 2**32

    i, j, u, v = x // cell, y // cell, x % cell / cell, y % cell / cell
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    top = corner(i, j) * (1 - u) + corner(i + 1, j) * u
    bottom = corner(i, j + 1) * (1 - u) + corner(i + 1, j + 1) * u
    return top * (1 - v) + bottom * v


def height_at(x, y):
    total = sum(noise(x, y, 48 >> o, o) / 2**o for o in range(4)) / 1.875
    shore = math.hypot(x - 70, y - 60) / 90
    return min(max((total - 0.42) * 1.5 + 0.55 - 0.55 * shore, 0.0), 1.0)


bytes_ = [[unorm8(height_at(x, y)) for x in range(SIZE)] for y in range(SIZE)]
heights = [[b / 255 for b in row] for row in bytes_]


def texel(x, y):
    return heights[min(max(y, 0), SIZE - 1)][min(max(x, 0), SIZE - 1)]


pixels = [None] * (SIZE * SIZE)
levels = [0] * LEVELS
visited = 0


def unit(v):
    length = math.sqrt(sum(c * c for c in v))
    return [c / length for c in v]


sun = unit(SUN)


def draw(x0, y0, size, level):
    levels[level] += 1
    for y in range(y0, y0 + size):
        for x in range(x0, x0 + size):
            h = texel(x, y)
            normal = [0, 0, 1]
            if h > BANDS[0][1]:
                normal = unit([
                    -0.5 * SCALE * (texel(x + 1, y) - texel(x - 1, y)),
                    -0.5 * SCALE * (texel(x, y + 1) - texel(x, y - 1)), 1.0,
                ])
            color = next(c for c, end in BANDS if h <= end)
            light = 0.35 + 0.75 * min(max(sum(a * b for a, b in zip(normal, sun)), 0), 1)
            color = [c * light for c in color]
            if x == x0 or y == y0:
                line = (0.9, 0.2, 0.1) if level >= 4 else (0, 0, 0)
                color = [c + (l - c) * 0.35 for c, l in zip(color, line)]
            pixels[y * SIZE + x] = tuple(map(unorm8, color)) + (255,)


def subdivide(x0, y0, size, level):
    global visited
    visited += 1
    inside = [heights[y][x] for y in range(y0, y0 + size) for x in range(x0, x0 + size)]
    extent = (max(inside) - min(inside)) * SCALE
    away = math.dist((x0 + size / 2, y0 + size / 2), CAMERA)
    margin = extent * size - TOLERANCE * (away * away / 32 + 8)
    assert abs(margin) > 1e-3 or size <= MIN_PATCH, "too close to call: take another tolerance"
    if margin > 0 and size > MIN_PATCH:
        for i in range(4):
            subdivide(x0 + (i & 1) * size // 2, y0 + (i >> 1) * size // 2, size // 2, level + 1)
    else:
        draw(x0, y0, size, level)


subdivide(0, 0, SIZE, 0)
assert sum(n > 0 for n in levels) >= 4 and all(p is not None for p in pixels)
run = {
    "shader": "terrain.hlsl",
    "args": ["-enable-16bit-types"],
    "resources": {
        "g": {
            "fields": {
                "heightScale": SCALE, "tolerance": TOLERANCE, "camera": CAMERA, "sun": SUN, "texelSize": 1 / SIZE,
            }
        },
        "HeightMap": {"image": {"file": "height.png", "format": "r8_unorm"}},
        "LinearClamp": {"sampler": {"filter": "linear", "address": "clamp"}},
        "Map": {"image": {"format": "rgba8_unorm", "size": [SIZE, SIZE]}},
        "PatchesOfLevel": {"zero_bytes": 4 * LEVELS},
    },
    "dispatch": [{"inputs": [{"node": "Subdivide", "records": [{"origin": [0, 0], "size": SIZE, "level": 0}]}]}],
    "expect": {
        "Map": {"png": "terrain.png", "max_channel_error": 2},
        "PatchesOfLevel": {"u32": levels},
    },
    "expect_records": {"Subdivide": visited, "DrawPatch": sum(levels)},
}
grey = [(b, b, b, 255) for row in bytes_ for b in row]
finish(__file__, run, {"height.png": ((SIZE, SIZE), grey), "terrain.png": ((SIZE, SIZE), pixels)})
