// Debug printing from a graph: every node formats lines of text, and the lines are gathered. The log is written line
// by line, each at the place that follows from the lengths of the lines before it.
//
//   Produce -> Report[numbers | floats | vectors | summary] -> WriteLine

#include "text.hlsli"

enum Kind
{
    KIND_NUMBERS,
    KIND_FLOATS,
    KIND_VECTORS,
    KIND_SUMMARY,
    KIND_COUNT,
};

#define EVENT_THREADS 8

struct Event
{
    uint line;
    int value;
    float real;
};

struct LineRecord
{
    uint line;
    uint length;
    uint words[TEXT_LINE_WORDS];
};

ByteAddressBuffer Events : register(t0);               // kind, value, real; one after the other
RWStructuredBuffer<uint> Lines : register(u0);         // TEXT_LINE_WORDS words a line
RWBuffer<uint> Lengths : register(u1);
RWByteAddressBuffer Log : register(u2);

struct SourceEvent
{
    Kind kind;
    int value;
    float real;
};

struct BatchRecord
{
    uint first, count;
};

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(EVENT_THREADS, 1, 1)]
void Produce(
    DispatchNodeInputRecord<BatchRecord> input,
    uint thread : SV_GroupIndex,
    [MaxRecords(EVENT_THREADS)] [NodeArraySize(KIND_COUNT)] NodeOutputArray<Event> Report)
{
    const BatchRecord batch = input.Get();
    const bool active = thread < batch.count;
    SourceEvent source = (SourceEvent)0;
    if (active)
        source = Events.Load<SourceEvent>((batch.first + thread) * sizeof(SourceEvent));

    ThreadNodeOutputRecords<Event> events = Report[source.kind].GetThreadNodeOutputRecords(active ? 1 : 0);
    if (active)
    {
        Event e = { batch.first + thread, source.value, source.real };
        events.Get() = e;
    }
    events.OutputComplete();
}

void Send(NodeOutput<LineRecord> lines, uint number, TextLine text)
{
    ThreadNodeOutputRecords<LineRecord> record = lines.GetThreadNodeOutputRecords(1);
    record.Get().line = number;
    record.Get().length = text.length;
    record.Get().words = text.words;
    record.OutputComplete();
}

#define REPORT_NODE(name, index)     \
    [Shader("node")]                 \
    [NodeLaunch("thread")]           \
    [NodeID("Report", index)]        \
    void name(ThreadNodeInputRecord<Event> input, [MaxRecords(1)] NodeOutput<LineRecord> WriteLine)

REPORT_NODE(ReportNumbers, KIND_NUMBERS)
{
    const Event e = input.Get();
    PRINT_BEGIN();
    PRINT("numbers:");
    PRINT_VALUE(value, e.value);
    PRINT_VALUE(unsigned, uint(e.value));
    PRINT(" bits=");
    Print::Hex(printed, uint(e.value));
    Send(WriteLine, e.line, printed);
}

REPORT_NODE(ReportFloats, KIND_FLOATS)
{
    const Event e = input.Get();
    PRINT_BEGIN();
    PRINT("floats:");
    PRINT_VALUE(real, e.real);
    PRINT(" short=");
    Print::Value(printed, e.real, 1);
    PRINT_VALUE(finite, isfinite(e.real));
    Send(WriteLine, e.line, printed);
}

REPORT_NODE(ReportVectors, KIND_VECTORS)
{
    const Event e = input.Get();
    PRINT_BEGIN();
    PRINT("vector");
    PRINT_VALUE(i, int3(e.value, -e.value, e.value * 2));
    PRINT_VALUE(f, e.real.xxx * float3(1, -2, 0.5));
    Send(WriteLine, e.line, printed);
}

REPORT_NODE(ReportSummary, KIND_SUMMARY)
{
    const Event e = input.Get();
    PRINT_BEGIN();
    // Adjacent literals are one: \x2d is a minus sign.
    PRINT("\"summary\"\t" "line\x2d");
    Print::Value(printed, e.line);
    const int64_t wide = int64_t(e.value) * 0x100000000ll;
    PRINT_VALUE(wide, wide);
    PRINT_VALUE(negative, e.value < 0);
    Send(WriteLine, e.line, printed);
}

[Shader("node")]
[NodeLaunch("thread")]
void WriteLine(ThreadNodeInputRecord<LineRecord> input)
{
    const uint line = input.Get().line;
    Lengths[line] = input.Get().length;
    for (uint i = 0; i < TEXT_LINE_WORDS; ++i)
        Lines[line * TEXT_LINE_WORDS + i] = input.Get().words[i];
}

// ------------------------------------------------------------------------------------- the second dispatch: one text

struct JoinRecord
{
    uint lines;
};

uint ByteOf(uint line, uint column)
{
    if (column == Lengths[line])
        return '\n';
    return (Lines[line * TEXT_LINE_WORDS + column / 4] >> (8 * (column % 4))) & 0xff;
}

groupshared uint g_base;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(32, 1, 1)]
void Join(DispatchNodeInputRecord<JoinRecord> input, uint thread : SV_GroupIndex)
{
    if (thread == 0)
        g_base = 4;
    AllMemoryBarrierWithGroupSync();
    for (uint line = 0; line < input.Get().lines; ++line)
    {
        const uint base = g_base;
        const uint bytes = Lengths[line] + 1;
        for (uint column = thread; column < bytes; column += 32)
        {
            // Lines share words.
            const uint at = base + column;
            uint before;
            Log.InterlockedOr(at & ~3u, ByteOf(line, column) << (8 * (at & 3)), before);
        }
        GroupMemoryBarrierWithGroupSync();
        if (thread == 0)
            g_base += bytes;
        GroupMemoryBarrierWithGroupSync();
    }
    if (thread == 0)
        Log.Store<uint>(0, g_base - 4);
}
