"""The frame of materials.hlsl, pixel by pixel, in double precision."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "common"))
from model import finish, unorm8

SIZE = (160, 96)
EYE = (0.0, 1.7, -6.0)
SUN = (-0.6, 1.0, -0.7)
EXPOSURE = 1.0
ASPECT = SIZE[0] / SIZE[1]
SKY, DIFFUSE, CHECKER, METAL, TOON, EMISSIVE = range(6)
FAR = 40.0
SPHERES = [
    ((-2.1, 1.0, 0.4), 1.0, (0.80, 0.25, 0.20), DIFFUSE),
    ((0.2, 1.3, 1.3), 1.3, (0.95, 0.78, 0.35), METAL),
    ((2.3, 0.9, -0.2), 0.9, (0.25, 0.45, 0.85), TOON),
    ((0.6, 0.4, -1.5), 0.4, (0.30, 1.00, 0.55), EMISSIVE),
    ((-0.9, 0.5, -1.1), 0.5, (0.85, 0.85, 0.85), DIFFUSE),
]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def along(o, d, t):
    return tuple(x + t * y for x, y in zip(o, d))


def scaled(a, s):
    return tuple(x * s for x in a)


def unit(a):
    return scaled(a, 1.0 / math.sqrt(dot(a, a)))


def clamp01(x):
    return min(max(x, 0.0), 1.0)


def mix(a, b, t):
    return tuple(x + (y - x) * t for x, y in zip(a, b))


def hit_sphere(o, d, s):
    off = tuple(x - y for x, y in zip(o, s[0]))
    b = dot(off, d)
    disc = b * b - (dot(off, off) - s[1] * s[1])
    return -1.0 if disc < 0 else -b - math.sqrt(disc)


def trace(o, d):
    best, found = FAR, None
    if d[1] < -1e-4:
        t = -o[1] / d[1]
        if 0 < t < best:
            best, found = t, (along(o, d, t), (0.0, 1.0, 0.0), (0.5, 0.5, 0.5), CHECKER)
    for s in SPHERES:
        t = hit_sphere(o, d, s)
        if 0 < t < best:
            p = along(o, d, t)
            best, found = t, (p, scaled(tuple(x - y for x, y in zip(p, s[0])), 1 / s[1]), s[2], s[3])
    return found


def sky(d):
    return mix((0.85, 0.90, 0.98), (0.25, 0.45, 0.80), math.sqrt(clamp01(d[1])))


def sunlight(p, n):
    to_sun = unit(SUN)
    o = along(p, n, 0.01)
    if any(s[3] != EMISSIVE and hit_sphere(o, to_sun, s) > 0 for s in SPHERES):
        return 0.0
    return clamp01(dot(n, to_sun))


def diffuse(p, n, albedo):
    return scaled(albedo, 0.9 * sunlight(p, n) + 0.25 * (0.5 + 0.5 * n[1]))


def shade(hit, o, d):
    if hit is None:
        return sky(d)
    p, n, albedo, material = hit
    if material == DIFFUSE:
        return diffuse(p, n, albedo)
    if material == CHECKER:
        odd = (math.floor(p[0] * 1.25) ^ math.floor(p[2] * 1.25)) & 1
        fog = clamp01(p[2] / 26.0)
        return mix(diffuse(p, n, (0.72, 0.70, 0.66) if odd else (0.30, 0.33, 0.38)), sky(d), fog * fog)
    if material == METAL:
        r = along(d, n, -2 * dot(d, n))
        seen = trace(along(p, n, 0.01), r)
        light = sky(r) if seen is None else seen[2] if seen[3] == EMISSIVE else diffuse(*seen[:3])
        fresnel = (1 - clamp01(-dot(n, d))) ** 5
        return tuple(l * c for l, c in zip(light, mix(albedo, (1, 1, 1), fresnel)))
    if material == TOON:
        band = math.ceil(sunlight(p, n) * 4) / 4
        rim = 0.3 if 1 + dot(n, d) >= 0.75 else 0.0
        return tuple(c * (0.25 + 0.75 * band) + rim for c in albedo)
    return scaled(albedo, 0.7 + 0.5 * -dot(n, d))


texels, tiles, pixels = [], [set() for _ in range(6)], [0] * 6
for y in range(SIZE[1]):
    for x in range(SIZE[0]):
        ndc = ((x + 0.5) / SIZE[0] * 2 - 1, (y + 0.5) / SIZE[1] * 2 - 1)
        d = unit((ndc[0] * ASPECT, -ndc[1] - 0.35, 1.9))
        hit = trace(EYE, d)
        material = SKY if hit is None else hit[3]
        tiles[material].add((x // 8, y // 8))
        pixels[material] += 1
        color = shade(hit, EYE, d)
        texels.append(tuple(unorm8(math.sqrt(clamp01(c * EXPOSURE))) for c in color) + (255,))

run = {
    "shader": "materials.hlsl",
    "resources": {
        "Frame": {
            "fields": {
                "eye": EYE, "aspect": ASPECT, "sun": SUN, "exposure": EXPOSURE, "size": SIZE, "padding": [0, 0],
            }
        },
        "GBuffer": {"image": {"format": "rgba32_uint", "size": SIZE}},
        "Target": {"image": {"format": "rgba8_unorm", "size": SIZE}},
        "TilesOfMaterial": {"zero_bytes": 24},
        "PixelsOfMaterial": {"zero_bytes": 24},
    },
    "dispatch": [{"inputs": [{"node": "ClassifyTiles", "records": [{"tiles": [SIZE[0] // 8, SIZE[1] // 8]}]}]}],
    "expect": {
        # A pixel whose rays or bands fall on an edge may go to either side of it.
        "Target": {"png": "materials.png", "max_channel_error": 2, "max_differing_pixels": 16},
        "TilesOfMaterial": {"u32": [len(t) for t in tiles]},
        "PixelsOfMaterial": {"u32": pixels},
    },
    "expect_records": {"ClassifyTiles": 1, "Shade": sum(len(t) for t in tiles)},
}
finish(__file__, run, {"materials.png": (SIZE, texels)})
