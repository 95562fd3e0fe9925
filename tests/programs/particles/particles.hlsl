// Fireworks: emitters launch rockets, rockets fly until they burst, bursts are emitters of sparks, sparks bounce and
// fade. Sparks that are alive at the end are appended to a list, which a second dispatch sorts by depth.
//
//   Emit -> SimulateRocket (recursive) -> Burst -> SimulateSpark (recursive) -> Alive
//   SortAlive

#include "fixed.hlsli"
#include "../common/random.hlsli"

#ifndef MAX_ALIVE
#define MAX_ALIVE 512
#endif
#define EMIT_THREADS    32
#define SPARKS          12
#define STEPS_PER_NODE  4
#define SORT_THREADS    256

typedef vector<uint, 2> Range;

enum ParticleState : uint
{
    PARTICLE_FLYING,
    PARTICLE_BURST,
    PARTICLE_DEAD,
};

struct Particle
{
    int3 position;
    int3 velocity;
    uint id;
    uint age;
};

struct EmitterRecord
{
    uint groups : SV_DispatchGrid;
    uint count;
    uint seed;
    int3 position;
};

struct BurstRecord
{
    Particle rocket;
    uint seed;
};

struct AliveParticle
{
    uint id;
    uint age;
    int depth;
    int height;
};

struct Counters
{
    uint rockets;
    uint sparks;
    uint bounces;
    uint faded;
};

RWStructuredBuffer<AliveParticle> Alive;
RWStructuredBuffer<Counters> Totals;
RWStructuredBuffer<uint> AliveCount;
RWStructuredBuffer<uint64_t> Sorted;

// --------------------------------------------------------------------------------------------------------- simulation

static const int c_gravity = -3277;         // -0.05
static const int c_damping = 45875;         // 0.7

// A policy holds the differences between rockets and sparks.
struct RocketPolicy
{
    static const uint Life = 24;
    static const bool Bounces = false;
    static ParticleState AtEnd(Particle p) { return PARTICLE_BURST; }
    static bool EndsEarly(Particle p) { return p.velocity.y < 0; }
};

struct SparkPolicy
{
    static const uint Life = 30;
    static const bool Bounces = true;
    static ParticleState AtEnd(Particle p) { return PARTICLE_FLYING; }
    static bool EndsEarly(Particle p) { return false; }
};

template<typename Policy>
ParticleState Step(inout Particle p, inout uint bounces)
{
    Fixed3 position = Fixed3::FromRaw(p.position);
    Fixed3 velocity = Fixed3::FromRaw(p.velocity);
    velocity.y = velocity.y + Fixed::FromRaw(c_gravity);
    position = position + velocity;
    if (position.y < Fixed::FromInt(0))
    {
        if (!Policy::Bounces)
            return PARTICLE_DEAD;
        position.y = Fixed::FromInt(0) - position.y;
        velocity.y = Fixed::FromInt(0) - velocity.y;
        velocity = velocity * Fixed::FromRaw(c_damping);
        ++bounces;
        // Slow sparks go out on the ground.
        if (velocity.y < Fixed::FromRaw(1 << 14))
            return PARTICLE_DEAD;
    }
    p.position = position.Raw();
    p.velocity = velocity.Raw();
    p.age++;
    return p.age >= Policy::Life || Policy::EndsEarly(p) ? Policy::AtEnd(p) : PARTICLE_FLYING;
}

template<typename Policy>
ParticleState Advance(inout Particle p)
{
    ParticleState state = PARTICLE_FLYING;
    uint bounces = 0;
    for (uint step = 0; step < STEPS_PER_NODE && state == PARTICLE_FLYING && p.age < Policy::Life; ++step)
        state = Step<Policy>(p, bounces);
    if (bounces != 0)
        InterlockedAdd(Totals[0].bounces, bounces);
    return state;
}

// --------------------------------------------------------------------------------------------------------- emitters

int Between(inout RandomStream random, int low, int high)
{
    return low + int(random.Below(uint(high - low)));
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(8, 1, 1)]
[NumThreads(EMIT_THREADS, 1, 1)]
void Emit(
    DispatchNodeInputRecord<EmitterRecord> input,
    uint index : SV_DispatchThreadID,
    [MaxRecords(EMIT_THREADS)] [NodeID("SimulateRocket")] NodeOutput<Particle> rockets)
{
    const EmitterRecord emitter = input.Get();
    const bool emits = index < emitter.count;
    ThreadNodeOutputRecords<Particle> outputs = rockets.GetThreadNodeOutputRecords(emits ? 1 : 0);
    if (emits)
    {
        RandomStream random = RandomStream::FromSeed(Hash(emitter.seed, index));
        Particle p;
        p.position = emitter.position;
        p.velocity.x = Between(random, -20000, 20000);
        p.velocity.y = Between(random, -10000, 75000);
        p.velocity.z = Between(random, -20000, 20000);
        p.id = (emitter.seed << 16) | (index << 4);
        p.age = 0;
        outputs.Get() = p;
        InterlockedAdd(Totals[0].rockets, 1);
    }
    outputs.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeMaxRecursionDepth(7)]
