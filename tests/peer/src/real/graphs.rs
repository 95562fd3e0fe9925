//! Work-graph programs of public repositories: a table of facts, and the verdict about each.
//!
//! `real/graphs.tsv` has a line for each program. `WGC_GRAPHS` names the directory of their sources, one folder for
//! each repository. Each program is compiled for both targets. Then its package runs on the CPU device without fusion
//! and in both modes of fusion, with small pseudo-random resources and entry records.

use super::compare::{Words, difference, is_unchanged};
use super::inputs::{push_constants, record, resources};
use crate::execute::{Bound, Ran, Resource};
use crate::ours::Refusal;
use std::path::{Path, PathBuf};
use wgc_abi::interface::Interface;
use wgc_abi::manifest::Manifest;
use wgc_abi::package::Package;
use wgc_compiler::{Failure, Session};
use wgc_ir::passes::fusion::{Decision, Edge, FusionMode};
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::device::{Command, Device as _};
use wgc_runtime::emulated::{Data, EmulatedGraph, EmulatedOptions, Input};
use wgc_sema::tables::codes::Severity;

/// The committed table.
pub const GRAPHS: &str = include_str!("../../real/graphs.tsv");

/// Records for each entry node.
const RECORDS: u32 = 3;
/// Instructions of a workgroup, and workgroups: real programs may run for minutes with other inputs than theirs.
const FUEL: u64 = 1 << 22;
const MAX_WORKGROUPS: u64 = 1 << 16;

/// All runs have the same results.
pub const EQUAL: &str = "equal";
/// So they have, but none changes a resource.
pub const IDLE: &str = "idle";
/// The runs differ. The table has this word only if the program depends on the order of its nodes or atomics.
pub const ORDER: &str = "order";

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The folder of the repository, `owner+name`.
    pub repository: String,
    /// The commit, 40 hexadecimal digits.
    pub commit: String,
    /// Relative to the folder. Options stand before the file that they are for.
    pub files: Vec<String>,
    /// wgc's options. Folders are relative to the folder of the repository.
    pub flags: Vec<String>,
    /// `ok`, or the code of the first error.
    pub verdict: String,
    /// By edge, `Producer.output=decision` in the mode `safe`.
    pub edges: Vec<String>,
    /// [`EQUAL`], [`IDLE`], [`ORDER`], or `-` if it was not executed.
    pub run: String,
}

impl Program {
    /// Reads a line.
    ///
    /// # Errors
    /// The line has another form.
    pub fn parse(line: &str) -> Result<Program, String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [repository, commit, files, flags, verdict, edges, run] = columns[..] else {
            return Err(format!("{} columns in place of 7: {line}", columns.len()));
        };
        let list = |text: &str, by: char| text.split(by).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        Ok(Program {
            repository: repository.to_owned(),
            commit: commit.to_owned(),
            files: list(files, ' '),
            flags: list(flags, ' '),
            verdict: verdict.to_owned(),
            edges: list(edges, ','),
            run: run.to_owned(),
        })
    }

    /// Returns the line of this program.
    pub fn line(&self) -> String {
        let Program { repository, commit, files, flags, verdict, edges, run } = self;
        [repository, commit, &files.join(" "), &flags.join(" "), verdict, &edges.join(","), run]
            .map(String::as_str)
            .join("\t")
    }

    /// Returns wgc's command line for the sources in a directory.
    pub fn arguments(&self, sources: &Path) -> Vec<String> {
        let folder = sources.join(&self.repository);
        let within = |path: &str| folder.join(path).to_string_lossy().into_owned();
        let file = |word: &String| if word.starts_with('-') { word.clone() } else { within(word) };
        let mut arguments: Vec<String> = self.files.iter().map(file).collect();
        let mut names_folder = false;
        for flag in &self.flags {
            let is_attached = flag.len() > 2 && flag.starts_with("-I");
            arguments.push(match names_folder {
                true => within(flag),
                false if is_attached => format!("-I{}", within(&flag[2..])),
                false => flag.clone(),
            });
            names_folder = flag == "-I";
        }
        arguments
    }
}

/// Returns the programs of a table.
///
/// # Errors
/// A line has another form.
pub fn programs(text: &str) -> Result<Vec<Program>, String> {
    text.lines().filter(|line| !line.starts_with('#')).map(Program::parse).collect()
}

/// Returns the directory of the sources that the environment names.
pub fn sources() -> Option<PathBuf> {
    std::env::var_os("WGC_GRAPHS").map(PathBuf::from)
}

/// The findings about a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    pub verdict: String,
    pub edges: Vec<String>,
    pub run: String,
    /// The message of a refusal, the first difference, or the reason why it was not executed.
    pub why: String,
    /// Edges that `safe` fuses, and those that `full` fuses.
    pub fused: [usize; 2],
}

/// Compiles and runs a program.
pub fn judge(program: &Program, sources: &Path) -> Judged {
    let mut judged = Judged { run: "-".to_owned(), ..Judged::default() };
    if let Err((code, why)) = judged.compile_and_run(&program.arguments(sources)) {
        (judged.verdict, judged.why) = (code, why);
    }
    judged
}

