"""What the models share: rounding to float, PCG, pictures and run files."""

import json
import pathlib
import struct
import sys
import zlib

MASK = 0xFFFFFFFF


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def pcg(v):
    v &= MASK
    state = (v * 747796405 + 2891336453) & MASK
    word = (((state >> ((state >> 28) + 4)) ^ state) * 277803737) & MASK
    return (word >> 22) ^ word


def hash_of(*words):
    h = 0
    for w in reversed(words):
        h = pcg(w + h)
    return h


class Stream:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = pcg(self.state)
        return self.state

    def next_float(self):
        return (self.next() >> 8) / 16777216.0


def unorm8(x):
    return int(min(max(x, 0.0), 1.0) * 255.0 + 0.5)


def png(size, texels):
    """A PNG of rows of (r, g, b, a) with channels of 8 bits."""
    width, height = size

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(
        b"\0" + b"".join(bytes(t) for t in texels[y * width:(y + 1) * width]) for y in range(height)
    )
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    )


def _text(value, indent):
    pad = "  " * indent
    flat = json.dumps(value)
    if len(pad) + len(flat) <= 100 or not isinstance(value, (dict, list)):
        return flat
    if isinstance(value, dict):
        items = [f"{pad}  {json.dumps(k)}: {_text(v, indent + 1)}" for k, v in value.items()]
        return "{\n" + ",\n".join(items) + "\n" + pad + "}"
    if any(isinstance(v, (dict, list)) for v in value):
        return "[\n" + ",\n".join(f"{pad}  {_text(v, indent + 1)}" for v in value) + "\n" + pad + "]"
    lines, line = [], pad + " "
    for i, v in enumerate(value):
        word = " " + json.dumps(v) + ("," if i + 1 < len(value) else "")
        if len(line) + len(word) > 100:
            lines.append(line)
            line = pad + " "
        line += word
    return "[\n" + "\n".join([*lines, line]) + "\n" + pad + "]"


def finish(model_file, run, pictures=None, data=None):
    """Writes the run file, pictures and data beside the model; with --check, compares them instead."""
    here = pathlib.Path(model_file).parent
    run["expect_findings"] = []  # nothing is wrong with the programs themselves
    files = {here.name + ".run.json": (_text(run, 0) + "\n").encode(), **(data or {})}
    for name, (size, texels) in (pictures or {}).items():
        files[name] = png(size, texels)
    stale = False
    for name, data in files.items():
        path = here / name
        if "--check" not in sys.argv:
            path.write_bytes(data)
        elif not path.exists() or not _same(path.read_bytes(), data):
            print(f"{path} is not what the model says")
            stale = True
    sys.exit(1 if stale else 0)


def _same(a, b):
    def texels(data):
        return data[:33], zlib.decompress(data[41:-16])  # header; the one IDAT: compressors differ

    return a == b or (a[:4] == b"\x89PNG" == b[:4] and texels(a) == texels(b))
