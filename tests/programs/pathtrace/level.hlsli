// One level of the graph: a node that traces and one node for each material. Paths cannot go back to a node above, so
// levels are created by including this file with another LEVEL; the last one sends nothing on.

#ifndef LEVEL
#error "LEVEL says which level of the graph this is"
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TRACE_NODE JOIN(Trace, LEVEL)
#define SHADE_NODE JOIN(Shade, LEVEL)
#define STRING_(x) #x
#define STRING(x) STRING_(x)

#if LEVEL + 1 < LEVELS
#define IS_LAST 0
#if LEVEL == 0
#define NEXT Trace1
#elif LEVEL == 1
#define NEXT Trace2
#elif LEVEL == 2
#define NEXT Trace3
#endif
#else
#define IS_LAST 1
#endif

[Shader("node")]
[NodeLaunch("thread")]
void TRACE_NODE(
    ThreadNodeInputRecord<PathState> input,
    [MaxRecords(1)] [NodeID(STRING(SHADE_NODE))] [NodeArraySize(MATERIAL_KINDS)] NodeOutputArray<HitState> shade)
{
    const PathState path = input.Get();
    HitState hit;
    (PathState)hit = path;
    const bool any = Closest(path, hit.distance, hit.sphere);
    if (!any)
        Accumulate(path.pixel, path.throughput * Sky(path.direction));

    const uint material = any ? Spheres[hit.sphere].material : 0;
    ThreadNodeOutputRecords<HitState> records = shade[material].GetThreadNodeOutputRecords(any ? 1 : 0);
    if (any)
        records.Get() = hit;
    records.OutputComplete();
}

#if IS_LAST
#define SHADE(name, index)                                                              \
    [Shader("node")] [NodeLaunch("thread")] [NodeID(STRING(SHADE_NODE), index)]         \
    void JOIN(JOIN(name, At), LEVEL)(ThreadNodeInputRecord<HitState> input)             \
    {                                                                                   \
        PathState next;                                                                 \
        if (name::Scatter(input.Get(), next))                                           \
            Accumulate(next.pixel, next.throughput * 0.5f * (SkyTop + SkyBottom));      \
    }
#else
#define SHADE(name, index)                                                              \
    [Shader("node")] [NodeLaunch("thread")] [NodeID(STRING(SHADE_NODE), index)]         \
    void JOIN(JOIN(name, At), LEVEL)(                                                   \
        ThreadNodeInputRecord<HitState> input,                                          \
        [MaxRecords(1)] NodeOutput<PathState> NEXT)                                     \
    {                                                                                   \
        PathState next = (PathState)0;                                                  \
        const bool goesOn = name::Scatter(input.Get(), next);                           \
        ThreadNodeOutputRecords<PathState> records = NEXT.GetThreadNodeOutputRecords(goesOn ? 1 : 0); \
        if (goesOn)                                                                     \
            records.Get() = next;                                                       \
        records.OutputComplete();                                                       \
    }
#endif

SHADE(Lambert, MATERIAL_LAMBERT)
SHADE(Mirror, MATERIAL_MIRROR)
SHADE(Glass, MATERIAL_GLASS)

// Light ends the path.
[Shader("node")]
[NodeLaunch("thread")]
[NodeID(STRING(SHADE_NODE), MATERIAL_LIGHT)]
void JOIN(LightAt, LEVEL)(ThreadNodeInputRecord<HitState> input)
{
    Accumulate(input.Get().pixel, input.Get().throughput * Spheres[input.Get().sphere].albedo);
}

#undef SHADE
#undef NEXT
#undef IS_LAST
#undef STRING
#undef STRING_
#undef TRACE_NODE
#undef SHADE_NODE
#undef JOIN
#undef JOIN_
#undef LEVEL
