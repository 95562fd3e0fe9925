//! Files other than sources: packages, run files, settings and host files.

use super::holds;
use crate::input::{MAIN, sections};
use std::path::Path;
use std::sync::OnceLock;
use wgc_abi::Package;
use wgc_abi::package::MANIFEST;
use wgc_backend_spirv::emulated::EmulatedOptions;
use wgc_compiler::Session;
use wgc_compiler::cli::parse::Invocation;
use wgc_compiler::loader::PreloadedFiles;
use wgc_compiler::project::manifest::Manifest;
use wgc_compiler::project::tools_config::ToolsConfig;
use wgc_runtime::run_file::{self, RunFile};
use wgc_sema::db::Options;

/// The graph that the run files and host files of inputs refer to.
pub const GRAPH: &str = include_str!("../../../../examples/hello_work_graphs.hlsl");

fn session(host: Option<&[u8]>) -> Session {
    let mut given = PreloadedFiles::default();
    given.add(MAIN, GRAPH.as_bytes().to_vec());
    let options = Options { host: host.map(|_| "host.json".to_owned()), ..Options::default() };
    if let Some(host) = host {
        given.add("host.json", host.to_vec());
    }
    Session::of_given(vec![(MAIN, options.clone())], options, given)
}

/// Returns the package of [`GRAPH`].
pub fn base() -> &'static Package {
    static BASE: OnceLock<Package> = OnceLock::new();
    BASE.get_or_init(|| session(None).emulated(&EmulatedOptions::default()).expect("the graph compiles"))
}

/// Runs the target `settings`: sections `run`, `wgc`, `tools` and `host`. A section without a name is used for all
/// four.
pub fn settings(input: &[u8]) -> Result<bool, String> {
    let mut right = false;
    for section in sections(input) {
        let body = section.body;
        let kind = section.head;
        if body.is_empty() {
            continue;
        }
        let is = |name: &str| kind.is_empty() || kind == name.as_bytes();
        if is("run") {
            right |= run(body);
        }
        if is("wgc") {
            right |= projects(body);
        }
        if is("tools") {
            let mut config = ToolsConfig::default();
            right |= config.add(Path::new("shadertoolsconfig.json"), body.to_vec()).is_ok();
        }
        if is("host") {
            right |= host(body)?;
        }
    }
    Ok(right)
}

fn run(body: &[u8]) -> bool {
    match RunFile::of_bytes(body.to_vec(), Path::new("input.run.json")) {
        Ok(file) => {
            match run_file::check(&file, &base().manifest.interface()) {
                Ok(warnings) => warnings.iter().for_each(|warning| drop(warning.to_string())),
                Err(error) => drop(error.to_string()),
            }
            true
        }
        Err(error) => {
            drop(error.to_string());
            false
        }
    }
}

fn projects(body: &[u8]) -> bool {
    let Ok(manifest) = Manifest::of_bytes(Path::new("wgc.json"), body.to_vec()) else { return false };
    let _ = manifest.format().style();
    for name in manifest.names() {
        let _ = manifest.invocation(name, &Invocation::default());
    }
    true
}

fn host(body: &[u8]) -> Result<bool, String> {
    let session = session(Some(body));
    let diagnostics = session.diagnostics();
    for label in diagnostics.iter().flat_map(|d| &d.labels) {
        let length = session.text(&label.range.file).len();
        holds(label.range.hi as usize <= length, || format!("a label is at {:?} of {length} bytes", label.range))?;
    }
    let checked = session.check(wgc_compiler::Target::Emulated).is_ok();
    let made = session.emulated(&EmulatedOptions::default());
    if let Err(wgc_compiler::Failure::Internal(error)) = &made {
        return Err(format!("an internal error: {}", error.0));
    }
    holds(checked == made.is_ok(), || format!("the check says {checked}, and the compiler {:?}", made.err()))?;
    Ok(checked)
}

/// Runs the target `package`: an archive, or a manifest together with the other files of a valid package.
pub fn package(input: &[u8]) -> Result<bool, String> {
    let archive;
    let bytes = if wgc_abi::package::is_packed(input) {
        input
    } else {
        archive = with_manifest(input).map_err(|e| format!("no archive: {e}"))?;
        &archive
    };
    let read = match Package::unpacked(bytes) {
        Ok(read) => read,
        Err(error) => {
            holds(error.to_string().len() < 10_000, || "the error is long".to_owned())?;
            return Ok(false);
        }
    };
    let packed = read.packed().map_err(|e| format!("it is not packed again: {e}"))?;
    let again = Package::unpacked(&packed).map_err(|e| format!("it is not read again: {e}"))?;
    holds(again.manifest == read.manifest && again.modules == read.modules && again.tables == read.tables, || {
        "it is another one after it was packed".to_owned()
    })?;
    read.manifest.interface();
    for words in read.modules.values().take(4) {
        super::spirv::spirv(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())?;
    }
    Ok(true)
}

/// Returns the package of [`GRAPH`] with another manifest.
fn with_manifest(manifest: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    let files = base().files().map_err(std::io::Error::other)?;
    for (name, bytes) in files {
        let bytes = if name == MANIFEST { manifest } else { bytes.as_slice() };
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, bytes)?;
    }
    archive.into_inner()
}
