//! The modules of every program in the tests. They are identical in repeated compilations. SPIRV-Tools
//! (`tests/validate`) checks them through the directory that `WGC_DUMP_SPV` names.

mod support;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use wgc_backend_spirv::{DebugInfo, EmitOptions};
use wgc_compiler::commands::session;

fn programs() -> Vec<PathBuf> {
    let files = ["examples", "tests/run", "tests/emulated"].iter().flat_map(|d| support::run_files(d));
    files.map(|f| PathBuf::from(f.to_string_lossy().replace(".run.json", ".hlsl"))).filter(|f| f.exists()).collect()
}

/// Returns the options in a program's run file.
fn options(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path.with_extension("run.json")).expect("a program has a run file");
    let Some((_, rest)) = text.split_once("\"args\":") else { return Vec::new() };
    let list = rest.find(']').map_or("", |end| rest[..=end].trim());
    serde_json::from_str(list).unwrap_or_else(|e| panic!("{}: {list}: {e}", path.display()))
}

/// Returns whether the run file restricts the program to the native target.
fn is_native(path: &Path) -> bool {
    let text = std::fs::read_to_string(path.with_extension("run.json")).expect("a program has a run file");
    text.contains("\"targets\": [\"spirv-amdx\"]")
}

/// Returns the file names and words of all modules of a program.
fn modules(path: &Path, debug: DebugInfo) -> Vec<(String, Vec<u32>)> {
    let emit = EmitOptions { debug, ..EmitOptions::default() };
    let arguments = options(path).into_iter().chain([path.to_string_lossy().into_owned()]).collect::<Vec<_>>();
    let session = session(&arguments).unwrap_or_else(|e| panic!("{}: {e}", path.display())).emitting(emit);
    let mut stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if debug == DebugInfo::FULL {
        stem += ".debug";
    }
    if session.is_compute() {
        let module = session.compute().unwrap_or_else(|e| panic!("{stem}: {e:?}"));
        return vec![(format!("{stem}.compute.spv"), module.words)];
    }
    let native = session.native().unwrap_or_else(|e| panic!("{stem}: {e:?}"));
    let package = (!is_native(path))
        .then(|| session.emulated(&session.emulated_options()).unwrap_or_else(|e| panic!("{stem}: {e:?}")));
    let draws = package.as_ref().is_none_or(|package| package.manifest.modules.iter().any(|m| m.mesh.is_some()));
    let mut all = match draws {
        // SPIRV-Tools checks the indices of a mesh against the modes of all entry points, including those of other
        // nodes. So it gets a module for each node, and not the combined one.
        true => {
            let nodes = session.native_nodes().unwrap_or_else(|e| panic!("{stem}: {e:?}"));
            let named = nodes.into_iter().map(|(name, module)| (format!("{stem}.{name}.amdx.spv"), module.words));
            named.chain([(format!("{stem}.amdx"), native.words)]).collect()
        }
        false => vec![(format!("{stem}.amdx.spv"), native.words)],
    };
    let Some(package) = package else { return all };
    // A package's host enables scalarBlockLayout, which its records need; `tests/validate` detects it by the name.
    let named = |name: String| format!("{stem}.{}", name.replace('/', ".").replace(".spv", ".scalar.spv"));
    all.extend(package.modules.into_iter().map(|(name, words)| (named(name), words)));
    all.push((format!("{stem}.tables"), package.tables.iter().map(|b| u32::from(*b)).collect()));
    all
}

/// Returns the opcodes of a module's functions, without debug instructions and the pointers to records that only these
/// use. Debug instructions include extended instructions.
fn code(words: &[u32]) -> Vec<u32> {
    const EXT_INST: u32 = 12;
    const FUNCTION: u32 = 54;
    const ACCESS_CHAIN: u32 = 65;
    const LINES: [u32; 2] = [8, 317];
    let mut rest = words.get(5..).unwrap_or_default();
    let mut instructions = Vec::new();
    while let [first, ..] = rest {
        let (opcode, count) = (first & 0xffff, (first >> 16) as usize);
        instructions.push((opcode, rest.get(1..count).unwrap_or_default()));
        rest = rest.get(count.max(1)..).unwrap_or_default();
    }
    let from = instructions.iter().position(|(op, _)| *op == FUNCTION).expect("a function");
    let code: Vec<_> = instructions.drain(from..).filter(|(op, _)| *op != EXT_INST && !LINES.contains(op)).collect();
    let mut uses: HashMap<u32, usize> = HashMap::new();
    code.iter().flat_map(|(_, operands)| *operands).for_each(|word| *uses.entry(*word).or_default() += 1);
    // The result itself is one use.
    let is_used = |op: &u32, operands: &[u32]| *op != ACCESS_CHAIN || operands.get(1).is_some_and(|id| uses[id] > 1);
    code.into_iter().filter(|(op, operands)| is_used(op, operands)).map(|(op, _)| op).collect()
}

#[test]
fn modules_are_deterministic_and_dumped() {
    let programs = programs();
    assert!(programs.len() >= 9, "{programs:?}");
    for program in &programs {
        let first = modules(program, DebugInfo::LINES);
        assert_eq!(first, modules(program, DebugInfo::LINES), "{}", program.display());
        let debug = modules(program, DebugInfo::FULL);
        for ((name, plain), (_, full)) in first.iter().zip(&debug).filter(|(m, _)| m.0.ends_with(".spv")) {
            assert!(code(plain) == code(full), "{name}: debug information changes the code");
        }
        if let Some(dir) = std::env::var_os("WGC_DUMP_SPV") {
            for (name, words) in first.iter().chain(&debug).filter(|m| m.0.ends_with(".spv")) {
                let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                std::fs::write(Path::new(&dir).join(name), bytes).expect("the directory for modules can be written");
            }
        }
    }
}
