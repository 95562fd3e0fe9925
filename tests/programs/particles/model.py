"""The fireworks of particles.hlsl, one particle after the other."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "common"))
from model import Stream, finish, hash_of

EMITTERS = [
    {"groups": 1, "count": 20, "seed": 3, "position": [0, 0, 65536 * 4]},
    {"groups": 2, "count": 39, "seed": 8, "position": [65536 * 5, 65536, -65536 * 3]},
]
GRAVITY, DAMPING, SPARKS, ROCKET_LIFE, SPARK_LIFE, MAX_ALIVE = -3277, 45875, 12, 24, 30, 512
rockets = sparks = bounces = faded = 0
alive = []


def mul(a, b):
    return (a * b) >> 16


def between(rng, low, high):
    return low + rng.next() % (high - low)


def fly_rocket(position, velocity):
    for age in range(1, ROCKET_LIFE + 1):
        velocity[1] += GRAVITY
        moved = [p + v for p, v in zip(position, velocity)]
        if moved[1] < 0:
            return False
        position[:] = moved
        if velocity[1] < 0:
            break
    return True


def fly_spark(position, velocity):
    global bounces
    for age in range(1, SPARK_LIFE + 1):
        velocity[1] += GRAVITY
        position[:] = [p + v for p, v in zip(position, velocity)]
        if position[1] < 0:
            position[1] = -position[1]
            velocity[1] = -velocity[1]
            velocity[:] = [mul(v, DAMPING) for v in velocity]
            bounces += 1
            if velocity[1] < 1 << 14:
                return False
    return True


for emitter in EMITTERS:
    for index in range(emitter["count"]):
        rockets += 1
        rng = Stream(hash_of(emitter["seed"], index))
        p = list(emitter["position"])
        v = [between(rng, -20000, 20000), between(rng, -10000, 75000), between(rng, -20000, 20000)]
        rocket_id = emitter["seed"] << 16 | index << 4
        if not fly_rocket(p, v):
            continue
        seed = hash_of(rocket_id)
        for spark in range(SPARKS):
            sparks += 1
            rng = Stream(hash_of(seed, spark))
            q = list(p)
            w = [c + between(rng, -30000, 30000) for c in v]
            if fly_spark(q, w):
                alive.append({"id": rocket_id | spark + 1, "age": SPARK_LIFE, "depth": q[2], "height": q[1]})
            else:
                faded += 1

assert 0 < len(alive) <= MAX_ALIVE and faded and bounces and sparks < rockets * SPARKS
order = sorted(((a["depth"] ^ -(1 << 31)) & 0xFFFFFFFF) << 32 | a["id"] for a in alive)[::-1]
run = {
    "shader": "particles.hlsl",
    "resources": {
        "Alive": {"zero_bytes": 16 * MAX_ALIVE},
        "counter.var.Alive": {"u32": [0]},
        "AliveCount": {"u32": [0]},
        "Totals": {"zero_bytes": 16},
        "Sorted": {"zero_bytes": 8 * MAX_ALIVE},
    },
    "dispatch": [
        {"inputs": [{"node": "Emit", "records": EMITTERS}]},
        {"inputs": [{"node": "SortAlive", "records": [{"range": [0, MAX_ALIVE]}]}]},
    ],
    "expect": {
        "Totals": {"u32": [rockets, sparks, bounces, faded]},
        "AliveCount": {"u32": [len(alive)]},
        "Alive": {"structs": alive, "any_order": True},
        "Sorted": {"u64": [str(k) for k in order] + ["0"] * (MAX_ALIVE - len(order))},
    },
    "expect_records": {"Emit": 2, "Burst": sparks // SPARKS, "SortAlive": 1},
}
finish(__file__, run)
