"""A frame, and what bloom.hlsl makes of it, level by level."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "common"))
from model import Stream, f32, finish, unorm8

SIZE, MIPS = (128, 96), 3
THRESHOLD, KNEE, INTENSITY, KEY = 0.55, 0.2, 0.65, 0.1
TRANSFORM = [[0.95, 0.04, 0.01], [0.02, 0.94, 0.04], [0.01, 0.05, 0.94]]

# A street at night: lamps, windows and their light on the ground.
rng = Stream(2024)
frame = [[[0.02 + 0.05 * y / SIZE[1], 0.03 + 0.04 * y / SIZE[1], 0.09] for _ in range(SIZE[0])] for y in range(SIZE[1])]


def fill(x0, y0, w, h, color):
    for y in range(max(y0, 0), min(y0 + h, SIZE[1])):
        for x in range(max(x0, 0), min(x0 + w, SIZE[0])):
            frame[y][x] = list(color)


x = 0
while x < SIZE[0]:
    w, h = 12 + rng.next() % 14, 30 + rng.next() % 40
    base = 0.05 + 0.05 * rng.next_float()
    fill(x, 78 - h, w, h, (base, base * 0.9, base * 1.1))
    for wy in range(78 - h + 3, 74, 6):
        for wx in range(x + 2, x + w - 3, 5):
            if rng.next() % 3 == 0:
                warm = 0.5 + 0.5 * rng.next_float()
                fill(wx, wy, 2, 3, (warm, warm * 0.8, warm * 0.35))
    x += w + 1 + rng.next() % 3
fill(0, 78, SIZE[0], 18, (0.07, 0.07, 0.08))
for i, color in enumerate([(1, 0.95, 0.8), (0.3, 0.9, 1), (1, 0.95, 0.8), (1, 0.25, 0.45), (1, 0.95, 0.8)]):
    cx = 14 + i * 25
    fill(cx, 64, 1, 16, (0.03, 0.03, 0.03))
    fill(cx - 2, 62, 5, 3, color)
    for y in range(80, 94):
        for k in range(-9, 10):
            if 0 <= cx + k < SIZE[0]:
                glow = 0.5 * max(0, 1 - math.hypot(k / 9, (y - 84) / 8))
                frame[y][cx + k] = [f + glow * c for f, c in zip(frame[y][cx + k], color)]
bytes_ = [[[unorm8(c) for c in t] for t in row] for row in frame]
frame = [[[c / 255 for c in t] for t in row] for row in bytes_]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def mean4(grid, x, y):
    return [sum(grid[2 * y + j][2 * x + i][c] for i in (0, 1) for j in (0, 1)) / 4 for c in range(3)]


def halved(grid):
    return [[mean4(grid, x, y) for x in range(len(grid[0]) // 2)] for y in range(len(grid) // 2)]


def prefilter(color):
    brightness = max(color)
    soft = min(max(brightness - THRESHOLD + KNEE, 0), 2 * KNEE)
    soft = soft * soft / (4 * KNEE + 1e-5)
    return [c * max(soft, brightness - THRESHOLD) / max(brightness, 1e-5) for c in color]


def tent(grid, x, y):
    def at(i, j):
        return grid[min(max(y + j, 0), len(grid) - 1)][min(max(x + i, 0), len(grid[0]) - 1)]

    taps = [(i, j, (0.5 if i == 0 else 0.25) * (0.5 if j == 0 else 0.25)) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    return [sum(w * at(i, j)[c] for i, j, w in taps) for c in range(3)]


means = halved(frame)
luma = sum(int(dot(t, (0.2126, 0.7152, 0.0722)) * 1024 + 0.5) for row in means for t in row)
levels = [[[prefilter(t) for t in row] for row in means]]
for _ in range(1, MIPS):
    levels.append(halved(levels[-1]))
for level in reversed(range(MIPS - 1)):
    small = levels[level + 1]
    levels[level] = [
        [[a + b for a, b in zip(t, tent(small, x // 2, y // 2))] for x, t in enumerate(row)]
        for y, row in enumerate(levels[level])
    ]

exposure = KEY / max(luma / (1024 * SIZE[0] // 2 * SIZE[1] // 2), 1e-3)
texels = []
for y in range(SIZE[1]):
    for x in range(SIZE[0]):
        color = [(f + INTENSITY * b) * exposure for f, b in zip(frame[y][x], tent(levels[0], x // 2, y // 2))]
        color = [dot(row, color) for row in TRANSFORM]
        color = [(c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14) for c in color]
        texels.append(tuple(unorm8(min(max(c, 0), 1) ** (1 / 2.2)) for c in color) + (255,))

half = [SIZE[0] // 2, SIZE[1] // 2]
run = {
    "shader": "bloom.hlsl",
    "resources": {
        "PostProcess": {
            "fields": {
                "FrameSize": SIZE, "Threshold": THRESHOLD, "Knee": KNEE, "Intensity": INTENSITY, "KeyValue": KEY,
                "ColorTransform": TRANSFORM,
            }
        },
        "Frame": {"image": {"file": "frame.png"}},
        "BilinearClamp": {"sampler": {"filter": "linear", "address": "clamp"}},
        "Pyramid": [
            {"image": {"format": "rgba32_sfloat", "size": [half[0] >> i, half[1] >> i]}} for i in range(MIPS)
        ],
        "Output": {"image": {"format": "rgba8_unorm", "size": SIZE}},
        "LumaSum": {"u32": [12345]},
    },
    "dispatch": [{"inputs": [{"node": "Begin", "records": [{"id": 0}]}]}],
    "expect": {
        "Output": {"png": "bloom.png", "max_channel_error": 2},
        # Devices may filter texels of 8 bits in 8 bits.
        "LumaSum": {"u32_at": {"0": luma}, "rel": 0.006},
    },
    "expect_records": {"Begin": 1, "Downsample": 1, "Upsample": MIPS - 1, "Composite": 1},
}
picture = [(*t, 255) for row in bytes_ for t in row]
finish(__file__, run, {"frame.png": (SIZE, picture), "bloom.png": (SIZE, texels)})
