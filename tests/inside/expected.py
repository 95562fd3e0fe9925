"""Writes the run files of this directory and, beside each, the records that flow through its graph, as a multiset.

The graphs are those of tests/emulated, with few inputs. Records are computed by plain loops over what the shaders say. A
line of NAME.records is a number of times, the names of the nodes that get the record, its grid if it has one, and its
fields as `wgc run --records-json` writes them; of empty records the number in all.

Run it here after changing a shader or its inputs: python3 expected.py
"""

import json
from collections import Counter


class Graph:
    def __init__(self):
        self.records = Counter()
        self.consumed = Counter()

    def get(self, nodes, fields=None, grid=None, times=1):
        """`times` records for the nodes, which are several where they share an input."""
        nodes = [nodes] if isinstance(nodes, str) else nodes
        key = '"nodes":' + json.dumps(nodes, separators=(",", ":"))
        if grid is not None:
            key += ',"grid":' + json.dumps(grid, separators=(",", ":"))
        if fields is None:
            key += ',"count"'
        else:
            key += ',"record":{ ' + json.dumps(fields)[1:-1] + " }"
        self.records[key] += times
        for node in nodes:
            self.consumed[node.split(" ")[0].split("[")[0]] += times

    def write(self, name, inputs, words, repeat=1, resources=None):
        dispatch = {"inputs": inputs} | ({"repeat": repeat} if repeat != 1 else {})
        run = {
            "shader": f"../emulated/{name}.hlsl",
            "resources": {"Result": {"zero_bytes": 4 * words}} | (resources or {}),
            "dispatch": [dispatch],
            "expect_records": {node: repeat * times for node, times in sorted(self.consumed.items())},
        }
        lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in run.items()]
        with open(name + ".run.json", "w") as file:
            file.write("{\n" + ",\n".join(lines) + "\n}\n")
        with open(name + ".records", "w") as file:
            for key, times in sorted(self.records.items()):
                if times:
                    file.write(f"{repeat * times} {key}\n")


def chain():
    graph, count = Graph(), 12
    for i in range(count):
        graph.get("Start", {"value": i})
        graph.get("Twice", {"value": 3 * i + 1})
        for group in range(2):
            value = 3 * i + 1 + group
            graph.get("Pack", {"value": value})
            graph.get("Spread", {"groups": value % 4, "value": value}, grid=[value % 4, 1, 1])
            for spread in range(value % 4):
                graph.get("Sum", {"value": value + spread})
    # Twice: the second time in memory that holds the records of the first.
    graph.write("chain", [{"node": "Start", "u32": list(range(count)), "stride": 4, "count": count}], 4, repeat=2)


def grids():
    graph, count = Graph(), 30
    for i in range(count):
        graph.get("Scatter", {"id": i})
        graph.get(["Work", "Watch"], {"id": i, "grid": [i % 4, i % 3]}, grid=[i % 4, i % 3, 1])
        graph.get("Gather", {"id": i})
        grid = [1 + i % 2, 1 + i % 3, i % 5]
        graph.get("Deep", {"grid": grid, "id": i}, grid=grid)
    graph.write("grids", [{"node": "Scatter", "u32": list(range(count)), "stride": 4, "count": count}], 8)


def counts():
    graph, grids, direct = Graph(), 50, 11 + 12
    graph.get("Grid", times=grids)
    # Six workgroups of two threads, which add the y of their place in the grid.
    graph.get("Collect", times=direct + grids * 6)
    settings = {"settings": {"fields": {"scale": 3, "offset": [10, 100]}}}
    inputs = [{"node": "Collect", "count": 11}, {"node": "Grid", "count": grids}, {"node": "Collect", "count": 12}]
    graph.write("counts", inputs, 3, resources=settings)


def arrays():
    graph, count = Graph(), 14
    label = lambda left: "Down" if left == 3 else f"Down level {3 - left}"

    def down(item, depth, left):
        graph.get(label(left), {"id": item, "depth": depth})
        for _ in range(1 + item % 2 if left else 0):
            down(item, depth + 1, left - 1)

    odd = 0
    for i in range(count):
        graph.get("Route", {"id": i, "depth": 0})
        kind = 1 + i % 7
        if kind in (2, 5):
            graph.get(f"Kind[{kind}]", {"id": i, "depth": 0})
        if kind == 2:
            down(100 + i, 0, 3)
        if i * 1000 == 3000:
            graph.get("Far[3000]", {"id": i, "depth": 1})
        down(i, 0, 3)
        graph.get("Tick" if i % 2 == 0 else "Tick[1]", times=i % 4)
        odd += i % 4 if i % 2 else 0
    # TickOdd takes up to three at a time; its workgroups send two each, however many they got. Full ones are the rule in
    # one pass and in every sweep that has them all.
    graph.get("Last", times=2 * -(-odd // 3))
    graph.write("arrays", [{"node": "Route", "records": [{"id": i, "depth": 0} for i in range(count)]}], 16)


def spill():
    graph, bins, talls, ticks, batch = Graph(), 100, 5, 6, 50
    element = lambda name, index: name if index == 0 else f"{name}[{index}]"
    take = lambda bin, id, sender: graph.get(element("Bin", bin), {"id": id, "from": sender})
    single = [(id, bins) for id in range(0, 400, 5)] + [(id, 42) for id in range(60)]
    for id, to in single:
        graph.get("Classify", {"id": id, "to": to})
        target = to if to != bins else ((id * 2654435761 & 0xFFFFFFFF) >> 8) % bins
        for i in range(id % 4):
            take(target, id + i, 1)
        graph.get(element("Tick", id % ticks), times=id % 3)
    teams = [(id, 0) for id in [0, 1, 2, 3, 4, 17, 29, 30] + [5] * 4]
    for id, to in teams:
        graph.get("Team", {"id": id, "to": to})
        count = 20 + id % 31
        for i in range(count):
            take(id * 37 % bins, id * 100 + i, 2)
        for i in range(batch - count):
            x, y = i % 5, 1 + i % 3
            # As the shader writes it, and as it is launched: cut to the largest grid of Tall, 4 x 3.
            graph.get(element("Tall", id % talls), {"grid": [x, y], "id": id + i, "sum": 0}, grid=[x, y, 1])
            if x:
                take(3, sum(id + i + a + 10 * b for a in range(2 * x) for b in range(y)), 3)
    words = lambda entries: [word for entry in entries for word in entry]
    inputs = [
        {"node": "Classify", "u32": words(single), "stride": 8, "count": len(single)},
        {"node": "Team", "u32": words(teams), "stride": 8, "count": len(teams)},
    ]
    graph.write("spill", inputs, 3 * bins + ticks)


if __name__ == "__main__":
    chain()
    grids()
    counts()
    arrays()
    spill()
