//! The language server, driven as an editor drives it, in this process.

mod client;
mod completion;
mod describe;
mod diagnostics;
mod edits;
#[cfg(unix)]
mod extremes;
mod formatting;
mod graph;
mod hints;
mod live;
mod navigate;
mod neovim;
mod parity;
mod picture;
mod process;
mod projects;
mod protocol;
#[path = "../support/random.rs"]
mod random;
mod rename;
mod robust;
mod settings;
mod strangers;
mod tokens;
mod typed;
mod vscode;

/// A graph of three nodes: `first` sends to `second` and to `leaves`, an array of two, through an output with another
/// name.
const GRAPH: &str = r#"struct R { uint n; };
RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void first(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> second,
           [MaxRecords(2)] [NodeID("leaves")] [NodeArraySize(2)] NodeOutputArray<R> others)
{
    second.GetThreadNodeOutputRecords(1).OutputComplete();
    others[input.Get().n].GetThreadNodeOutputRecords(1).OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void second(ThreadNodeInputRecord<R> input)
{
    Out[0] = input.Get().n;
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("leaves", 0)]
void leaf(ThreadNodeInputRecord<R> input) { Out[1] = input.Get().n; }

[Shader("node")] [NodeLaunch("thread")] [NodeID("leaves", 1)]
void other_leaf(ThreadNodeInputRecord<R> input) { Out[2] = input.Get().n; }
"#;
