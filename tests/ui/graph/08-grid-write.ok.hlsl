struct R { uint3 grid : SV_DispatchGrid; uint x; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(1, 1, 1)]
void writes(RWDispatchNodeInputRecord<R> i) { i.Get().x = 2; }