/// Returns the code of a refusal, and its message.
fn refusal(failure: Failure) -> (String, String) {
    match Refusal::from(failure) {
        Refusal::Source { code, message } => (code, message),
        Refusal::Target(message) => ("target".to_owned(), message),
        Refusal::Broken(message) => ("internal".to_owned(), message),
    }
}

fn shown(edge: &Edge) -> String {
    let decision = match edge.decision {
        Decision::Fused(rule) => rule.code(),
        Decision::Kept(reason) => reason.code(),
    };
    let index = if edge.producer.index == 0 { String::new() } else { format!("[{}]", edge.producer.index) };
    format!("{}{index}.{}={decision}", edge.producer.name, edge.output)
}

impl Judged {
    fn compile_and_run(&mut self, arguments: &[String]) -> Result<(), (String, String)> {
        let session = wgc_compiler::commands::session(arguments).map_err(|message| ("usage".to_owned(), message))?;
        if let Some(error) = session.diagnostics().into_iter().find(|found| found.severity == Severity::Error) {
            return Err((error.code.to_string(), error.message));
        }
        session.native().map_err(refusal)?;
        let mut packages = Vec::new();
        for mode in [FusionMode::Off, FusionMode::Safe, FusionMode::Full] {
            let mut options = session.emulated_options();
            options.plan.fusion = mode;
            packages.push(session.emulated(&options).map_err(refusal)?);
            let edges = session.fusion(&options).map_err(refusal)?.edges;
            let fused = edges.iter().filter(|edge| edge.is_fused()).count();
            match mode {
                FusionMode::Off => {}
                FusionMode::Safe => (self.edges, self.fused[0]) = (edges.iter().map(shown).collect(), fused),
                FusionMode::Full => self.fused[1] = fused,
            }
        }
        self.verdict = "ok".to_owned();
        match self.compared(&session, &packages) {
            Ok(run) => self.run = run.to_owned(),
            Err(why) => self.why = why,
        }
        Ok(())
    }

    /// Runs the packages and compares each with the first.
    fn compared(&mut self, session: &Session, packages: &[Package]) -> Result<&'static str, String> {
        let interface = session.interface().map_err(|failure| format!("{failure:?}"))?;
        if packages.iter().any(|package| package.manifest.modules.iter().any(|module| module.mesh.is_some())) {
            return Err("it draws".to_owned());
        }
        let given = resources(&interface, 1)?;
        let runs = packages.iter().map(|package| run(package, &interface, &given)).collect::<Result<Vec<_>, _>>()?;
        let Some((first, others)) = runs.split_first() else { return Err("no package".to_owned()) };
        for (other, mode) in others.iter().zip(["safe", "full"]) {
            if first.contents != other.contents {
                let found = difference(&interface, &given, Words::Integers, (first, other));
                self.why = format!("{mode}: {}", found.unwrap_or_else(|| "close floats".to_owned()));
                return Ok(ORDER);
            }
        }
        Ok(if is_unchanged(&given, first) { IDLE } else { EQUAL })
    }
}

/// Runs a package on the CPU device. Returns the final contents of the resources.
fn run(package: &Package, interface: &Interface, given: &[Resource]) -> Result<Ran, String> {
    let settings = CpuSettings { fuel: FUEL, max_workgroups: MAX_WORKGROUPS, ..CpuSettings::default() };
    let mut device = CpuDevice::new(settings);
    let bound = Bound::new(&mut device, given).map_err(|error| error.to_string())?;
    let bindings = match bound.bindings.is_empty() {
        true => None,
        false => Some(device.create_bindings(&bound.bindings).map_err(|error| error.to_string())?),
    };
    let options = EmulatedOptions::default();
    let mut graph = EmulatedGraph::load(&mut device, package, bindings, options).map_err(|error| error.to_string())?;
    let records = entry_records(&package.manifest);
    let inputs: Vec<Input> = package.manifest.entrypoints.iter().zip(&records).map(input).collect();
    let push = push_constants(interface, 1);
    graph.dispatch(&mut device, &inputs, &push).map_err(|error| error.to_string())?;
    device.submit(&[Command::Barrier]).map_err(|error| error.to_string())?;
    let contents = bound.read(&mut device).map_err(|error| error.to_string())?;
    Ok(Ran { contents, findings: Vec::new() })
}

/// Returns the records for each entry node.
fn entry_records(manifest: &Manifest) -> Vec<Vec<u8>> {
    let of_entry = |(n, entry): (usize, &wgc_abi::manifest::EntryPoint)| {
        entry.record.as_ref().map_or_else(Vec::new, |layout| record(layout, RECORDS, 100 + n as u64))
    };
    manifest.entrypoints.iter().enumerate().map(of_entry).collect()
}

fn input<'a>((entry, bytes): (&'a wgc_abi::manifest::EntryPoint, &'a Vec<u8>)) -> Input<'a> {
    let stride = entry.record.as_ref().map_or(0, |layout| layout.size);
    Input { node: entry.node.clone(), data: Data::Bytes(bytes), stride, count: RECORDS }
}
