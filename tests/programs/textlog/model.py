"""The log of textlog.hlsl, with Python's own formatting."""

import math
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "common"))
from model import f32, finish

NUMBERS, FLOATS, VECTORS, SUMMARY = range(4)
EVENTS = [
    (NUMBERS, 0, 0.0), (NUMBERS, -1, 0.0), (NUMBERS, 2147483647, 0.0), (NUMBERS, -2147483648, 0.0),
    (NUMBERS, 305419896, 0.0), (SUMMARY, 7, 0.0), (SUMMARY, -2147483648, 0.0), (SUMMARY, -3, 0.0),
    (FLOATS, 0, 3.14159274), (FLOATS, 0, -0.0), (FLOATS, 0, 0.0625), (FLOATS, 0, -1234567.125),
    (FLOATS, 0, 0.9996), (FLOATS, 0, 9.96), (FLOATS, 0, math.inf), (FLOATS, 0, -math.inf), (FLOATS, 0, math.nan),
    (FLOATS, 0, 1e-40), (FLOATS, 0, 8388609.0), (FLOATS, 0, 1e9), (FLOATS, 0, 1e-9),
    (VECTORS, 12, 1.5), (VECTORS, -345, -0.3), (VECTORS, 1000000, 100.0), (SUMMARY, 2147483647, 0.0),
]


def real(v, places=3):
    v = f32(v)
    if math.isnan(v):
        return "nan"
    sign = "-" if math.copysign(1, v) < 0 else ""
    if math.isinf(v):
        return sign + "inf"
    # Exact: a float is a fraction, and halves are rounded up.
    n, d = abs(v).as_integer_ratio()
    scaled = (2 * n * 10**places + d) // (2 * d)
    return f"{sign}{scaled // 10**places}.{scaled % 10**places:0{places}}"


def text(line, kind, value, number):
    if kind == NUMBERS:
        return f"numbers: value={value} unsigned={value % 2**32} bits=0x{value % 2**32:08x}"
    if kind == FLOATS:
        finite = "true" if math.isfinite(number) else "false"
        return f"floats: real={real(number)} short={real(number, 1)} finite={finite}"
    if kind == VECTORS:
        integers = ", ".join(map(str, (value, -value, 2 * value)))
        reals = ", ".join(real(f32(number) * k) for k in (1, -2, 0.5))
        return f"vector i=({integers}) f=({reals})"
    wide = f"wide={value * 2**32} negative={'true' if value < 0 else 'false'}"
    return f'"summary"\tline-{line} {wide}'


lines = [text(i, *e)[:64] for i, e in enumerate(EVENTS)]
assert any(len(line) == 64 for line in lines), "one is cut"
log = "".join(line + "\n" for line in lines).encode()
log += b"\0" * (-len(log) % 4)
size = sum(len(line) + 1 for line in lines)
words = [w for k, v, r in EVENTS for w in (k, v % 2**32, struct.unpack("I", struct.pack("f", f32(r)))[0])]
run = {
    "shader": "textlog.hlsl",
    "resources": {
        "Events": {"u32": words},
        "Lines": {"zero_bytes": 64 * len(EVENTS)},
        "Lengths": {"zero_bytes": 4 * len(EVENTS)},
        "Log": {"zero_bytes": 4 + len(log)},
    },
    "dispatch": [
        {
            "inputs": [
                {
                    "node": "Produce",
                    "records": [
                        {"first": i, "count": min(8, len(EVENTS) - i)} for i in range(0, len(EVENTS), 8)
                    ],
                }
            ]
        },
        {"inputs": [{"node": "Join", "records": [{"lines": len(EVENTS)}]}]},
    ],
    "expect": {
        "Lengths": {"u32": [len(line) for line in lines]},
        "Log": {"u8": [*struct.pack("<I", size), *log]},
    },
    "expect_records": {"Produce": 4, "Report": len(EVENTS), "WriteLine": len(EVENTS)},
}
finish(__file__, run)
