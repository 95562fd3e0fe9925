// A fused edge has its record in groupshared memory. Barriers for the memory of outputs and inputs order it.
RWStructuredBuffer<uint> Out;

struct Row { uint cells[64]; };

void WaitForOutput() { Barrier(NODE_OUTPUT_MEMORY, GROUP_SYNC | GROUP_SCOPE); }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(1, 1, 1)] [NumThreads(64, 1, 1)]
void Fill(uint thread : SV_GroupIndex, [MaxRecords(1)] NodeOutput<Row> Turn)
{
    GroupNodeOutputRecords<Row> row = Turn.GetGroupNodeOutputRecords(1);
    row.Get().cells[thread] = thread + 1;
    WaitForOutput();
    uint opposite = row.Get().cells[63 - thread];
    WaitForOutput();
    row.Get().cells[thread] = opposite;
    row.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(64, 1, 1)]
void Turn(uint thread : SV_GroupIndex, RWDispatchNodeInputRecord<Row> row)
{
    row.Get().cells[thread] += 10;
    Barrier(NODE_INPUT_MEMORY, GROUP_SYNC | GROUP_SCOPE);
    Out[thread] = row.Get().cells[63 - thread];
}
