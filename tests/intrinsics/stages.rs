//! Intrinsics of other stages, and those that SPIR-V lacks. Each row of the list that is legal neither in compute
//! shaders nor in nodes is refused there. The message names its stages or the missing feature.

use crate::list::{PREAMBLE, Row, rows};
use crate::support::Scratch;
use std::fmt::Write as _;
use wgc_compiler::Session;
use wgc_sema::db::Options;
use wgc_sema::tables::codes::{Code, Severity};

/// The entry of such rows in the list's column of tests.
pub const TEST: &str = "stages::every_row_is_refused";

/// The list's names for stages, and those of the message.
const STAGES: &[(&str, &str)] = &[
    ("pixel", "pixel shaders"),
    ("hull", "hull shaders"),
    ("amplification", "amplification shaders"),
    ("ray tracing", "ray tracing shaders"),
    ("effects", "Direct3D 9 effects"),
];

/// The list's name for features of Direct3D compute shaders and nodes, and the text of the message.
const DIRECT3D: (&str, &str) = ("Direct3D", "SPIR-V has no sampler feedback");

/// Returns the diagnostic for a use of a row.
fn refusal(row: &Row, entry: &str) -> (Code, String) {
    let name = row.named();
    if row.legal == DIRECT3D.0 {
        return (Code::NotSupported, format!("`{name}` cannot be compiled: {}", DIRECT3D.1));
    }
    // Some nodes support it; the check at their calls reports the others.
    if row.legal == "mesh" {
        return (Code::OtherStage, format!("`{name}` belongs to mesh nodes, not to {entry}"));
    }
    let stages = STAGES.iter().find(|(legal, _)| *legal == row.legal);
    let (_, stages) = stages.unwrap_or_else(|| panic!("{}: no words for {}", row.show(), row.legal));
    (Code::OtherStage, format!("`{name}` belongs to {stages}, not to nodes or compute shaders"))
}

/// Compiles one use of each row, reached from `entry`, which messages call `shown`. Each must cause exactly its
/// expected message.
fn refuse(entry: &str, shown: &str, options: Options) {
    let mut text = PREAMBLE.to_owned();
    let mut wanted = vec![None; text.matches('\n').count()];
    let mut uses = String::new();
    for (n, row) in rows().iter().enumerate().filter(|(_, row)| !row.is_legal()) {
        let calls = row.calls(n);
        let call = calls.first().unwrap_or_else(|| panic!("{} cannot be called", row.show()));
        let _ = writeln!(text, "{}", call.function_without_parameters());
        wanted.push(Some(refusal(row, shown)));
        let _ = write!(uses, "f{}(); ", call.id);
    }
    let _ = writeln!(text, "{entry} {{ {uses}}}");
    let scratch = Scratch::new().with("stages.hlsl", &text);
    let session = Session::new(&[&scratch.0.join("stages.hlsl").to_string_lossy()], options);
    let mut given = vec![Vec::new(); wanted.len() + 1];
    for error in session.diagnostics().iter().filter(|d| d.severity == Severity::Error) {
        let lo = error.labels.first().map_or(0, |l| l.range.lo as usize);
        given[text[..lo].matches('\n').count()].push((error.code, error.message.clone()));
    }
    let lines = text.lines().zip(&wanted).zip(&given);
    let wrong: Vec<_> = lines.filter(|((_, wanted), given)| !given.iter().eq(wanted.iter())).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(wanted.iter().flatten().count() > 0, "the list has no such rows");
}

#[test]
fn every_row_is_refused_in_compute_shaders() {
    let options = Options { compute_entry: Some("main".to_owned()), ..Options::default() };
    refuse("[numthreads(1, 1, 1)] void main()", "compute shader `main`", options);
}

#[test]
fn every_row_is_refused_in_nodes() {
    refuse("[Shader(\"node\")] [NodeLaunch(\"thread\")] void node()", "thread node `node`", Options::default());
}
