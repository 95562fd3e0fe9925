"""The picture of pathtrace.hlsl, path after path in double precision, with the same random numbers."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "common"))
from model import Stream, f32, finish, hash_of, unorm8

WIDTH, HEIGHT, SAMPLES, LEVELS = 96, 64, 4, 3
LAMBERT, MIRROR, GLASS, LIGHT = range(4)
EYE, ZOOM = (0.0, 1.1, -5.0), 2.0
SKY_TOP, SKY_BOTTOM = (0.35, 0.55, 1.0), (0.95, 0.9, 0.85)
SPHERES = [
    ((0.0, -100.0, 0.0, 100.0), (0.65, 0.65, 0.6), LAMBERT),
    ((-1.6, 0.8, 0.6, 0.8), (0.8, 0.2, 0.15), LAMBERT),
    ((0.1, 0.9, 1.2, 0.9), (0.95, 0.9, 0.8), MIRROR),
    ((1.5, 0.6, -0.3, 0.6), (0.96, 1.0, 0.98), GLASS),
    ((-0.5, 0.35, -0.9, 0.35), (0.2, 0.4, 0.9), LAMBERT),
    ((0.45, 0.25, -1.3, 0.25), (4.0, 2.6, 1.2), LIGHT),
]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def add(a, b, s=1.0):
    return (a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2])


def scale(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def unit(a):
    return scale(a, 1 / math.sqrt(dot(a, a)))


def times(a, b):
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])


def closest(o, d):
    best, found = 1e9, None
    for sphere in SPHERES:
        c, r = sphere[0][:3], sphere[0][3]
        off = add(o, c, -1)
        b = dot(off, d)
        across = add(off, d, -b)
        disc = r * r - dot(across, across)
        if disc < 0:
            continue
        root = math.sqrt(disc)
        t = -b - root if -b - root > 1e-3 else -b + root
        if 1e-3 < t < best:
            best, found = t, sphere
    return best, found


def reflect(d, n):
    return add(d, n, -2 * dot(d, n))


def scatter(sphere, p, d, n, rng):
    """The next direction, or None where the path ends."""
    if sphere[2] == LAMBERT:
        z = 1 - 2 * rng.next_float()
        phi = 2 * math.pi * rng.next_float()
        r = math.sqrt(max(0, 1 - z * z))
        return unit(add((r * math.cos(phi), r * math.sin(phi), z), n, 1.001))
    if sphere[2] == MIRROR:
        out = unit(reflect(d, n))
        return out if dot(out, n) > 0 else None
    enters = dot(n, d) < 0
    n = n if enters else scale(n, -1)
    eta = 1 / 1.5 if enters else 1.5
    cosine = -dot(n, d)
    k = 1 - eta * eta * (1 - cosine * cosine)
    r0 = 0.04
    chance = r0 + (1 - r0) * (1 - min(max(cosine, 0), 1)) ** 5
    if k < 0 or rng.next_float() < chance:
        return unit(reflect(d, n))
    return unit(add(scale(d, eta), n, eta * cosine - math.sqrt(k)))


def sky(d):
    t = min(max(d[1] + 0.2, 0), 1)
    t = t * t * (3 - 2 * t)
    return add(scale(SKY_BOTTOM, 1 - t), SKY_TOP, t)


consumed = [0] * LEVELS
film = [[0, 0, 0] for _ in range(WIDTH * HEIGHT)]


def accumulate(pixel, radiance):
    for i in range(3):
        film[pixel][i] += int(radiance[i] * 4096 + 0.5)


for y in range(HEIGHT):
    for x in range(WIDTH):
        for s in range(SAMPLES):
            rng = Stream(hash_of(x, y, s))
            u, v = rng.next_float(), rng.next_float()
            ndc = ((x + u) / WIDTH * 2 - 1, 1 - (y + v) / HEIGHT * 2)
            o, d, through = EYE, unit((ndc[0] * WIDTH / HEIGHT, ndc[1] - 0.12, ZOOM)), (1 / SAMPLES,) * 3
            for level in range(LEVELS):
                consumed[level] += 1
                t, sphere = closest(o, d)
                if sphere is None:
                    accumulate(y * WIDTH + x, times(through, sky(d)))
                    break
                through = times(through, sphere[1])
                if sphere[2] == LIGHT:
                    accumulate(y * WIDTH + x, through)
                    break
                o = add(o, d, t)
                d = scatter(sphere, o, d, scale(add(o, sphere[0], -1), 1 / sphere[0][3]), rng)
                if d is None:
                    break
            else:
                accumulate(y * WIDTH + x, times(through, scale(add(SKY_TOP, SKY_BOTTOM), 0.5)))

MIX = ((0.90, 0.07, 0.03), (0.05, 0.90, 0.05), (0.03, 0.07, 0.90))
texels = []
for pixel in film:
    c = [dot(row, [v / 4096 for v in pixel]) for row in MIX]
    c = [min(max(v * (1 + v * 0.25) / (1 + v), 0), 1) ** (1 / 2.2) for v in c]
    texels.append(tuple(map(unorm8, c)) + (255,))

padding = [((0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0)] * (8 - len(SPHERES))
run = {
    "shader": "pathtrace.hlsl",
    "resources": {
        "SceneConstants": {
            "fields": {
                "Spheres": [
                    {"shape": s, "albedo": a, "material": m} for s, a, m in SPHERES + padding
                ],
                "SphereCount": len(SPHERES), "SkyTop": SKY_TOP, "SkyBottom": SKY_BOTTOM,
            }
        },
        "Film": {"zero_bytes": 12 * WIDTH * HEIGHT},
        "Picture": {"image": {"format": "rgba8_unorm", "size": [WIDTH, HEIGHT]}},
    },
    "dispatch": [
        {
            "inputs": [
                {"node": "Camera", "records": [{"tiles": [WIDTH // 8, HEIGHT // 8], "eye": EYE, "zoom": ZOOM}]}
            ]
        },
        {"inputs": [{"node": "Develop", "count": 1}]},
    ],
    "expect": {
        # Paths that graze an edge, or whose chance falls on the border, part from the model's.
        "Picture": {"png": "pathtrace.png", "max_channel_error": 3, "max_differing_pixels": 40},
    },
    "expect_records": {"Trace0": consumed[0]},
}
finish(__file__, run, {"pathtrace.png": ((WIDTH, HEIGHT), texels)})