void SimulateRocket(
    RWThreadNodeInputRecord<Particle> input,
    [MaxRecords(1)] [NodeID("SimulateRocket")] NodeOutput<Particle> next,
    [MaxRecords(1)] [NodeID("Burst")] NodeOutput<BurstRecord> bursts)
{
    // The record is the particle's own memory: it is advanced in place.
    const ParticleState state = Advance<RocketPolicy>(input.Get());

    const bool flies = state == PARTICLE_FLYING && GetRemainingRecursionLevels() != 0;
    ThreadNodeOutputRecords<Particle> again = next.GetThreadNodeOutputRecords(flies);
    if (flies)
        again.Get() = input.Get();
    again.OutputComplete();

    const bool explodes = state == PARTICLE_BURST;
    ThreadNodeOutputRecords<BurstRecord> burst = bursts.GetThreadNodeOutputRecords(explodes);
    if (explodes)
    {
        burst.Get().rocket = input.Get();
        burst.Get().seed = Hash(input.Get().id);
    }
    burst.OutputComplete();
}

groupshared Particle g_rocket;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(SPARKS, 1, 1)]
void Burst(
    DispatchNodeInputRecord<BurstRecord> input,
    uint spark : SV_GroupIndex,
    [MaxRecords(SPARKS)] [NodeID("SimulateSpark")] NodeOutput<Particle> sparks)
{
    if (spark == 0)
    {
        g_rocket = input.Get().rocket;
        InterlockedAdd(Totals[0].sparks, SPARKS);
    }
    Barrier(GROUP_SHARED_MEMORY, GROUP_SCOPE | GROUP_SYNC);

    RandomStream random = RandomStream::FromSeed(Hash(input.Get().seed, spark));
    GroupNodeOutputRecords<Particle> outputs = sparks.GetGroupNodeOutputRecords(SPARKS);
    Particle p = g_rocket;
    p.velocity += int3(Between(random, -30000, 30000), Between(random, -30000, 30000), Between(random, -30000, 30000));
    p.id |= spark + 1;
    p.age = 0;
    outputs[spark] = p;
    outputs.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeMaxRecursionDepth(8)]
void SimulateSpark(
    ThreadNodeInputRecord<Particle> input,
    [MaxRecords(1)] [NodeID("SimulateSpark")] NodeOutput<Particle> next)
{
    Particle p = input.Get();
    const ParticleState state = Advance<SparkPolicy>(p);
    const bool done = p.age >= SparkPolicy::Life;
    const bool flies = state == PARTICLE_FLYING && !done;

    ThreadNodeOutputRecords<Particle> again = next.GetThreadNodeOutputRecords(flies ? 1 : 0);
    if (flies)
        again.Get() = p;
    again.OutputComplete();

    if (state == PARTICLE_DEAD)
    {
        InterlockedAdd(Totals[0].faded, 1);
    }
    else if (done)
    {
        const uint place = Alive.IncrementCounter();
        if (place < MAX_ALIVE)
        {
            AliveParticle alive = { p.id, p.age, p.position.z, p.position.y };
            Alive[place] = alive;
            InterlockedMax(AliveCount[0], place + 1);
        }
    }
}

// --------------------------------------------------------------------------------------------------------- sorting

groupshared uint64_t g_keys[MAX_ALIVE];

// Farthest first; equal depths by identity. Signed depths order as unsigned ones with the sign flipped.
uint64_t SortKey(AliveParticle p)
{
    const uint depth = uint(p.depth) ^ 0x80000000u;
    return ~((uint64_t(depth) << 32) | p.id);
}

void CompareAndSwap(uint a, uint b, bool ascending)
{
    const uint64_t x = g_keys[a];
    const uint64_t y = g_keys[b];
    if ((x > y) == ascending)
    {
        g_keys[a] = y;
        g_keys[b] = x;
    }
}

struct SortRecord
{
    Range range;
};

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(SORT_THREADS, 1, 1)]
void SortAlive(DispatchNodeInputRecord<SortRecord> input, uint thread : SV_GroupIndex)
{
    const Range range = input.Get().range;
    const uint count = min(AliveCount[0], range.y);
    for (uint i = thread; i < MAX_ALIVE; i += SORT_THREADS)
        g_keys[i] = i < count ? SortKey(Alive[i]) : ~uint64_t(0);
    GroupMemoryBarrierWithGroupSync();

    for (uint size = 2; size <= MAX_ALIVE; size <<= 1)
    {
        for (uint stride = size >> 1; stride > 0; stride >>= 1)
        {
            for (uint pair = thread; pair < MAX_ALIVE / 2; pair += SORT_THREADS)
            {
                const uint low = 2 * pair - (pair & (stride - 1));
                CompareAndSwap(low, low + stride, (low & size) == 0);
            }
            GroupMemoryBarrierWithGroupSync();
        }
    }

    for (uint k = range.x + thread; k < count; k += SORT_THREADS)
        Sorted[k] = ~g_keys[k];
}
