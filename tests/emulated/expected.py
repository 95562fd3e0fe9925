"""Writes the run files of this directory. Results are computed by plain loops over what the shaders say.

Run it here after changing a shader or its inputs: python3 expected.py
"""

import json
import os


def write(name, inputs, result, records, args=None, repeat=1, resources=None):
    """One dispatch of `inputs`; `result` is what the buffer Result must hold, `records` what each node consumed."""
    dispatch = {"inputs": inputs}
    if repeat != 1:
        dispatch["repeat"] = repeat
    run = {"shader": os.path.basename(name) + ".hlsl"}
    if args:
        run["args"] = args
    run["resources"] = {"Result": {"zero_bytes": 4 * len(result)}} | (resources or {})
    run["dispatch"] = [dispatch]
    run["expect"] = {"Result": {"u32": [value & 0xFFFFFFFF for value in result]}}
    run["expect_records"] = records
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in run.items()]
    with open(name + ".run.json", "w") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


def ceil_div(a, b):
    return -(-a // b)


def grids():
    count = 100
    result = [0] * 8
    for i in range(count):
        for y in range(i % 3):
            for x in range(i % 4):
                result[0] += 1
                result[1] += x + 10 * y
                result[2] += i
                result[3] += sum(4 * x + thread for thread in range(4))
        result[4] += sum(i + 1000 * group for group in range(2))
        for z in range(i % 5):
            for y in range(1 + i % 3):
                for x in range(1 + i % 2):
                    result[5] += 1
                    result[6] += x + 10 * y + 100 * z
                    result[7] += i
    inputs = [{"node": "Scatter", "u32": list(range(count)), "stride": 4, "count": count}]
    write("grids", inputs, result, dict.fromkeys(["Scatter", "Work", "Watch", "Gather", "Deep"], count))


def sharing():
    count = 37
    # Twice: the second time in memory that holds the records of the first.
    repeat = 2
    result = [0] * 3
    for i in range(count):
        for scale in (1, 2):
            result[0] += repeat
            result[1] += repeat * i
            for y in range(2):
                for x in range(3 * 8):
                    result[2] += repeat * (x + 100 * y) * scale
    records = {"Start": repeat * count, "Count": repeat * 2 * count, "Rewrite": repeat * 2 * count}
    inputs = [{"node": "Start", "u32": list(range(count)), "stride": 4, "count": count}]
    write("sharing", inputs, result, records, args=["-enable-16bit-types"], repeat=repeat)


def arrays():
    count = 50
    result = [0] * 16

    def down(item, depth, left):
        """Records that Down consumes for one that it gets with `left` levels to go."""
        result[8 + left] += 1
        result[6] += depth
        children = 1 + item % 2 if left else 0
        return 1 + sum(down(item, depth + 1, left - 1) for _ in range(children))

    consumed = even = odd = 0
    for i in range(count):
        # The output's element k is {Kind, 1 + k}; elements 2 and 5 exist.
        kind = 1 + i % 7
        if kind == 2:
            result[2] += i + 1000
            consumed += down(100 + i, 0, 3)
        elif kind == 5:
            result[5] += i + 1000
        if i * 1000 == 3000:
            result[3] += i * 2 * 2
        else:
            result[0] += 1
        consumed += down(i, 0, 3)
        if i % 2 == 0:
            even += i % 4
        else:
            odd += i % 4
    result[12] = even
    result[13] = ceil_div(even, 5)
    result[14] = odd
    last = 2 * ceil_div(odd, 3)
    result[15] = last * (1 + 2 + 3)
    inputs = [{"node": "Route", "records": [{"id": i, "depth": 0} for i in range(count)]}]
    write("arrays", inputs, result, {"Route": count, "Down": consumed, "Last": last})


def many():
    result = [0] * 8
    repeated, different = 20000, 1000
    points = [7] * repeated + list(range(different))
    for x in points:
        for i in range(1 + x % 3):
            result[0] += x
            result[1] += i
            result[2] += 1
    fields = [(3, 400, 170), (5, 0, 9), (9, 2, 3)]
    for origin, width, height in fields:
        for y in range(height):
            for x in range(width):
                result[3] += 1
                result[4] += x ^ (y << 4)
                result[5] += origin
    mask = 0x5555
    for z in range(2):
        for x in range(35000):
            result[6] += 1 + z
            result[7] += x & mask
    inputs = [
        {"node": "Grow", "u32": [7, 0, 0], "stride": 0, "count": repeated},
        {"node": "Grow", "u32": [w for x in range(different) for w in (x, 0, 0)], "stride": 12, "count": different},
        {"node": "Plain", "records": [{"origin": [0, 0, o], "grid": [w, h]} for o, w, h in fields]},
        {"node": "Fixed", "records": [{"x": mask, "y": 0, "z": 0}]},
    ]
    records = {"Grow": len(points), "Sum": result[2], "Plain": len(fields), "Fixed": 1}
    write("many", inputs, result, records)


def counts():
    grids, direct = 500, 11 + 12
    scale, offset = 3, [10, 100]
    result = [0] * 3
    collected = direct
    for _ in range(grids):
        for y in range(2):
            for x in range(3 * 2):
                result[0] += x * scale + y
                collected += y
    result[1] = collected
    result[2] = ceil_div(collected, 7) * offset[1]
    inputs = [{"node": "Collect", "count": 11}, {"node": "Grid", "count": grids}, {"node": "Collect", "count": 12}]
    settings = {"settings": {"fields": {"scale": scale, "offset": offset}}}
    write("counts", inputs, result, {"Grid": grids, "Collect": collected}, resources=settings)


def bits():
    import struct

    def words(*values):
        return [struct.unpack("<I", struct.pack("<f" if isinstance(v, float) else "<I", v))[0] for v in values]

    threads = range(8)
    shared = 100 + sum(g + 1 for g in threads)
    corner = 6 + sum(threads)
    result = [
        shared * 1000 + int((2.5 + 8 * 0.25) * 10) * 10 + 7,
        corner * 100 + 2,
        ((8 + 4 * 0.5) * 100 + 16 + 4 * 0.5) * 10 + 1,
        1,
        # 8 halves of 2^32; 7 << 33; -7; both words of a pair; a bit in each byte
        4 * 10,
        14,
        -7,
        -1,
        4 * 10 + 3,
        0x01010101,
        0x01010101,
        2250 + 500 + 8,
        # What a whole cell's copy left, and what single threads added.
        (8 * 100 + 1) * 100 + sum(threads),
    ]
    resources = {
        "Cells": {"zero_bytes": 4 * 40},
        "Bytes": {"u32": [0, 0, 0, 0, 0, 0, 0, 0, 2, 1]},
        "Pages": [{"zero_bytes": 8}, {"zero_bytes": 8}],
    }
    write("bits", [{"node": "Start", "u32": [1], "stride": 4, "count": 1}], [int(x) for x in result],
        {"Start": 1, "Next": 1}, resources=resources)


def spill():
    bins, talls, ticks, batch = 100, 5, 6, 50
    result = [0] * (3 * bins + ticks)
    consumed = [0] * bins
    tall = [0] * talls

    def take(bin, id, sender):
        consumed[bin] += 1
        result[3 * bin] += 1
        result[3 * bin + 1] += id
        result[3 * bin + 2] ^= (id * 7 + sender) * (bin + 1) & 0xFFFFFFFF

    random = [(id, bins) for id in range(0, 4000, 5)]
    skewed = [(id, 42) for id in range(600)]
    for id, to in random + skewed:
        target = to if to != bins else ((id * 2654435761 & 0xFFFFFFFF) >> 8) % bins
        for i in range(id % 4):
            take(target, id + i, 1)
        result[3 * bins + id % ticks] += id % 3
    teams = [(id, 0) for id in list(range(40)) + [5] * 30]
    for id, _ in teams:
        count = 20 + id % 31
        for i in range(count):
            take(id * 37 % bins, id * 100 + i, 2)
        for i in range(batch - count):
            tall[id % talls] += 1
            x, y = 2 * (i % 5), 1 + i % 3
            # Empty grids have no last group.
            if x:
                take(3, sum(id + i + a + 10 * b for a in range(x) for b in range(y)), 3)
    records = {"Classify": len(random + skewed), "Team": len(teams)}
    inputs = [
        {"node": "Classify", "u32": [w for entry in random + skewed for w in entry], "stride": 8, "count": len(random + skewed)},
        {"node": "Team", "u32": [w for entry in teams for w in entry], "stride": 8, "count": len(teams)},
    ]
    write("spill", inputs, result, records)


def chain():
    count = 1000
    # Twice: the second time in memory that holds the records of the first.
    repeat = 2
    result = [0] * 4
    records = dict.fromkeys(["Start", "Twice", "Pack", "Spread", "Sum"], 0)
    for i in list(range(count)) * repeat:
        records["Start"] += 1
        records["Twice"] += 1
        for twice in range(2):
            value = 3 * i + 1 + twice
            records["Pack"] += 1
            records["Spread"] += 1
            for group in range(value % 4):
                result[0] += sum(range(4))
                result[1] += 100 * group
                result[2] += 1
                result[3] += value + group
                records["Sum"] += 1
    inputs = [{"node": "Start", "u32": list(range(count)), "stride": 4, "count": count}]
    write("chain", inputs, result, records, repeat=repeat)


def amplify():
    items = [(i * 7 + 1, 0) for i in range(150)]
    count, total, mixed = 0, 0, 0
    for id, _ in items:
        for i in range(4):
            for j in range(3):
                for group in range(3):
                    for k in range(16):
                        way = (((i + 1) * 4 + j) * 3 + group) * 16 + k
                        count += 1
                        total += id * way
                        mixed ^= (id * 40503 + way * 2654435761) & 0xFFFFFFFF
    n = len(items)
    write("amplify", [{"node": "Start", "u32": [word for item in items for word in item], "stride": 8, "count": n}],
        [count, total, mixed], {"Start": n, "Grow": 4 * n, "Fan": 12 * n, "Leaf": 576 * n})


def large_grids():
    seeds = list(range(0, 40000, 4))
    result = [0] * 3
    for id in range(40000):
        for y in range(1 + id % 2):
            for x in range(id % 3):
                result[0] += 1
                result[1] += id
                result[2] += id * (x + 2 * y)
    inputs = [{"node": "Split", "u32": seeds, "stride": 4, "count": len(seeds)}]
    write("large_grids", inputs, result, {"Split": len(seeds), "Work": 4 * len(seeds)})


def tracked_grids():
    ids = [3, 50, 7]
    result = [0] * 3
    for id in ids:
        total = sum(x ^ (y + id) for y in range(230) for x in range(300))
        result[0] += 1
        result[1] += id
        result[2] ^= total * (2 * id + 1) & 0xFFFFFFFF
    inputs = [{"node": "Start", "u32": ids, "stride": 4, "count": len(ids)}]
    write("tracked_grids", inputs, result, {"Start": len(ids), "Count": len(ids)})


def largest_grid():
    width, height, factor = 4097, 4095, 3
    assert width * height == 2**24 - 1
    result = [0] * 16
    for x in range(width):
        result[x & 7] += factor * sum(range(height))
    for y in range(height):
        result[8 + (y & 7)] += y * sum(x * x for x in range(width))
    inputs = [{"node": "Cover", "records": [{"grid": [width, height], "factor": factor}]}]
    write("largest_grid", inputs, result, {"Cover": 1})


def joint_items(count, tiles):
    """Records for a few tiles, some of them for many workgroups of one."""
    few = [0, 1, 7, tiles // 2, tiles // 2 + 1, tiles - 1]
    return [(few[i * i % len(few)] if i % 3 else 7, i % 6, i * 7 + 3) for i in range(count)]


def joint():
    tiles, levels, areas, packs, fields = 40, 4, 12, 10, 8
    result = [0] * (tiles + levels + 4 + areas + packs + fields + 1)
    left_at = tiles
    part_at = left_at + levels
    area_at = part_at + 4
    pack_at = area_at + areas
    field_at = pack_at + packs
    tick_at = field_at + fields
    items = joint_items(300, tiles)
    records = {"Start": len(items)}

    def tile(number, depth, value, left):
        result[number] += value * (left + 1)
        result[left_at + left] += 1
        result[tick_at] += value % 3
        if depth != 0 and left != 0:
            for i in range(1 + value % 2):
                tile(number, depth - 1, (value * 5 + 1 + i) % 2**32, left - 1)
            return
        result[part_at + number % 10 % 4] += value ^ number
        for y in range(1 + value // 4 % 3):
            for x in range(4 * min(value % 4, 3)):
                result[area_at + value % areas] += value * (1 + x + 20 * y)
        result[pack_at + value % packs] += value
        for y in range(3):
            for x in range(4):
                result[field_at + value % fields] ^= value * (1 + x + 4 * y) & 0xFFFFFFFF

    for item in items:
        tile(*item, levels - 1)
    inputs = [{"node": "Start", "u32": [word for item in items for word in item], "stride": 12, "count": len(items)}]
    write("joint", inputs, result, records)


def joint_array():
    tiles, levels = 200, 4
    result = [0] * (tiles + levels)
    items = joint_items(90, tiles)

    def tile(number, depth, value, left):
        result[number] += value * (left + 1)
        result[tiles + left] += 1
        for i in range(1 + value % 2 if depth != 0 and left != 0 else 0):
            tile(number, depth - 1, value * 5 + 1 + i, left - 1)

    for item in items:
        tile(*item, levels - 1)
    inputs = [{"node": "Start", "u32": [word for item in items for word in item], "stride": 12, "count": len(items)}]
    write("../run/joint_array", inputs, result, {"Start": len(items)})


if __name__ == "__main__":
    amplify()
    chain()
    grids()
    sharing()
    arrays()
    many()
    counts()
    bits()
    spill()
    large_grids()
    tracked_grids()
    largest_grid()
    joint()
    joint_array()
