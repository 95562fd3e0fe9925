//! Speed of a program's graph with its checks, once the contracts of its nodes are known. Together with the parsing of
//! one function, it is the cost of editing a signature in an editor.
//!
//! `cargo bench -p wgc-bench`; figures are in docs/measurements.md.

use divan::Bencher;
use wgc_sema::Compiler;
use wgc_sema::contracts::node::node;
use wgc_sema::db::{FileLoader, Options, Program};
use wgc_sema::graph::{graph, node_functions};
use wgc_sema::tables::codes::Severity;

fn main() {
    divan::main();
}

/// One file.
struct Text(String);

impl FileLoader for Text {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        (path == "graph.hlsl").then(|| self.0.clone().into_bytes())
    }
}

/// Returns a program whose contracts are known and whose graph is not.
fn prepared(nodes: usize) -> (Compiler, Program) {
    let mut db = Compiler::new(Box::new(Text(wgc_bench::graph(nodes))));
    let program = db.add_program(&["graph.hlsl"], Options::default());
    for function in node_functions(&db, program) {
        node(&db, *function);
    }
    (db, program)
}

#[divan::bench(args = [200, 2_000, 20_000], sample_count = 10, sample_size = 1)]
fn graph_and_its_checks(bencher: Bencher, nodes: usize) {
    bencher.with_inputs(|| prepared(nodes)).bench_local_refs(|(db, program)| {
        let found = graph(db, *program);
        // Sharers count each record sent to them once, which is a hint.
        assert!(found.diagnostics.iter().all(|d| d.severity == Severity::Hint), "the generated graph is right");
        assert!(found.graph.nodes.len() >= nodes);
    });
}
