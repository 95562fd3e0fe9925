//! Counts the fused edges of the graphs that ran, by rule.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use wgc_backend_spirv::emulated::EmulatedOptions;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_compiler::{Failure, Session};
use wgc_ir::passes::fusion::{Decision, FusionMode, Rule};

static EDGES: Mutex<BTreeMap<&'static str, usize>> = Mutex::new(BTreeMap::new());

/// Adds the edges of a graph, if it is fused.
pub fn add(session: &Session, settings: &Settings) -> Result<(), Failure> {
    if settings.fusion == FusionMode::Off {
        return Ok(());
    }
    let report = session.fusion(&EmulatedOptions { plan: *settings, ..EmulatedOptions::default() })?;
    let mut edges = EDGES.lock().unwrap_or_else(PoisonError::into_inner);
    for edge in report.edges {
        let code = match edge.decision {
            Decision::Fused(rule) => rule.code(),
            Decision::Kept(reason) => reason.code(),
        };
        *edges.entry(code).or_default() += 1;
    }
    Ok(())
}

/// Prints the edges so far, and returns the rules with fewer than `least`.
pub fn rare(least: usize) -> Vec<&'static str> {
    let edges = EDGES.lock().unwrap_or_else(PoisonError::into_inner);
    eprint!("{}", edges.iter().map(|(code, n)| format!("{n:6}  {code}\n")).collect::<String>());
    let codes = Rule::ALL.iter().map(|rule| rule.code());
    codes.filter(|code| edges.get(code).is_none_or(|n| *n < least)).collect()
}
