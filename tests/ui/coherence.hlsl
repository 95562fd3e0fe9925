// A copy of a handle is declared as coherent as the original, or one of the two means nothing.
struct R { uint x; };
globallycoherent RWStructuredBuffer<uint> G;
RWStructuredBuffer<uint> N;
globallycoherent RWStructuredBuffer<uint> Gs[4];

void takes(RWDispatchNodeInputRecord<R> r) { }
void takes_coherent(globallycoherent RWDispatchNodeInputRecord<R> r) { }
void fills(RWStructuredBuffer<uint> b) { b[0] = 1; }
void fills_coherent(globallycoherent RWStructuredBuffer<uint> b) { b[0] = 1; }
template<typename T> void copies(T data)
{
    T same = data;
    globallycoherent T other = data; //~ WARN WG0383
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(1, 1, 1)]
void coherent(globallycoherent RWDispatchNodeInputRecord<R> input)
{
    takes(input); //~ WARN WG0383
    takes_coherent(input);
    RWDispatchNodeInputRecord<R> plain = input; //~ WARN WG0383
    globallycoherent RWDispatchNodeInputRecord<R> same = input;
    same = plain; //~ WARN WG0383
    fills(G); //~ WARN WG0383
    fills_coherent(G);
    fills(N);
    fills_coherent(N); //~ WARN WG0383
    fills(Gs[1]); //~ WARN WG0383
    fills_coherent(Gs[1]);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(1, 1, 1)]
void not_coherent(RWDispatchNodeInputRecord<R> input)
{
    takes(input);
    copies(input);
    if (input.Get().x == 1) {
        RWStructuredBuffer<uint> b = N;
        b[0] = 1;
    }
}
